public import ShiftDomain

// The start and end of a shift.

func stepClockIn(
  _ state: GuardState, device: Int16, at: Instant, _ evidence: Evidence, _ override: Override?,
  given placeAndPlan: PlaceAndPlan, policy: Policy
) -> GuardStep {
  if let open = state.shift, let tracking = open.device {
    return GuardStep(
      state,
      tracking == device
        ? .alreadyOpen(shift: open.number)
        : .openElsewhere(shift: open.number, device: tracking))
  }
  let allowed = override?.isAllowed(by: policy) == true ? override : nil
  let decision = decideClockIn(
    evidence, placeAndPlan, policy: policy, now: at, excusing: allowed?.findings ?? [])
  guard decision.verdict != .block else { return GuardStep(state, .blocked(decision)) }
  // A report that is too old is judged, but says nothing about the shift.
  let report = evidence.report.flatMap { at - $0.effectiveAt > policy.freshFor ? nil : $0 }
  var next = state
  var shift: OpenShift
  if let waiting = state.shift {
    shift = waiting.confirmed(on: device, at: at, report, policy: policy)
  } else {
    next.lastShift += 1
    shift = OpenShift(
      number: next.lastShift, device: device, startedAt: at, shiftMax: policy.shiftMax,
      breakMax: policy.breakMax, report: report)
  }
  shift.accepted.isMockIgnored = policy.severities[.mockLocation] == .ignore
  next.shift = shift
  var life = IncidentLife(next, at: shift.trackedSince, now: at)
  if let report { life.begin(with: report.state) }
  if placeAndPlan.place?.findings.contains(.mockLocation) == true {
    life.state.shift?.accepted.acceptMock(on: device)
  }
  let needed = decision.overridden.isEmpty ? nil : allowed
  let begun: GuardEffect =
    state.shift == nil
    ? .shiftStarted(shift, decision, needed) : .shiftConfirmed(shift, decision, needed)
  return GuardStep(
    life.state, [begun] + life.effects, .clockedIn(shift: shift.number, decision))
}

/// Nobody had been asked to track before: what holds now is accepted with the shift, and what had
/// healed by now was none of its incidents.
func stepAccepted(_ state: GuardState, _ newest: PermissionReport?, now: Instant) -> GuardStep {
  guard var shift = state.shift else { return GuardStep(state, .noOpenShift) }
  shift.askedFrom = now
  // Reports that came since the clock-in may belong to the shift.
  shift.reportMarks = nil
  if let newest, newest.id != shift.report?.id, !newest.isLate(after: shift.report) {
    let report = newest.following(shift.report)
    shift.report = report
    shift.known.learn(from: report.state)
  }
  var next = state
  next.shift = shift
  next.lastIncident -= Int32(state.incidents.count)
  next.incidents = []
  var life = IncidentLife(next, at: now, now: now)
  life.begin(with: shift.known.state)
  return GuardStep(life.state, life.effects, .tracking(shift: shift.number))
}

extension OpenShift {
  /// This shift, tracked by `device` from its employee's confirmation on, under what a clock-in
  /// fixes. A confirmation from a moment before the opening counts at the start.
  fileprivate func confirmed(
    on device: Int16, at instant: Instant, _ report: PermissionReport?, policy: Policy
  ) -> OpenShift {
    let at = max(instant, startedAt)
    // A policy may have become shorter than what is already over.
    let longest = startedAt + policy.shiftMax > at ? policy.shiftMax : shiftMax
    var shift = OpenShift(
      number: number, device: device, startedAt: startedAt, shiftMax: longest,
      breakMax: policy.breakMax, report: report, takenOverAt: at, plannedEnd: plannedEnd,
      askedFrom: at, openedBy: openedBy)
    shift.reportMarks = nil
    return shift
  }
}

/// A shift opens without a phone. The employee is notified at once.
func stepOpened(
  _ state: GuardState, at: Instant, by opening: ShiftOpening, confirmBy: Instant?, policy: Policy,
  now: Instant
) -> GuardStep {
  if let open = state.shift { return GuardStep(state, .alreadyOpen(shift: open.number)) }
  var next = state
  next.lastShift += 1
  let shift = OpenShift(
    number: next.lastShift, device: nil, startedAt: at, shiftMax: policy.shiftMax,
    breakMax: policy.breakMax, report: nil, openedBy: opening, confirmBy: confirmBy)
  next.shift = shift
  return GuardStep(
    next,
    [
      .shiftStarted(shift, Decision([], under: policy.severities), nil),
      .notify(.opened(shift.number, by: opening, dueAt: now)),
    ],
    .waiting(shift: shift.number))
}

/// It ends the waiting shift at that time, but not before it has begun.
func stepDecline(_ state: GuardState, at: Instant, now: Instant) -> GuardStep {
  guard let shift = state.shift, shift.waitsForConfirmation else {
    return GuardStep(state, .noWaitingShift)
  }
  return end(
    state, shift, at: max(at, shift.startedAt + .milliseconds(1)), by: .declined, now: now)
}

extension Override {
  /// A manager's override is always valid; a self-override if the policy allows it.
  func isAllowed(by policy: Policy) -> Bool {
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
  // Nobody confirmed that work began, so its manager reviews it.
  if shift.waitsForConfirmation { return step }
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
    if !shift.isReminded, !shift.waitsForConfirmation {
      due = min(due, shift.reminderAt(under: policy))
    }
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
  if !shift.isReminded, !shift.waitsForConfirmation, now >= shift.reminderAt(under: policy) {
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
