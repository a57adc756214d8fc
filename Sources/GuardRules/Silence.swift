public import ShiftDomain

// A phone that says nothing, or says nothing of where it is. Only the watch over all open shifts
// sees silence; a phone cannot report it.

/// When a silence becomes an incident: so long after the last sign that every instant since is
/// without coverage. `nil` while no silence can be one: on a break, and for `noFix` while the phone
/// cannot be located anyway.
/// - Parameters:
///   - kind: Which silence.
///   - state: The employee's state, with an open shift.
///   - lastSign: `noContact`: the last receipt from the tracking device. `noFix`: the last accepted
///     fix. `nil` before the first.
///   - fixAgeMax: How long a fix speaks, by the policy at clock-in.
///   - downtime: How long we ourselves could not listen since the later of the two.
public func silenceDue(
  _ kind: SilenceKind, in state: GuardState, lastSign: Instant?, fixAgeMax: TimeSpan,
  downtime: TimeSpan
) -> Instant? {
  guard let shift = state.shift, !shift.isOnBreak else { return nil }
  if kind == .noFix, state.incidents.contains(where: { $0.kind.cannotLocate }) { return nil }
  return max(lastSign ?? shift.trackedSince, shift.trackedSince) + fixAgeMax + downtime
}

func stepSilence(
  _ state: GuardState, _ kind: SilenceKind, device: Int16, since: Instant, policy: Policy,
  now: Instant
) -> GuardStep {
  guard let shift = state.shift, shift.device == device, !shift.isOnBreak,
    state[kind.incident.dimension] == nil
  else { return GuardStep(state, .noted) }
  if kind == .noFix, state.incidents.contains(where: { $0.kind.cannotLocate }) {
    return GuardStep(state, .noted)
  }
  var life = IncidentLife(state, at: shift.tracked(from: since), now: now)
  life.fallSilent(kind.incident, policy: policy)
  return GuardStep(life.state, life.effects, .noted)
}

func stepSignOfLife(
  _ state: GuardState, _ kind: SilenceKind, device: Int16, at: Instant, policy: Policy, now: Instant
) -> GuardStep {
  guard state.shift?.device == device, let incident = state[kind.incident.dimension] else {
    return GuardStep(state, .noted)
  }
  var life = IncidentLife(state, at: at, now: now)
  life.restore(incident, policy: policy)
  return GuardStep(life.state, life.effects, .noted)
}

extension OpenShift {
  /// Since when the tracking device was to be heard of: clock-in, break end or take-over, whichever
  /// came last.
  public var trackedSince: Instant {
    max(startedAt, latestBreak?.endedAt ?? startedAt, takenOverAt ?? startedAt)
  }
}
