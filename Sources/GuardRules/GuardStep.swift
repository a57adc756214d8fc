public import ShiftDomain

/// What follows from `event`. The one place where an employee's state moves; total and pure, so
/// that service, simulator and page agree.
/// - Parameters:
///   - state: The state before, as read together with its version.
///   - event: What happened.
///   - policy: The team's settings in force.
///   - now: The server's receipt of the event.
public func step(_ state: GuardState, _ event: GuardEvent, policy: Policy, now: Instant)
  -> GuardStep
{
  switch event {
  case .report(let report, let device):
    stepReport(state, report, device: device, policy: policy, now: now)
  case .clockIn(let device, let at, let evidence):
    stepClockIn(state, device: device, at: at, evidence, policy: policy)
  case .clockOut(let at):
    stepClockOut(state, at: at, now: now)
  }
}

private func stepReport(
  _ state: GuardState, _ report: PermissionReport, device: Int16, policy: Policy, now: Instant
) -> GuardStep {
  guard let shift = state.shift, shift.device == device else {
    return GuardStep(state: state, effects: [], answer: .reportNoted)
  }
  if report.isLate(after: shift.report) {
    return GuardStep(state: state, effects: [], answer: .reportLate)
  }
  var life = IncidentLife(state, at: max(report.effectiveAt, shift.startedAt), now: now)
  life.follow(report.state, policy: policy)
  life.state.shift?.report = report
  return GuardStep(state: life.state, effects: life.effects, answer: .reportInForce)
}

private func stepClockIn(
  _ state: GuardState, device: Int16, at: Instant, _ evidence: Evidence, policy: Policy
) -> GuardStep {
  if let open = state.shift {
    let answer: GuardAnswer =
      open.device == device
      ? .alreadyOpen(shift: open.number)
      : .openElsewhere(shift: open.number, device: open.device)
    return GuardStep(state: state, effects: [], answer: answer)
  }
  let decision = decideClockIn(evidence, policy: policy, now: at)
  if decision.verdict == .block {
    return GuardStep(state: state, effects: [], answer: .blocked(decision))
  }
  var next = state
  next.lastShift += 1
  let shift = OpenShift(
    number: next.lastShift, device: device, startedAt: at, report: evidence.report)
  next.shift = shift
  var life = IncidentLife(next, at: at, now: at)
  if let report = evidence.report { life.begin(with: report.state) }
  return GuardStep(
    state: life.state, effects: [.shiftStarted(shift, decision)] + life.effects,
    answer: .clockedIn(shift: shift.number, decision))
}

private func stepClockOut(_ state: GuardState, at: Instant, now: Instant) -> GuardStep {
  guard let shift = state.shift else {
    return GuardStep(state: state, effects: [], answer: .noOpenShift)
  }
  guard shift.startedAt < at else {
    return GuardStep(state: state, effects: [], answer: .endsBeforeStart(shift: shift.number))
  }
  var life = IncidentLife(state, at: at, now: now)
  life.endAll(.shiftEnded)
  life.state.shift = nil
  return GuardStep(
    state: life.state, effects: life.effects + [.shiftEnded(shift.number, at: at)],
    answer: .clockedOut(shift: shift.number))
}

extension Evidence {
  /// The report, where there is one.
  public var report: PermissionReport? {
    guard case .report(let report, _) = self else { return nil }
    return report
  }
}

extension PermissionReport {
  /// Whether this report is older than `current`. Late means a lower sequence, never an older
  /// clock: a phone set back ten minutes must not hide a denial. Without sequences the order of
  /// receipt holds, and then nothing is late.
  public func isLate(after current: PermissionReport?) -> Bool {
    guard let mine = sequence, let theirs = current?.sequence else { return false }
    return mine < theirs
  }
}
