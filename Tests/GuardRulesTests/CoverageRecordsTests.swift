import GuardRules
import ShiftDomain
import Testing

@Suite("The facts of a shift, from what was received") struct CoverageRecordsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected: String
    var facts: CoverageFacts

    /// A shift of 0…1000 s with L = 180 s that device 1 begins to track.
    init(
      _ name: String, _ expected: String, takenOverBy second: (Int16, Double)? = nil,
      _ pings: [ReceivedPing] = [], _ reports: [ReceivedReport] = []
    ) {
      testDescription = name
      self.expected = expected
      let devices = [
        TrackingSpan(device: 1, since: at(0)),
        second.map { TrackingSpan(device: $0.0, since: at($0.1)) },
      ]
      facts = CoverageFacts(
        shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180),
        devices: devices.compactMap { $0 }, pings: pings, reports: reports)
    }
  }

  // R: W7, W9
  static let takeOvers: [Row] = [
    Row(
      "what another device sends is neither a fix nor a contact",
      "tracked 0–180, no_contact 180–1000", [ping(0), ping(300, from: 2)],
      [received(phone(.denied), at: 400, from: 2)]),
    Row(
      "the instant of a take-over is the new device's",
      "waiting_first_fix 0–180, no_contact 180–500, tracked 500–680, no_contact 680–1000",
      takenOverBy: (2, 500), [ping(500, from: 2)]),
    Row(
      "and the old device's no more",
      "waiting_first_fix 0–180, no_contact 180–500, waiting_first_fix 500–680, "
        + "no_contact 680–1000", takenOverBy: (2, 500), [ping(500)]),
    Row(
      "what the new device says in that instant holds from it",
      "waiting_first_fix 0–180, no_contact 180–500, denied 500–1000", takenOverBy: (2, 500), [],
      [received(phone(.denied), at: 500, from: 2)]),
    Row(
      "what it had said before holds from the take-over",
      "waiting_first_fix 0–180, no_contact 180–500, denied 500–1000", takenOverBy: (2, 500), [],
      [received(phone(.denied), at: -60, from: 2)]),
    Row(
      "a denial of before the shift does not cut a fix at its first instant",
      "tracked 0–180, denied 180–1000", [ping(0)], [received(phone(.denied), at: -60)]),
    Row(
      "a denial that the new device brings cuts a fix at its first instant",
      "waiting_first_fix 0–180, no_contact 180–500, denied 500–1000", takenOverBy: (2, 500),
      [ping(500, from: 2)], [received(phone(.denied), at: -60, from: 2)]),
  ]

  @Test("a take-over", arguments: takeOvers) func takeOver(_ row: Row) {
    #expect(coverage(of: row.facts).inWords == row.expected)
  }

  // R: W7, W9
  static let states: [Row] = [
    Row(
      "the first device's begin whenever they were said, and end with the take-over",
      "whenInUse -60, denied 300, unknown 500 anew", takenOverBy: (2, 500), [],
      [
        received(phone(.whenInUse), at: -60), received(phone(.denied), at: 300),
        received(phone(), at: 500),
      ]),
    Row(
      "the new device's are one until the take-over, and each its own thereafter",
      "denied 500 anew, always 600", takenOverBy: (2, 500), [],
      [
        received(phone(), at: 100, from: 2), received(phone(.denied), at: 500, from: 2),
        received(phone(.unknown), at: 499, from: 2), received(phone(), at: 600, from: 2),
      ]),
    Row(
      "none is from the end of the shift or later", "always 999.999", [],
      [received(phone(), at: 999.999), received(phone(.denied), at: 1_000)]),
  ]

  @Test("the states of each device", arguments: states) func hold(_ row: Row) {
    let words = row.facts.states.map { state in
      "\(state.state.authorization) \(state.since.inSeconds)" + (state.startsAnew ? " anew" : "")
    }
    #expect(words.joined(separator: ", ") == row.expected)
  }

  /// A denial of 500 that arrives after a newer report, and so explains the silence before it.
  private static let lateDenial = [
    received(phone(), at: 700, sequence: 2),
    received(phone(.denied), at: 500, sequence: 1, arriving: 701),
  ]
  private static let swipedAway = AppExit(.userRequested, at: at(300))

  // R: W8
  static let causes: [Row] = [
    Row(
      "a silence begins L after a fix, whenever that arrives", "denied 280–500",
      [ping(100, arriving: 800)], lateDenial),
    Row(
      "or after a sign of life arrives", "denied 240–500", [ping(50, arriving: 60, isFix: false)],
      lateDenial),
    Row(
      "what arrives later tells of life only then", "denied 240–500",
      [ping(50, arriving: 60, isFix: false), ping(100, arriving: 800, isFix: false)], lateDenial),
    Row(
      "another device's life is no sign", "denied 240–500",
      [ping(60), ping(200, from: 2), ping(210, from: 2, isFix: false)], lateDenial),
    Row(
      "the arrival of a report is a sign too", "denied 270–500", [],
      lateDenial + [received(phone(), at: 90, sequence: 0)]),
    Row(
      "a device's silence of before it took over explains nothing", "app_terminated 500–600",
      takenOverBy: (2, 500), [], [received(phone(), at: 600, from: 2, exit: swipedAway)]),
    Row(
      "nor does one of after another took over", "app_terminated 300–500",
      takenOverBy: (2, 500), [], [received(phone(), at: 600, exit: swipedAway)]),
    Row(
      "a silence that ends as the device takes over is none", "",
      takenOverBy: (2, 500), [], [received(phone(), at: 500, from: 2, exit: swipedAway)]),
  ]

  @Test("the causes of each device's silences", arguments: causes) func explain(_ row: Row) {
    #expect(row.facts.inferred.inWords == row.expected)
  }
}
