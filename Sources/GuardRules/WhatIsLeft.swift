import ShiftDomain

// What an employee is told when a notified incident closes: that tracking has resumed, only if
// nothing else prevents locating the phone and no other notified incident is left.

/// The worst remaining impairment of an employee, whatever its origin: one that prevents locating
/// the phone, or a notified one; what was due by `now` counts as notified. `nil` if there is none.
public func worstLeft(in state: GuardState, at now: Instant) -> IncidentKind? {
  var left = state.incidents.filter { $0.kind.cannotLocate || $0.wasNotified(by: now) }.map {
    $0.kind
  }
  // On a break there are no new incidents, although the phone may be impossible to locate.
  if let loss = state.shift?.known.state.worstLoss { left.append(loss) }
  return left.worst
}

/// Until when the notification about what is left waits for its debounce; `nil` if it does not.
public func debounceOfWhatIsLeft(in state: GuardState, at now: Instant) -> Instant? {
  guard let kind = worstLeft(in: state, at: now),
    let dueAt = state[kind.dimension]?.notificationDueAt, now < dueAt
  else { return nil }
  return dueAt
}
