import ShiftDomain

// Breaks are never guarded. During a break there are no incidents: open ones end when it begins,
// and what still impairs when it ends is an incident from then on. The end of what was notified
// before a break is told after it, if it is over then.

func stepBreakStart(_ state: GuardState, at: Instant, policy: Policy, now: Instant) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noOpenShift) }
  guard !shift.waitsForConfirmation else { return GuardStep(state, .waiting(shift: shift.number)) }
  guard !shift.isOnBreak else { return GuardStep(state, .onBreak(shift: shift.number)) }
  let earliest = max(shift.startedAt, shift.latestBreak?.endedAt ?? shift.startedAt)
  guard at >= earliest, shift.breakNumber < .max else {
    return GuardStep(state, .outOfOrder(shift: shift.number))
  }
  var life = IncidentLife(state, at: at, now: now)
  life.suspend(.breakStarted)
  life.state.shift?.latestBreak = ShiftBreak(number: shift.breakNumber + 1, startedAt: at)
  life.notifyOfEnd(policy: policy)
  return GuardStep(
    life.state, life.effects + [.breakStarted(shift: shift.number, at: at)],
    .onBreak(shift: shift.number))
}

func stepBreakEnd(_ state: GuardState, at: Instant, policy: Policy, now: Instant) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noOpenShift) }
  guard let pause = shift.latestBreak, pause.endedAt == nil else {
    return GuardStep(state, .notOnBreak(shift: shift.number))
  }
  guard at > pause.startedAt else {
    return GuardStep(state, .outOfOrder(shift: shift.number))
  }
  var life = IncidentLife(state, at: at, now: now)
  life.state.shift?.latestBreak?.endedAt = at
  life.follow(shift.known.state, isOnBreak: false, policy: policy)
  return GuardStep(
    life.state, [.breakEnded(shift: shift.number, at: at)] + life.effects,
    .backAtWork(shift: shift.number))
}

/// What ends a break by a correction is working time, but no phone was asked to track before it.
func stepBreaksCorrected(
  _ state: GuardState, latest: ShiftBreak?, policy: Policy, now: Instant
) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noOpenShift) }
  var life = IncidentLife(state, at: now, now: now)
  life.state.shift?.latestBreak = latest
  life.state.shift?.reportMarks = nil
  switch (shift.isOnBreak, life.state.shift?.isOnBreak) {
  case (true, false?): life.follow(shift.known.state, isOnBreak: false, policy: policy)
  case (false, true?): life.suspend(.breakStarted, at: latest?.startedAt)
  default: break
  }
  return GuardStep(life.state, life.effects, .tracking(shift: shift.number))
}

extension OpenShift {
  var breakNumber: Int16 { latestBreak?.number ?? 0 }
}
