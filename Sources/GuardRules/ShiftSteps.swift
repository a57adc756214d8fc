public import ShiftDomain

// The start and end of a shift.

func stepClockIn(
  _ state: GuardState, device: Int16, at: Instant, _ evidence: Evidence, _ override: Override?,
  policy: Policy
) -> GuardStep {
  if let open = state.shift {
    return GuardStep(
      state,
      open.device == device
        ? .alreadyOpen(shift: open.number)
        : .openElsewhere(shift: open.number, device: open.device))
  }
  let allowed = override?.isAllowed(by: policy) == true ? override : nil
  let decision = decideClockIn(evidence, policy: policy, now: at, excusing: allowed?.findings ?? [])
  guard decision.verdict != .block else { return GuardStep(state, .blocked(decision)) }
  var next = state
  next.lastShift += 1
  let shift = OpenShift(
    number: next.lastShift, device: device, startedAt: at, shiftMax: policy.shiftMax,
    breakMax: policy.breakMax, report: evidence.report)
  next.shift = shift
  var life = IncidentLife(next, at: at, now: at)
  if let report = evidence.report { life.begin(with: report.state) }
  let needed = decision.overridden.isEmpty ? nil : allowed
  return GuardStep(
    life.state, [.shiftStarted(shift, decision, needed)] + life.effects,
    .clockedIn(shift: shift.number, decision))
}

extension Override {
  /// A manager's override is always valid; a self-override if the policy allows it.
  fileprivate func isAllowed(by policy: Policy) -> Bool {
    author == .manager || policy.selfOverride == .withReason
  }
}

/// A clock-out after the shift ended at its limit gives its true end.
func stepClockOut(_ state: GuardState, at: Instant, by ending: ShiftEnding, now: Instant)
  -> GuardStep
{
  guard let shift = state.shift else {
    guard let ended = state.unconfirmed, ended.startedAt < at, at <= ended.endedAt else {
      return GuardStep(state, .noOpenShift)
    }
    return stepEndConfirmed(state, ended.number, at: at)
  }
  guard shift.startedAt < at else {
    return GuardStep(state, .endsBeforeStart(shift: shift.number))
  }
  return end(state, shift, at: at, by: ending, now: now)
}

/// The shift ended at its limit, whenever that is detected; the employee is asked for its true end.
func stepToLimit(_ state: GuardState, _ shift: OpenShift, now: Instant) -> GuardStep {
  var step = end(state, shift, at: shift.limit, by: .limit, now: now)
  step.state.unconfirmed = EndedShift(
    number: shift.number, startedAt: shift.startedAt, endedAt: shift.limit)
  step.effects.append(.notify(ShiftNotification(.endedAtLimit, subject: shift.number, dueAt: now)))
  return step
}

private func end(
  _ state: GuardState, _ shift: OpenShift, at: Instant, by ending: ShiftEnding, now: Instant
) -> GuardStep {
  var life = IncidentLife(state, at: at, now: now)
  life.endAll(.shiftEnded)
  life.state.shift = nil
  var effects = life.effects
  // A break that began later is removed, with everything after the end.
  if shift.isOnBreak, let pause = shift.latestBreak, pause.startedAt < at {
    effects.append(.breakEnded(shift: shift.number, at: at))
  }
  effects.append(.shiftEnded(shift.number, at: at, by: ending))
  return GuardStep(life.state, effects, .clockedOut(shift: shift.number))
}

func stepEndConfirmed(_ state: GuardState, _ number: Int32, at: Instant) -> GuardStep {
  guard let ended = state.unconfirmed, ended.number == number else {
    return GuardStep(state, .noOpenShift)
  }
  guard ended.startedAt < at else { return GuardStep(state, .endsBeforeStart(shift: number)) }
  guard at <= ended.endedAt else { return GuardStep(state, .outOfOrder(shift: number)) }
  var next = state
  next.unconfirmed = nil
  return GuardStep(
    next, [.shiftEnded(number, at: at, by: .employee)], .clockedOut(shift: number))
}

func stepStartMoved(_ state: GuardState, to start: Instant, now: Instant) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noOpenShift) }
  let latest = min(shift.latestBreak?.startedAt ?? now, shift.takenOverAt ?? now)
  guard start <= latest else { return GuardStep(state, .outOfOrder(shift: shift.number)) }
  var next = state
  next.shift?.startedAt = start
  return GuardStep(
    next, [.shiftStartMoved(shift.number, to: start)], .tracking(shift: shift.number))
}

/// How long after the planned end the employee is asked about a forgotten clock-out.
let reminderAfterPlannedEnd = TimeSpan.minutes(30)

extension GuardState {
  /// When time alone causes a change: a question to the employee, or the limit; `nil` off shift.
  public func due(under policy: Policy) -> Instant? {
    guard let shift else { return nil }
    var due = shift.limit
    if !shift.isReminded { due = min(due, shift.reminderAt(under: policy)) }
    if let pause = shift.latestBreak, pause.endedAt == nil, !pause.isAsked {
      due = min(due, pause.startedAt + shift.breakMax)
    }
    return due
  }
}

/// After hours of work the employee is asked, once per shift and once per break.
func stepTime(_ state: GuardState, policy: Policy, now: Instant) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noted) }
  var (next, effects) = (state, [GuardEffect]())
  if !shift.isReminded, now >= shift.reminderAt(under: policy) {
    next.shift?.isReminded = true
    effects.append(.notify(ShiftNotification(.clockOutReminder, subject: shift.number, dueAt: now)))
  }
  if let pause = shift.latestBreak, pause.endedAt == nil, !pause.isAsked,
    now >= pause.startedAt + shift.breakMax
  {
    next.shift?.latestBreak?.isAsked = true
    effects.append(
      .notify(
        ShiftNotification(
          .longBreak, subject: shift.number, ordinal: pause.number, dueAt: now)))
  }
  return GuardStep(next, effects, .noted)
}
