import GuardRules
import ShiftDomain
import Testing

@Suite("A shift that a manager or a plan opened") struct OpenedShiftTests {
  private static let opened = Act.happens(
    0, .opened(at: at(-600), by: .manager), "waiting 1", "shift 1 starts at -600 by manager",
    "tell shift_opened 1.2 at 0")
  private static let planned = Act.happens(
    0, .opened(at: at(0), by: .plan, confirmBy: at(3_600)), "waiting 1",
    "shift 1 starts at 0 by plan", "tell shift_opened 1.3 at 0")

  // R: A8, A9, W2
  static let confirmations: [Scene] = [
    Scene(
      "is confirmed by a clock-in and keeps its start; a repeat finds it open",
      [
        opened, .clocksIn(60, phone(), "clocked in 1: allow", "shift 1 confirmed on 1 from 60"),
        .clocksIn(61, phone(), "already open 1"),
        .clocksIn(62, phone(), device: 2, "open elsewhere 1 on 1"),
        .reports(
          70, phone(.denied), "in force", "#1 opens mid_shift at 70: denied",
          "tell #1 at 72: denied, urgent"),
        .clocksOut(80, "clocked out 1", "#1 closes at 80: shift_ended", "shift 1 ends at 80"),
      ]),
    Scene(
      "goes on waiting when the clock-in is blocked",
      [
        opened, .clocksIn(60, phone(.denied), "blocked: denied"),
        .clocksIn(90, phone(), "clocked in 1: allow", "shift 1 confirmed on 1 from 90"),
      ]),
    Scene(
      "has what impairs it at the confirmation as an incident from then on, without a notification",
      [
        opened,
        .clocksIn(
          60, phone(.whenInUse), "clocked in 1: warn", "shift 1 confirmed on 1 from 60",
          "#1 opens at_clock_in at 60: when_in_use"),
      ]),
    Scene(
      "counts a confirmation from a moment before it at its start",
      [
        planned,
        .happens(
          1, .clockIn(device: 1, at: at(-1), .report(report(phone(.whenInUse)), .ios)),
          "clocked in 1: warn", "shift 1 confirmed on 1 from 0",
          "#1 opens at_clock_in at 0: when_in_use"),
      ]),
    Scene(
      "is not opened beside another",
      [
        opened, .happens(10, .opened(at: at(10), by: .plan), "already open 1"),
        .clocksIn(60, phone(), "clocked in 1: allow", "shift 1 confirmed on 1 from 60"),
        .happens(70, .opened(at: at(70), by: .manager), "already open 1"),
      ]),
  ]

  // R: W6, W9
  static let unconfirmed: [Scene] = [
    Scene(
      "has no tracking phone before: no report, silence, break or take-over concerns it",
      [
        opened, .reports(10, phone(.denied), "noted"),
        .happens(20, .silence(.noContact, device: 1, since: at(20)), "noted"),
        .happens(30, .breakStart(at: at(30)), "waiting 1"),
        .happens(30, .breakEnd(at: at(30)), "not on break 1"),
        .happens(40, .takeOver(device: 1, at: at(40), nil), "waiting 1"),
        .happens(36_100, .time, "noted"),
      ]),
    Scene(
      "ends when it is declined, and only while it waits",
      [
        .happens(-700, .decline(at: at(-700)), "no waiting shift"), opened,
        .happens(60, .decline(at: at(50)), "clocked out 1", "shift 1 ends at 50, by declined"),
        .happens(70, .decline(at: at(70)), "no waiting shift"),
        .clocksIn(80, phone(), "clocked in 2: allow", "shift 2 starts at 80 on 1"),
        .happens(90, .decline(at: at(90)), "no waiting shift"),
      ]),
    Scene(
      "has a length even if it is declined in its first instant",
      [
        planned,
        .happens(0, .decline(at: at(-5)), "clocked out 1", "shift 1 ends at 0.001, by declined"),
      ]),
    Scene(
      "ends when its employee clocks out without a phone that tracked",
      [opened, .clocksOut(60, "clocked out 1", "shift 1 ends at 60")]),
    Scene(
      "ends with the plan, which asks nobody for its true end",
      [
        planned, .happens(3_599, .time, "noted"),
        .happens(3_600, .time, "noted", "shift 1 ends at 3600, by limit"),
        .clocksOut(3_700, age: 1_000, "no open shift"),
      ]),
    Scene(
      "lasts beyond the plan once it is confirmed, up to its limit",
      [
        planned,
        .clocksIn(3_599, phone(), "clocked in 1: allow", "shift 1 confirmed on 1 from 3599"),
        .happens(3_600, .time, "noted"),
        .happens(36_000, .time, "noted", "tell clock_out_reminder 1.1 at 36000"),
        .happens(
          57_600, .time, "noted", "shift 1 ends at 57600, by limit",
          "tell ended_at_limit 1.1 at 57600"),
      ]),
    Scene(
      "ends at its limit when nobody planned or confirmed it",
      [
        opened, .happens(56_999, .time, "noted"),
        .happens(57_000, .time, "noted", "shift 1 ends at 57000, by limit"),
      ]),
  ]

  @Test("waits for its employee", arguments: confirmations + unconfirmed)
  func waits(_ scene: Scene) { scene.play() }

  @Test("has the tracking settings of the policy at its confirmation, but not a limit in the past")
  func settings() {
    var policy = Policy.policy(of: .standard)
    func confirmed(at second: Double, shiftMax: TimeSpan) -> OpenShift? {
      policy.shiftMax = .hours(16)
      let waiting = step(
        GuardState(), .opened(at: at(0), by: .manager), policy: policy, now: at(0))
      (policy.shiftMax, policy.breakMax) = (shiftMax, .hours(1))
      return step(
        waiting.state,
        .clockIn(device: 1, at: at(second), .report(report(phone(), at: at(second)), .ios)),
        policy: policy, now: at(second)
      ).state.shift
    }
    let early = confirmed(at: 3_600, shiftMax: .hours(8))
    #expect(early?.limit == at(8 * 3_600) && early?.breakMax == .hours(1))
    #expect(early?.openedBy == .manager && early?.trackedSince == at(3_600))
    #expect(confirmed(at: 9 * 3_600, shiftMax: .hours(8))?.limit == at(16 * 3_600))
  }

  @Test("is due at the end of its plan, not for a reminder")
  func due() {
    let policy = Policy.policy(of: .standard)
    func due(_ confirmBy: Instant?) -> Instant? {
      step(
        GuardState(), .opened(at: at(0), by: .plan, confirmBy: confirmBy), policy: policy,
        now: at(0)
      ).state.due(under: policy)
    }
    #expect(due(at(3_600)) == at(3_600) && due(nil) == at(16 * 3_600))
    #expect(due(at(100 * 3_600)) == at(16 * 3_600))
  }

  typealias PingRow = (second: Double, device: Int16, is: PingPlacement)
  // R: W7
  @Test(
    "takes no position before its confirmation, but one from a moment before it",
    arguments: [
      (0, 1, .refused(.noShift)), (98.999, 1, .refused(.noShift)), (99, 1, .shift(9)),
      (99, 2, .refused(.noShift)), (100, 1, .shift(9)), (100, 2, .refused(.notTrackingDevice)),
      (300, 2, .shift(9)), (300, 1, .refused(.notTrackingDevice)), (1_000, 2, .refused(.noShift)),
    ] as [PingRow])
  func pings(_ row: PingRow) {
    let shift = TrackedShift(
      number: 9, start: at(0), end: at(1_000), device: nil,
      takeOvers: [
        TrackingSpan(device: 1, since: at(100)), TrackingSpan(device: 2, since: at(200)),
      ])
    let placement = place(
      effectiveAt: at(row.second), device: row.device, among: [shift], now: at(2_000))
    #expect(placement == row.is)
  }

  @Test("takes no position at all while it waits")
  func unconfirmedPings() {
    let waiting = TrackedShift(number: 9, start: at(0), end: nil, device: nil)
    for second in [-1.0, 0, 50] {
      let placement = place(
        effectiveAt: at(second), device: 1, among: [waiting], now: at(60))
      #expect(placement == .refused(.noShift))
    }
  }

  @Test("is notified of for as long as it waits; a blocked confirmation holds meanwhile")
  func causes() {
    func cause(_ notification: ShiftNotification, _ device: Int16?, shift: Int32 = 1) -> Cause {
      let open = OpenShift(
        number: shift, device: device, startedAt: morning, report: nil, openedBy: .manager)
      return GuardRules.cause(
        of: notification, in: GuardState(shift: open), isReviewed: false, at: morning)
    }
    let opened = ShiftNotification.opened(1, by: .manager, dueAt: morning)
    #expect(cause(opened, nil) == .holds(nil) && cause(opened, 1) == .ended(.resolved))
    #expect(cause(opened, nil, shift: 2) == .ended(.resolved))
    let accepted = ShiftNotification.opened(1, by: .employee, dueAt: morning)
    #expect(cause(accepted, 1) == .holds(nil))
    let blocked = ShiftNotification(.clockInBlocked, subject: 5, dueAt: morning)
    #expect(cause(blocked, nil) == .holds(nil) && cause(blocked, 1) == .ended(.resolved))
  }
}
