import GuardRules
import ShiftDomain
import Testing

@Suite("Consequences of a step") struct GuardConsequenceTests {
  typealias FixRow = (
    name: String, before: PermissionState, after: PermissionState, wantsFix: Bool
  )
  static let fixes: [FixRow] = [
    ("granted again", phone(.denied), phone(), true),
    ("granted again while in use", phone(.denied), phone(.whenInUse), true),
    ("location on again", phone(services: .off), phone(), true),
    ("exact again", phone(accuracy: .reduced), phone(), true),
    ("in use to always", phone(.whenInUse), phone(), true),
    ("nothing changed", phone(.denied), phone(.denied), false),
    ("restricted to denied cannot locate either", phone(.restricted), phone(.denied), false),
    ("in use to denied", phone(.whenInUse), phone(.denied), false),
    ("always to denied", phone(), phone(.denied), false),
    ("denied to unknown", phone(.denied), phone(.unknown), false),
  ]

  @Test("a restoration requests a fix at once", arguments: fixes)
  func wantsFix(_ row: FixRow) {
    let policy = Policy.policy(of: .standard)
    var state = GuardState()
    for (second, event) in [
      (0, .clockIn(device: 1, at: at(0), .report(report(phone(), at: at(0)), .android))),
      (60, .report(report(row.before, at: at(60)), device: 1)),
    ] as [(Double, GuardEvent)] {
      state = step(state, event, policy: policy, now: at(second)).state
    }
    let restoring = GuardEvent.report(report(row.after, at: at(90)), device: 1)
    #expect(step(state, restoring, policy: policy, now: at(90)).wantsFixNow == row.wantsFix)
  }

  typealias WorkRow = (name: String, isOnBreak: Bool, event: GuardEvent, wantsFix: Bool)
  // R: W5, W7
  static let work: [WorkRow] = [
    ("the break ends, and location is still denied", true, .breakEnd(at: at(90)), false),
    ("another device takes over", false, .takeOver(device: 2, at: at(90), nil), true),
    ("another takes over on a break", true, .takeOver(device: 2, at: at(90), nil), false),
    ("a break begins", false, .breakStart(at: at(90)), false),
    ("granted again", false, .report(report(phone(), at: at(90)), device: 1), true),
    ("granted again on a break", true, .report(report(phone(), at: at(90)), device: 1), false),
    ("the shift ends", false, .clockOut(at: at(90)), false),
    ("the shift ends on a break, and the break with it", true, .clockOut(at: at(90)), false),
    ("nothing happens", false, .time, false),
  ]

  @Test("a fix is requested when tracking resumes, and never on a break", arguments: work)
  func goOn(_ row: WorkRow) {
    var open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    if row.isOnBreak { open.latestBreak = ShiftBreak(number: 1, startedAt: at(70)) }
    let denied = OpenIncident(
      number: 1, kind: .denied, origin: .midShift, openedAt: at(60), debouncedUntil: at(62),
      notificationDueAt: nil)
    let state = GuardState(shift: open, incidents: [denied], lastShift: 1, lastIncident: 1)
    let step = step(state, row.event, policy: .policy(of: .standard), now: at(90))
    #expect(step.wantsFixNow == row.wantsFix)
  }

  typealias UrgencyRow = (finding: Finding, severity: Severity, isUrgent: Bool)
  static let urgencies: [UrgencyRow] = [
    (.whenInUse, .block, true), (.whenInUse, .warn, false), (.whenInUse, .advice, false),
  ]

  @Test(
    "a finding that the policy blocks is urgent, whatever the policy's preset",
    arguments: urgencies)
  func urgency(_ row: UrgencyRow) {
    for preset in [Preset.standard, .strict] {
      var policy = Policy.policy(of: preset)
      policy.severities = policy.severities.moving(row.finding, to: row.severity)
      let open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
      let event = GuardEvent.report(report(phone(.whenInUse), at: at(60)), device: 1)
      let step = step(GuardState(shift: open, lastShift: 1), event, policy: policy, now: at(60))
      let urgent = step.effects.contains { effect in
        guard case .notify(let notification) = effect else { return false }
        return notification.isUrgent
      }
      #expect(urgent == row.isUrgent, "\(preset)")
    }
  }

  @Test("the debounce is that of the policy")
  func debounce() {
    for milliseconds in [0, 1, 2_000, 3_000] as [Int64] {
      var policy = Policy.policy(of: .standard)
      policy.debounce = .milliseconds(milliseconds)
      let open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
      let event = GuardEvent.report(report(phone(.denied), at: at(60)), device: 1)
      let step = step(GuardState(shift: open, lastShift: 1), event, policy: policy, now: at(60))
      #expect(step.state[.authorization]?.notificationDueAt == at(60) + policy.debounce)
      #expect(step.state[.authorization]?.debouncedUntil == at(60) + policy.debounce)
    }
  }

  @Test("an incident at the highest notification count continues without notifications")
  func countless() {
    let open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    let incident = OpenIncident(
      number: 1, kind: .whenInUse, origin: .midShift, openedAt: at(1), debouncedUntil: at(3),
      notificationDueAt: at(3), notificationCount: .max)
    let state = GuardState(shift: open, incidents: [incident], lastShift: 1, lastIncident: 1)
    let event = GuardEvent.report(report(phone(.denied), at: at(60)), device: 1)
    let step = step(state, event, policy: .policy(of: .standard), now: at(60))
    #expect(step.state[.authorization]?.kind == .denied)
    let moves = step.effects.filter { if case .silenceExplained = $0 { false } else { true } }
    #expect(moves.count == 2)
  }
}
