import GuardRules
import ShiftDomain
import Testing

@Suite("Coverage") struct CoverageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var facts: CoverageFacts
    var expected: String

    /// A shift of 0…1000 s with L = 180 s on device 1, and the facts that `change` adds.
    init(_ name: String, _ expected: String, _ change: (inout CoverageScene) -> Void = { _ in }) {
      testDescription = name
      self.expected = expected
      var story = CoverageScene()
      change(&story)
      facts = story.facts
    }
  }

  /// The facts of a shift, in short form.
  struct CoverageScene {
    var frame = CoverageFrame(
      shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180),
      devices: [TrackingSpan(device: 1, since: at(0))], reports: [])
    var pings: [ReceivedPing] = []
    var shift: Interval {
      get { frame.shift }
      set { frame.shift = newValue }
    }
    var breaks: IntervalSet {
      get { frame.breaks }
      set { frame.breaks = newValue }
    }
    var fixes: [Instant] {
      get { [] }
      set { pings += newValue.map { ReceivedPing(device: 1, effectiveAt: $0, fix: .position) } }
    }
    var states: [ReportedState] {
      get { [] }
      set {
        frame.reports += newValue.map { state in
          ReceivedReport(report(state.state, at: state.since), from: 1, receivedAt: state.since)
        }
      }
    }

    var facts: CoverageFacts { CoverageFacts(frame, contactRuns: ContactRuns(pings)) }

    mutating func silent(_ kind: SilenceKind, _ start: Double, _ end: Double) {
      frame.silences.append(
        SilentSpan(kind, of: 1, during: Interval(from: at(start), to: at(end))))
    }
  }

  // R: W9
  static let trackedTime: [Row] = [
    Row("no ping was ever received", "waiting_first_fix 0–180, no_fix 180–1000"),
    Row("a fix counts for L", "tracked 0–180, no_fix 180–1000") { $0.fixes = [at(0)] },
    Row(
      "waiting ends with the first fix",
      "waiting_first_fix 0–100, tracked 100–280, no_fix 280–1000"
    ) {
      $0.fixes = [at(100)]
    },
    Row("fixes at most L apart leave no gap", "tracked 0–540, no_fix 540–1000") {
      $0.fixes = [at(0), at(180), at(360)]
    },
    Row(
      "a millisecond more is a gap",
      "tracked 0–180, no_fix 180–180.001, tracked 180.001–360.001, no_fix 360.001–1000"
    ) {
      $0.fixes = [at(0), at(180.001)]
    },
    Row("neither order nor duplicates matter", "tracked 0–280, no_fix 280–1000") {
      $0.fixes = [at(100), at(0), at(100), at(50), at(0)]
    },
    Row(
      "a fix from before the shift does not count", "waiting_first_fix 0–180, no_fix 180–1000"
    ) {
      $0.fixes = [at(-1)]
    },
    Row("a fix at the end is outside", "waiting_first_fix 0–180, no_fix 180–1000") {
      $0.fixes = [at(1_000), at(1_010)]
    },
    Row(
      "a fix near the end is cut to the shift",
      "waiting_first_fix 0–180, no_fix 180–900, tracked 900–1000"
    ) {
      $0.fixes = [at(900)]
    },
    Row("an open shift is covered up to now", "tracked 0–100") {
      $0.shift = Interval(from: at(0), to: at(100))
      $0.fixes = [at(0)]
    },
    Row("an empty shift has no segments", "") { $0.shift = Interval(from: at(0), to: at(0)) },
    Row("a backward shift has none", "") { $0.shift = Interval(from: at(9), to: at(0)) },
  ]

  static let breakTime: [Row] = [
    Row(
      "a break is not work, and waiting starts again after it",
      "tracked 0–180, no_fix 180–400, on_break 400–500, waiting_first_fix 500–680, "
        + "no_fix 680–1000"
    ) {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(400), to: at(500))
    },
    Row(
      "a break replaces tracked time, and the fix before it still counts after it",
      "tracked 0–50, on_break 50–100, tracked 100–180, waiting_first_fix 180–280, "
        + "no_fix 280–1000"
    ) {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(50), to: at(100))
    },
    Row("a break replaces a denial", "tracked 0–100, on_break 100–200, denied 200–1000") {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(100), to: at(200))
      $0.states = [ReportedState(since: at(150), state: phone(.denied))]
    },
    Row("a shift may be all break", "on_break 0–1000") {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(-10), to: at(2_000))
    },
  ]

  static let reportedStates: [Row] = [
    Row("a denial ends the time for which a fix counts", "tracked 0–50, denied 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(-60), state: phone()),
        ReportedState(since: at(50), state: phone(.denied)),
      ]
    },
    Row(
      "a denial first reported during the shift is not dated back to the shift's start",
      "tracked 0–300, denied 300–1000"
    ) {
      $0.fixes = [at(0), at(150), at(290)]
      $0.states = [ReportedState(since: at(300), state: phone(.denied))]
    },
    Row("a denial from before the shift holds from its start", "denied 0–1000") {
      $0.states = [ReportedState(since: at(-9_999), state: phone(.denied))]
    },
    Row(
      "a fix at the very start of a denial does not count",
      "waiting_first_fix 0–50, denied 50–1000"
    ) {
      $0.fixes = [at(50)]
      $0.states = [ReportedState(since: at(50), state: phone(.denied))]
    },
    Row(
      "a fix received during a denial counts for L, then the denial holds again",
      "denied 0–100, tracked 100–280, denied 280–1000"
    ) {
      $0.fixes = [at(100)]
      $0.states = [ReportedState(since: at(-1), state: phone(.denied))]
    },
    Row("location off takes precedence over denied", "tracked 0–50, services_off 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(50), state: phone(.denied, services: .off))]
    },
    Row("restricted takes precedence over location off", "restricted 0–1000") {
      $0.states = [ReportedState(since: at(0), state: phone(.restricted, services: .off))]
    },
    Row("not determined prevents locating, too", "tracked 0–50, not_determined 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(50), state: phone(.notDetermined))]
    },
    Row(
      "while in use is tracked at risk, and the likely cause where no fix arrived",
      "tracked at risk 0–180, no_fix?when_in_use 180–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(0), state: phone(.whenInUse))]
    },
    Row(
      "approximate is tracked at risk, and is not a likely cause",
      "tracked at risk 0–180, no_fix?when_in_use 180–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(0), state: phone(.whenInUse, accuracy: .reduced))]
    },
    Row(
      "tracked time is split where the risk begins and ends",
      "tracked 0–50, tracked at risk 50–100, tracked 100–180, no_fix 180–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.whenInUse)),
        ReportedState(since: at(100), state: phone()),
      ]
    },
    Row(
      "after a restoration the phone resumes until the next fix",
      "tracked 0–50, denied 50–500, resuming 500–510, tracked 510–690, no_fix 690–1000"
    ) {
      $0.fixes = [at(0), at(510)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(500), state: phone()),
      ]
    },
    Row("… for L at most", "denied 0–500, resuming 500–680, no_fix 680–1000") {
      $0.states = [
        ReportedState(since: at(0), state: phone(.denied)),
        ReportedState(since: at(500), state: phone()),
      ]
    },
    Row(
      "restored to while in use, the phone resumes, too",
      "denied 0–500, resuming 500–680, no_fix?when_in_use 680–1000"
    ) {
      $0.states = [
        ReportedState(since: at(0), state: phone(.denied)),
        ReportedState(since: at(500), state: phone(.whenInUse)),
      ]
    },
    Row("unknown neither ends nor begins a denial", "waiting_first_fix 0–50, denied 50–1000") {
      $0.states = [
        ReportedState(since: at(20), state: PermissionState(authorization: .unknown)),
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(60), state: PermissionState(authorization: .unknown)),
      ]
    },
    Row(
      "a fix from before a denial does not count again after it",
      "tracked 0–50, denied 50–60, resuming 60–240, no_fix 240–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(60), state: phone()),
      ]
    },
  ]

  static let otherReasons: [Row] = [
    Row(
      "silence reaches back to the beginning of its gap",
      "tracked 0–180, no_contact 180–700, no_fix 700–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 300, 700)
    },
    Row(
      "but not over a time without a position",
      "tracked 0–180, no_fix 180–300, no_contact 300–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noFix, 180, 1_000)
      $0.silent(.noContact, 300, 1_000)
    },
    Row(
      "our outage is service_unavailable, whatever was missing",
      "tracked 0–180, no_fix 180–300, service_unavailable 300–400, no_fix 400–1000"
    ) {
      $0.fixes = [at(0)]
      $0.frame.outages = IntervalSet(from: at(300), to: at(400))
    },
    Row(
      "time in which the phone was not asked to track is not_asked",
      "tracked 0–180, not_asked 180–300, denied 300–1000"
    ) {
      $0.fixes = [at(0)]
      $0.frame.notAsked = IntervalSet(from: at(100), to: at(300))
      $0.states = [ReportedState(since: at(200), state: phone(.denied))]
    },
    Row(
      "before the receipt of an offline clock-in there was no contact",
      "waiting_first_fix 0–180, no_contact 180–600, no_fix 600–1000"
    ) {
      $0.frame.offlineReceipt = at(600)
    },
    Row(
      "a take-over starts waiting again, cuts nothing and has its own L",
      "tracked 0–180, no_fix 180–400, waiting_first_fix 400–450, tracked 450–750, no_fix 750–1000"
    ) {
      $0.fixes = [at(0)]
      $0.frame.devices.append(
        TrackingSpan(device: 2, since: at(400), fixAgeMax: .seconds(300)))
      $0.pings.append(ReceivedPing(device: 2, effectiveAt: at(450), fix: .position))
    },
    Row(
      "a mock position does not count, and its reason holds for L",
      "tracked 0–180, mock_location 180–300, no_fix 300–1000"
    ) {
      $0.fixes = [at(0)]
      $0.pings.append(ReceivedPing(device: 1, effectiveAt: at(120), fix: .mock))
    },
    Row(
      "a rest beside a mock position proves none",
      "tracked 0–180, mock_location 180–300, no_fix 300–1000"
    ) {
      $0.fixes = [at(0)]
      $0.pings.append(
        ReceivedPing(device: 1, effectiveAt: at(120), fix: .mock, restsUntil: at(900)))
    },
    Row(
      "a rest holds until the next ping",
      "tracked 0–880, no_fix 880–1000"
    ) {
      $0.fixes = [at(0)]
      $0.pings += [
        ReceivedPing(device: 1, effectiveAt: at(100), restsUntil: at(900)),
        ReceivedPing(device: 1, effectiveAt: at(700)),
      ]
    },
    Row(
      "a hidden page stays hidden until the next report",
      "tracked 0–180, page_hidden 180–500, no_fix 500–1000"
    ) {
      $0.fixes = [at(0)]
      $0.pings.append(ReceivedPing(device: 1, effectiveAt: at(50), isHidden: true))
      $0.states = [ReportedState(since: at(500), state: phone())]
    },
  ]

  // R: W8
  static let causes: [Row] = [
    Row(
      "a denial within a silence is the likely cause of the time before it",
      "tracked 0–180, no_contact?denied 180–500, denied 500–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 180, 900)
      $0.frame.reports = [received(phone(.denied), at: 500, arriving: 900)]
    },
    Row(
      "the end of the app's process dates the denial",
      "tracked 0–180, no_contact 180–300, denied~ 300–500, denied 500–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 180, 900)
      $0.frame.reports = [
        received(
          phone(.denied), at: 500, arriving: 900, exit: AppExit(.permissionChange, at: at(300)))
      ]
    },
    Row(
      "an app swiped away explains the silence that followed",
      "tracked 0–180, no_contact 180–300, app_terminated~ 300–900, no_fix 900–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 180, 900)
      $0.frame.reports = [
        received(phone(), at: 900, exit: AppExit(.userRequested, at: at(300)))
      ]
    },
    Row(
      "a denial that ended before the silence explains nothing",
      "tracked 0–100, denied 100–150, resuming 150–330, no_contact 330–900, no_fix 900–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 330, 900)
      $0.frame.reports = [received(phone(.denied), at: 100), received(phone(), at: 150)]
    },
    Row(
      "a report with permission bounds the likely cause",
      "tracked 0–180, no_contact 180–400, no_contact?denied 400–500, denied 500–1000"
    ) {
      $0.fixes = [at(0)]
      $0.silent(.noContact, 180, 900)
      $0.frame.reports = [
        received(phone(), at: 400, sequence: 1, arriving: 900),
        received(phone(.denied), at: 500, sequence: 2, arriving: 900),
      ]
    },
    Row(
      "a report at the instant of a take-over does not explain the other device's silence",
      "tracked 0–180, no_contact 180–300, waiting_first_fix 300–480, no_contact 480–700, "
        + "denied 700–1000"
    ) {
      $0.fixes = [at(0)]
      $0.frame.devices += [
        TrackingSpan(device: 2, since: at(300)), TrackingSpan(device: 1, since: at(700)),
      ]
      $0.frame.silences = [
        SilentSpan(.noContact, of: 2, during: Interval(from: at(480), to: at(700)))
      ]
      $0.frame.reports = [
        received(phone(.denied), at: 700, exit: AppExit(.permissionChange, at: at(200)))
      ]
    },
  ]

  @Test("causes of silences", arguments: causes) func explained(_ row: Row) { expect(row) }
  @Test("tracked time", arguments: trackedTime) func tracked(_ row: Row) { expect(row) }
  @Test("breaks", arguments: breakTime) func breaks(_ row: Row) { expect(row) }
  @Test("reported states", arguments: reportedStates) func states(_ row: Row) { expect(row) }
  @Test("other reasons", arguments: otherReasons) func others(_ row: Row) { expect(row) }

  private func expect(_ row: Row) {
    #expect(coverage(of: row.facts).inWords == row.expected)
  }
}
