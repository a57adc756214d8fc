import GuardRules
import ShiftDomain
import Testing

/// L is 180 s, the shift begins at second 0 on device 1.
@Suite("What the watch over silence says") struct SilenceEventTests {
  typealias Row = (
    name: String, receipt: Double?, position: Double?, resumed: Double?, open: [IncidentKind],
    outages: [(Double, Double)], present: Double, says: [String]
  )

  static let rows: [Row] = [
    ("nothing before the limit", 0, 0, nil, [], [], 179.999, []),
    ("no contact at the limit", 0, 0, nil, [], [], 180, ["no_contact since 180"]),
    ("no contact of one never heard of", nil, nil, nil, [], [], 180, ["no_contact since 180"]),
    ("what was before the shift does not count", -500, -500, nil, [], [], 179, []),
    ("no position while it speaks", 100, 0, nil, [], [], 180, ["no_fix since 180"]),
    (
      "both, in order, when noticed late", 100, 0, nil, [], [], 300,
      ["no_fix since 180", "no_contact since 280"]
    ),
    ("nothing more of one who is silent", 100, 0, nil, [.noContact], [], 900, []),
    ("no position missed of one who is not allowed any", 100, 0, nil, [.denied], [], 200, []),
    (
      "silence of one who is not allowed any", 100, 0, nil, [.denied], [], 280,
      ["no_contact since 280"]
    ),
    ("time for a position after a silence", 400, 0, 300, [], [], 479.999, []),
    ("and then none", 400, 0, 300, [], [], 480, ["no_fix since 480"]),
    ("heard of again", 300, 0, nil, [.noContact], [], 300, ["no_contact ends at 300"]),
    ("what was known when it opened ends nothing", 20, 0, nil, [.noContact], [], 200, []),
    ("heard of, but so long ago that it is silent again", 250, 0, nil, [.noContact], [], 430, []),
    ("located again", 300, 290, nil, [.noFix], [], 300, ["no_fix ends at 290"]),
    ("a late fix from before", 300, 20, nil, [.noFix], [], 300, []),
    (
      "located again after a silence", 300, 300, nil, [.noFix, .noContact], [], 300,
      ["no_fix ends at 300", "no_contact ends at 300"]
    ),
    (
      "heard of again without a position", 300, 0, nil, [.noContact], [], 300,
      ["no_contact ends at 300"]
    ),
    ("our outage is no silence", 0, 0, nil, [], [(60, 90)], 209.999, []),
    ("it moves the limit", 0, 0, nil, [], [(60, 90)], 210, ["no_contact since 210"]),
    (
      "an outage before the last sign moves nothing", 100, 100, nil, [], [(60, 90)], 280,
      ["no_contact since 280"]
    ),
    (
      "one around the last sign by its rest", 70, 70, nil, [], [(60, 90)], 270,
      ["no_contact since 270"]
    ),
    ("several add up", 0, 0, nil, [], [(10, 20), (60, 90)], 220, ["no_contact since 220"]),
    ("an outage ends no silence", 0, 0, nil, [.noContact], [(200, 500)], 510, []),
  ]

  // R: W8
  @Test("no position is missed while one cannot be had, and in no other trouble")
  func blockers() {
    #expect(
      Set(positionBlockers) == [.notDetermined, .restricted, .denied, .servicesOff, .noContact])
  }

  @Test(arguments: rows) func says(_ row: Row) {
    let state = state(row.open)
    let signs = SilenceSigns(
      lastReceipt: row.receipt.map(second), lastPosition: row.position.map(second),
      resumedAt: row.resumed.map(second), fixAgeMax: .seconds(180),
      outages: IntervalSet(row.outages.map { Interval(from: second($0.0), to: second($0.1)) }))
    let events = silenceEvents(in: state, signs, present: second(row.present))
    #expect(events.map(words) == row.says, "\(row.name)")
  }

  // R: W8
  @Test("no moment makes it say something twice: what is said is true at once and stays said")
  func quietAfterwards() {
    for receipt in stride(from: 0.0, through: 400, by: 40) {
      for position in stride(from: 0.0, through: receipt, by: 40) {
        for present in stride(from: 0.0, through: 800, by: 20) {
          let signs = SilenceSigns(
            lastReceipt: second(receipt), lastPosition: second(position), resumedAt: nil,
            fixAgeMax: .seconds(180),
            outages: IntervalSet(from: second(100), to: second(130)))
          var state = state([])
          for event in silenceEvents(in: state, signs, present: second(present)) {
            state = step(state, event, policy: .policy(of: .standard), now: second(present)).state
          }
          let again = silenceEvents(in: state, signs, present: second(present))
          #expect(again.isEmpty, "\(receipt) \(position) \(present): \(again.map(words))")
        }
      }
    }
  }

  private func state(_ open: [IncidentKind]) -> GuardState {
    GuardState(
      shift: OpenShift(number: 1, device: 1, startedAt: second(0), report: nil),
      incidents: open.enumerated().map { index, kind in
        OpenIncident(
          number: Int32(index + 1), kind: kind, origin: .midShift, openedAt: second(200),
          debouncedUntil: second(202), noticeDueAt: nil)
      }, lastShift: 1, lastIncident: Int32(open.count))
  }

  private func words(_ event: GuardEvent) -> String {
    switch event {
    case .silence(let kind, 1, let since): "\(kind.incident.code) since \(seconds(since))"
    case .signOfLife(let kind, 1, let at): "\(kind.incident.code) ends at \(seconds(at))"
    default: "\(event)"
    }
  }

  private func seconds(_ instant: Instant) -> Int64 { (instant - second(0)).seconds }
}

private func second(_ number: Double) -> Instant {
  Instant(milliseconds: 1_772_438_400_000 + Int64(number * 1_000))
}
