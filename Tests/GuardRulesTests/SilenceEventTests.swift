import GuardRules
import ShiftDomain
import Testing

/// L is 180 s, the shift begins at second 0 on device 1.
@Suite("Silence detection") struct SilenceEventTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var open: [IncidentKind]
    var locatable: Instant?
    var present: Double
    var says: [String]
    var evidence = SilenceEvidence(fixAgeMax: .seconds(180))

    init(
      _ name: String, receipt: Double? = nil, position: Double? = nil, locatable: Double? = nil,
      open: [IncidentKind] = [],
      outages: [(Double, Double)] = [], at present: Double, says: [String],
      _ change: (inout SilenceEvidence) -> Void = { _ in }
    ) {
      testDescription = name
      self.open = open
      self.locatable = locatable.map(second)
      self.present = present
      self.says = says
      evidence.lastReceipt = receipt.map(second)
      evidence.lastPosition = position.map(second)
      evidence.positionReceipt = position.map(second)
      evidence.outages = IntervalSet(
        outages.map { Interval(from: second($0.0), to: second($0.1)) })
      change(&evidence)
    }
  }

  // R: W8
  static let rows: [Row] = [
    Row("nothing before the limit", receipt: 0, position: 0, at: 179.999, says: []),
    Row(
      "no contact at the limit", receipt: 0, position: 0, at: 180,
      says: ["no_contact since 180"]),
    Row("no contact from a phone that never sent", at: 180, says: ["no_contact since 180"]),
    Row("contact before the shift does not count", receipt: -500, at: 179, says: []),
    Row(
      "no position in spite of contact, five seconds after its time", receipt: 100, position: 0,
      at: 185, says: ["no_fix since 180"]),
    Row("and not before", receipt: 100, position: 0, at: 184.999, says: []),
    Row(
      "nor where contact is lost in these seconds", receipt: 4, position: 0, at: 185,
      says: ["no_contact since 184"]),
    Row(
      "no position missed when the last request carried one", receipt: 100, position: 0, at: 200,
      says: []
    ) {
      $0.positionReceipt = second(100)
    },
    Row(
      "both, in order, when noticed late", receipt: 100, position: 0, at: 300,
      says: ["no_fix since 180", "no_contact since 280"]),
    Row("nothing more from a silent phone", receipt: 100, open: [.noContact], at: 900, says: []),
    Row(
      "no position missed from a phone without permission", receipt: 100, position: 0,
      open: [.denied], at: 200, says: []),
    Row(
      "silence of a phone without permission", receipt: 100, position: 0, open: [.denied],
      at: 280, says: ["no_contact since 280"]),
    Row(
      "no position in its time from the end of a silence on", receipt: 400, position: 0, at: 485,
      says: ["no_fix since 480"]
    ) {
      $0.contactEndedAt = second(300)
    },
    Row(
      "time for a position after location is restored", receipt: 401, position: 0, locatable: 300,
      at: 479, says: []),
    Row(
      "but no longer", receipt: 401, position: 0, locatable: 300, at: 485,
      says: ["no_fix since 480"]),
    Row(
      "time for positions that follow an action made offline", receipt: 401, at: 500, says: []
    ) {
      $0.lateAction = second(400)
    },
    Row(
      "contact again", receipt: 300, position: 0, open: [.noContact], at: 300,
      says: ["no_contact ends at 300"]),
    Row(
      "contact by the first request, and silent again", receipt: 320, open: [.noContact], at: 600,
      says: ["no_contact ends at 300", "no_contact since 500"]
    ) {
      $0.gap = Interval(from: second(20), to: second(300))
    },
    Row(
      "a silence that was not noticed while it lasted", receipt: 300, position: 300, at: 301,
      says: ["no_contact since 190", "no_contact ends at 300"]
    ) {
      $0.gap = Interval(from: second(10), to: second(300))
    },
    Row(
      "the request that ends it shows no contact without a position before it", receipt: 300,
      position: 60, at: 301, says: ["no_contact since 290", "no_contact ends at 300"]
    ) {
      $0.positionReceipt = second(110)
      $0.gap = Interval(from: second(110), to: second(300))
    },
    Row("which is reported once", receipt: 300, position: 300, at: 301, says: []) {
      $0.gap = Interval(from: second(10), to: second(300))
      $0.contactEndedAt = second(300)
    },
    Row(
      "none again while the contact that ended it is not stored yet", receipt: 0, at: 301, says: []
    ) { $0.contactEndedAt = second(300) },
    Row(
      "none before the receipt of an offline clock-in, stored or not", receipt: 0, at: 301, says: []
    ) { $0.clockInReceipt = second(300) },
    Row(
      "none before the receipt of a clock-in made offline", receipt: 300, at: 301, says: []
    ) {
      $0.gap = Interval(from: second(-500), to: second(300))
      ($0.clockInReceipt, $0.lateAction) = (second(300), second(300))
    },
    Row(
      "and after it as after any other", receipt: 600, position: 600, at: 601,
      says: ["no_contact since 480", "no_contact ends at 600"]
    ) {
      $0.gap = Interval(from: second(300), to: second(600))
      $0.clockInReceipt = second(300)
    },
    Row("and not if it was short enough", receipt: 190, position: 190, at: 301, says: []) {
      $0.gap = Interval(from: second(10), to: second(190))
    },
    Row(
      "located again", receipt: 300, position: 290, open: [.noFix], at: 300,
      says: ["no_fix ends at 290"]),
    Row("a late fix from before", receipt: 300, position: 20, open: [.noFix], at: 300, says: []),
    Row("our outage is no silence", receipt: 0, outages: [(60, 90)], at: 269.999, says: []),
    Row(
      "but it moves the limit to L after its end", receipt: 0, outages: [(60, 90)], at: 270,
      says: ["no_contact since 270"]),
    Row(
      "and that of positions", receipt: 100, position: 0, outages: [(60, 90)], at: 275,
      says: ["no_fix since 270"]),
    Row(
      "as does another one that begins before that", receipt: 0, outages: [(60, 90), (269, 290)],
      at: 469.999, says: []),
    Row(
      "but not one that begins then", receipt: 0, outages: [(60, 90), (270, 290)], at: 470,
      says: ["no_contact since 270"]),
    Row(
      "one that ends a silence moves nothing", receipt: 290, outages: [(60, 90), (270, 290)],
      at: 290, says: ["no_contact since 270", "no_contact ends at 290"]
    ) { $0.gap = Interval(from: second(0), to: second(290)) },
    Row(
      "an outage before the last contact moves nothing", receipt: 100, position: 100,
      outages: [(60, 90)], at: 280, says: ["no_contact since 280"]),
    Row(
      "one around it moves the limit too", receipt: 70, position: 70, outages: [(60, 90)],
      at: 270, says: ["no_contact since 270"]),
    Row(
      "a rest postpones both", receipt: 100, position: 0, at: 779, says: []
    ) {
      $0.restsUntil = second(600)
    },
    Row("L after its end", receipt: 100, position: 100, at: 780, says: ["no_contact since 780"]) {
      $0.restsUntil = second(600)
    },
    Row(
      "of a silence in a rest that came late nothing remains", receipt: 400, position: 100,
      open: [.noContact], at: 400, says: ["no_contact withdrawn"]
    ) {
      $0.announced = IntervalSet(from: second(100), to: second(400))
    },
    Row(
      "or what is after its end and L", receipt: 400, position: 400, open: [.noContact], at: 400,
      says: ["no_contact moved to 380", "no_contact ends at 400"]
    ) {
      $0.announced = IntervalSet(from: second(100), to: second(200))
    },
    Row(
      "or what is before and after it", receipt: 900, position: 900, open: [.noContact], at: 900,
      says: ["no_contact ends at 300", "no_contact since 530", "no_contact ends at 900"]
    ) {
      $0.announced = IntervalSet(from: second(300), to: second(350))
    },
    Row("and none is noticed late", receipt: 400, position: 400, at: 400, says: []) {
      $0.gap = Interval(from: second(0), to: second(400))
      $0.announced = IntervalSet(from: second(100), to: second(400))
    },
    Row("a hidden page is not missed", receipt: 100, position: 0, at: 900, says: []) {
      $0.hiddenSince = second(100)
    },
  ]

  @Test(arguments: rows) func says(_ row: Row) {
    let events = silenceEvents(
      in: state(row.open, row.locatable), row.evidence, present: second(row.present))
    #expect(events.map(words) == row.says)
  }

  // R: W8
  @Test("never reports an event again once it was applied")
  func quietAfterwards() {
    for receipt in stride(from: 0.0, through: 400, by: 40) {
      for position in stride(from: 0.0, through: receipt, by: 40) {
        for present in stride(from: 0.0, through: 800, by: 20) {
          var evidence = SilenceEvidence(
            fixAgeMax: .seconds(180), outages: IntervalSet(from: second(100), to: second(130)))
          evidence.lastReceipt = second(receipt)
          evidence.lastPosition = second(position)
          evidence.positionReceipt = second(position)
          var state = state([])
          for event in silenceEvents(in: state, evidence, present: second(present)) {
            state = step(state, event, policy: .policy(of: .standard), now: second(present)).state
          }
          let again = silenceEvents(in: state, evidence, present: second(present))
          #expect(again.isEmpty, "\(receipt) \(position) \(present): \(again.map(words))")
        }
      }
    }
  }

  // R: W3, W8
  @Test("no silence begins before the phone was asked to track")
  func asked() {
    var state = state([])
    state.shift?.askedFrom = second(600)
    var evidence = SilenceEvidence(fixAgeMax: .seconds(180))
    func says(at present: Double) -> [String] {
      silenceEvents(in: state, evidence, present: second(present)).map(words)
    }
    evidence.lastReceipt = second(0)
    #expect(says(at: 779) == [])
    #expect(says(at: 780) == ["no_contact since 780"])
    (evidence.lastReceipt, evidence.gap) = (second(590), Interval(from: second(0), to: second(590)))
    #expect(says(at: 779) == [], "a silence that ended before does not count")
    #expect(says(at: 785) == ["no_contact since 780"])
    (evidence.lastReceipt, evidence.gap) = (second(650), Interval(from: second(0), to: second(650)))
    #expect(says(at: 650) == [])
    #expect(says(at: 784) == [])
    #expect(says(at: 785) == ["no_fix since 780"])
  }

  private func state(_ open: [IncidentKind], _ locatable: Instant? = nil) -> GuardState {
    GuardState(
      shift: OpenShift(
        number: 1, device: 1, startedAt: second(0), report: nil, locatableSince: locatable),
      incidents: open.enumerated().map { index, kind in
        OpenIncident(
          number: Int32(index + 1), kind: kind, origin: .midShift, openedAt: second(200),
          debouncedUntil: second(202), notificationDueAt: nil)
      }, lastShift: 1, lastIncident: Int32(open.count))
  }

  private func words(_ event: GuardEvent) -> String {
    switch event {
    case .silence(let kind, 1, let since): "\(kind.incident.code) since \(seconds(since))"
    case .signOfLife(let kind, 1, let at): "\(kind.incident.code) ends at \(seconds(at))"
    case .silenceMoved(let kind, 1, let opening?):
      "\(kind.incident.code) moved to \(seconds(opening))"
    case .silenceMoved(let kind, 1, nil): "\(kind.incident.code) withdrawn"
    default: "\(event)"
    }
  }

  private func seconds(_ instant: Instant) -> Int64 { (instant - second(0)).seconds }
}

private func second(_ number: Double) -> Instant {
  Instant(milliseconds: 1_772_438_400_000 + Int64(number * 1_000))
}
