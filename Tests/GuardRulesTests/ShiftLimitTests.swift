import GuardRules
import ShiftDomain
import Testing

@Suite("Effects of time, managers and late evidence on a shift") struct ShiftLimitTests {
  private static let begun = Act.clocksIn(
    0, phone(), "clocked in 1: allow", "shift 1 starts at 0 on 1")
  private static let ended = Act.happens(
    57_600, .time, "noted", "shift 1 ends at 57600, by limit", "tell ended_at_limit 1.1 at 57600")

  @Test("a shift without other settings ends after sixteen hours")
  func unlessToldOtherwise() {
    let start = Instant(milliseconds: 0)
    #expect(
      OpenShift(number: 1, device: 1, startedAt: start, report: nil).limit == start + .hours(16))
  }

  // R: W6
  static let limits: [Scene] = [
    Scene(
      "one reminder after ten hours, and the end of the shift after sixteen",
      [
        begun, .happens(35_999, .time, "noted"),
        .happens(36_000, .time, "noted", "tell clock_out_reminder 1.1 at 36000"),
        .happens(36_001, .time, "noted"), .happens(57_599, .time, "noted"), ended,
        .happens(57_601, .time, "noted"),
      ]),
    Scene(
      "the limit applies before any later event, however late it is noticed",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .clocksIn(
          80_000, phone(), "clocked in 2: allow", "#1 closes at 57600: shift_ended",
          "shift 1 ends at 57600, by limit", "tell ended_at_limit 1.1 at 80000",
          "shift 2 starts at 80000 on 1"),
      ]),
    Scene(
      "a clock-out from before the limit counts, however late it arrives",
      [begun, .clocksOut(80_000, age: 50_000, "clocked out 1", "shift 1 ends at 30000")]),
    Scene(
      "so does a report from before the limit, and one dated ahead ends nothing",
      [
        begun, .reports(57_590, phone(), age: -30),
        .reports(
          60_000, phone(.denied), age: 3_000, "in force", "#1 opens mid_shift at 57620: denied",
          "tell #1 at 60002: denied, urgent"),
      ]),
    Scene(
      "a clock-out that arrives after the limit gives the true end",
      [
        begun, ended, .clocksOut(80_000, age: 50_000, "clocked out 1", "shift 1 ends at 30000"),
        .clocksOut(80_001, age: 50_000, "no open shift"),
      ]),
    Scene(
      "a shift that reached its limit did not end at its start, nor after its limit",
      [
        begun, ended, .clocksOut(80_000, age: 80_000, "no open shift"),
        .clocksOut(80_001, age: 22_400.999, "no open shift"),
        .clocksOut(80_002, age: 22_402, "clocked out 1", "shift 1 ends at 57600"),
      ]),
    Scene(
      "an end can be confirmed only within the shift",
      [
        begun, ended,
        .happens(60_000, .endConfirmed(shift: 2, at: at(30_000)), "no open shift"),
        .happens(60_000, .endConfirmed(shift: 1, at: at(0)), "ends before start 1"),
        .happens(60_000, .endConfirmed(shift: 1, at: at(57_601)), "out of order 1"),
        .happens(
          60_000, .endConfirmed(shift: 1, at: at(57_600)), "clocked out 1",
          "shift 1 ends at 57600"),
        .happens(60_000, .endConfirmed(shift: 1, at: at(30_000)), "no open shift"),
      ]),
    Scene(
      "a break that lasts at the limit ends with the shift",
      [
        begun, .happens(57_000, .breakStart(at: at(57_000)), "on break 1", "break from 57000"),
        .happens(
          57_600, .breakEnd(at: at(57_600)), "no open shift", "break until 57600",
          "shift 1 ends at 57600, by limit", "tell ended_at_limit 1.1 at 57600"),
      ]),
    Scene(
      "a break that has ended causes no notification",
      [
        begun, .happens(100, .breakStart(at: at(100)), "on break 1", "break from 100"),
        .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .happens(7_300, .time, "noted"),
      ]),
    Scene(
      "a manager may move the start, but not past a later event",
      [
        .happens(0, .startMoved(to: at(0)), "no open shift"), begun,
        .happens(100, .breakStart(at: at(100)), "on break 1", "break from 100"),
        .happens(150, .startMoved(to: at(101)), "out of order 1"),
        .happens(90, .startMoved(to: at(91)), "out of order 1"),
        .happens(150, .startMoved(to: at(100)), "tracking 1", "shift 1 starts at 100 now"),
        .happens(150, .startMoved(to: at(-600)), "tracking 1", "shift 1 starts at -600 now"),
        .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .happens(35_399, .time, "noted"),
        .happens(35_400, .time, "noted", "tell clock_out_reminder 1.1 at 35400"),
      ]),
  ]

  // R: W8
  static let evidence: [Scene] = [
    Scene(
      "Android reports at its next start since when it was denied",
      [
        begun,
        .happens(
          280, .silence(.noContact, device: 1, since: at(280)), "noted",
          "#1 opens mid_shift at 280: no_contact", "tell #1 at 282: no_contact"),
        .happens(
          900, .signOfLife(.noContact, device: 1, at: at(900)), "noted",
          "#1 closes at 900: resumed", "tell restored 1.1 at 902"),
        .happens(
          900,
          .report(
            report(phone(.denied), at: at(900), exit: AppExit(.permissionChange, at: at(100))),
            device: 1), "in force",
          "silence of 1 around 900 was denied", "#2 opens mid_shift at 100: denied",
          "tell #2 at 902: denied, urgent"),
      ]),
    Scene(
      "if anything else ended the app, the denial holds since its report",
      [
        begun,
        .happens(
          900,
          .report(
            report(phone(.denied), at: at(900), exit: AppExit(.other, at: at(100))), device: 1),
          "in force", "#1 opens mid_shift at 900: denied", "tell #1 at 902: denied, urgent"),
      ]),
    Scene(
      "an end of the app from before the report in force is old and moves nothing",
      [
        begun, .reports(500, phone()),
        .happens(
          900,
          .report(
            PermissionReport(
              id: ReportID(9), state: phone(.denied), effectiveAt: at(900),
              appExit: AppExit(.permissionChange, at: at(500))), device: 1), "in force",
          "#1 opens mid_shift at 900: denied", "tell #1 at 902: denied, urgent"),
      ]),
    Scene(
      "an app swiped away explains the silence and opens nothing",
      [
        begun,
        .happens(
          900,
          .report(
            report(phone(), at: at(900), exit: AppExit(.userRequested, at: at(100))), device: 1),
          "in force", "silence of 1 around 900 was app_terminated"),
      ]),
    Scene(
      "silence opens no second incident, none of another device, and no `no_fix` while denied",
      [
        begun,
        .happens(10, .silence(.noContact, device: 2, since: at(10)), "noted"),
        .reports(
          20, phone(.denied), "in force", "silence of 1 around 20 was denied",
          "#1 opens mid_shift at 20: denied", "tell #1 at 22: denied, urgent"),
        .happens(30, .silence(.noFix, device: 1, since: at(30)), "noted"),
        .happens(
          40, .silence(.noContact, device: 1, since: at(40)), "noted",
          "#2 opens mid_shift at 40: no_contact"),
        .happens(50, .silence(.noContact, device: 1, since: at(50)), "noted"),
        .happens(60, .signOfLife(.noContact, device: 2, at: at(60)), "noted"),
        .happens(60, .signOfLife(.noFix, device: 1, at: at(60)), "noted"),
        .happens(
          70, .signOfLife(.noContact, device: 1, at: at(70)), "noted", "#2 closes at 70: resumed"),
      ]),
    Scene(
      "a sign of life before the notification is due ends the silence, which is not a flicker",
      [
        begun,
        .happens(
          280, .silence(.noContact, device: 1, since: at(279)), "noted",
          "#1 opens mid_shift at 279: no_contact", "tell #1 at 282: no_contact"),
        .happens(
          281, .signOfLife(.noContact, device: 1, at: at(281)), "noted",
          "#1 closes at 281: resumed", "untell #1"),
      ]),
    Scene(
      "mock positions are a separate incident",
      [
        begun,
        .reports(
          10, phone(conditions: DeviceConditions(mockLocation: .on)), "in force",
          "#1 opens mid_shift at 10: mock_location",
          "tell #1 at 12: mock_location"),
        .reports(20, phone(), "in force"),
        .reports(
          30, phone(conditions: DeviceConditions(mockLocation: .off)), "in force",
          "#1 closes at 30: restored",
          "tell restored 1.1 at 32"),
      ]),
  ]

  @Test("time", arguments: limits) func pass(_ scene: Scene) { scene.play() }
  @Test("evidence", arguments: evidence) func tell(_ scene: Scene) { scene.play() }

  // R: W6
  @Test("the state gives the next moment at which time alone changes something")
  func due() {
    let policy = Policy.policy(of: .standard)
    var state = GuardState()
    #expect(state.due(under: policy) == nil)
    state.shift = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    #expect(state.due(under: policy) == at(36_000))
    state.shift?.latestBreak = ShiftBreak(number: 1, startedAt: at(100))
    #expect(state.due(under: policy) == at(7_300))
    state.shift?.latestBreak?.isAsked = true
    #expect(state.due(under: policy) == at(36_000))
    state.shift?.latestBreak = ShiftBreak(number: 1, startedAt: at(100), endedAt: at(200))
    state.shift?.isReminded = true
    #expect(state.due(under: policy) == at(57_600))
  }

  // R: W8
  @Test("silence is due after clock-in, break end, take-over, rest, outage or last contact")
  func silence() {
    var shift = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    func due(after last: Instant?, resting: Instant? = nil, outage: Interval? = nil) -> Instant {
      var contactRuns = SilenceEvidence(
        fixAgeMax: .seconds(180), outages: IntervalSet([outage].compactMap { $0 }))
      contactRuns.lastReceipt = last
      contactRuns.restsUntil = resting
      return contactRuns.contactDue(in: shift)
    }
    #expect(due(after: nil) == at(180))
    #expect(due(after: at(-50)) == at(180))
    #expect(due(after: at(60), resting: at(600)) == at(780))
    #expect(due(after: at(60), outage: Interval(from: at(70), to: at(100))) == at(280))
    shift.latestBreak = ShiftBreak(number: 1, startedAt: at(100), endedAt: at(200))
    #expect(due(after: at(60)) == at(380))
    shift.takenOverAt = at(300)
    #expect(due(after: at(60)) == at(480))
  }

  // R: W3
  @Test("an override lets only the named findings pass")
  func override() {
    let evidence = Evidence.report(report(phone(.denied, services: .off), at: at(0)), .android)
    func decide(_ excused: FindingSet) -> Decision {
      decideClockIn(evidence, policy: .policy(of: .standard), now: at(0), excusing: excused)
    }
    #expect(decide([]).verdict == .block)
    let half = decide(FindingSet(.denied))
    #expect(half.verdict == .block && half.blocking == FindingSet(.servicesOff))
    let whole = decide(FindingSet(.denied).union(FindingSet(.servicesOff)))
    #expect(whole.verdict == .warn && whole.blocking.isEmpty)
    #expect(whole.overridden == whole.warning && whole.findings == decide([]).findings)
    #expect(decide(FindingSet(.restricted)).overridden.isEmpty)
  }

  // R: W3
  @Test("a shift under an override starts with its true incident and names the override's author")
  func overridden() {
    let evidence = Evidence.report(report(phone(.denied), at: at(0)), .android)
    func clockIn(_ override: Override?) -> GuardStep {
      step(
        GuardState(), .clockIn(device: 1, at: at(0), evidence, override),
        policy: .policy(of: .standard), now: at(0))
    }
    let given = Override(number: 3, findings: FindingSet(.denied), author: .manager)
    #expect(
      clockIn(given).effects.map(\.inWords) == [
        "shift 1 starts at 0 on 1, overridden by manager", "#1 opens at_clock_in at 0: denied",
      ])
    #expect(clockIn(nil).answer.inWords == "blocked: denied")
    var policy = Policy.policy(of: .standard)
    let own = Override(number: nil, findings: .all, author: .employee)
    #expect(clockIn(own).answer.inWords == "blocked: denied")
    policy.selfOverride = .withReason
    let allowed = step(
      GuardState(), .clockIn(device: 1, at: at(0), evidence, own), policy: policy, now: at(0))
    #expect(allowed.effects[0].inWords == "shift 1 starts at 0 on 1, overridden by employee")
    let fine = step(
      GuardState(),
      .clockIn(device: 1, at: at(0), .report(report(phone(), at: at(0)), .android), given),
      policy: .policy(of: .standard), now: at(0))
    #expect(fine.effects.map(\.inWords) == ["shift 1 starts at 0 on 1"])
  }
}
