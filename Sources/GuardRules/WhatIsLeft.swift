import ShiftDomain

// What an employee is told when a notified incident closes: that tracking has resumed, only if
// nothing else prevents locating the phone and no other notified incident is left.

/// The worst remaining impairment of an employee, whatever its origin: one that prevents locating
/// the phone, or a notified one. `nil` if there is none.
/// - Parameter now: What was due by this time counts as notified.
public func worstLeft(in state: GuardState, at now: Instant) -> IncidentKind? {
  let open = state.incidents.filter { $0.kind.cannotLocate || $0.wasNotified(by: now) }.map {
    $0.kind
  }
  // On a break there are no new incidents, although the phone may be impossible to locate.
  let known = Dimension.reported.compactMap { dimension -> IncidentKind? in
    guard case .impaired(let kind)? = state.shift?.known.state.reading(of: dimension),
      kind.cannotLocate
    else { return nil }
    return kind
  }
  return (open + known).min { $0.placeAmongLeft < $1.placeAmongLeft }
}

/// Until when the notification about what is left waits for its debounce; `nil` if it does not.
public func debounceOfWhatIsLeft(in state: GuardState, at now: Instant) -> Instant? {
  guard let kind = worstLeft(in: state, at: now),
    let dueAt = state[kind.dimension]?.notificationDueAt, now < dueAt
  else { return nil }
  return dueAt
}

extension IncidentKind {
  /// Its place among what is left, the worst first: what prevents locating in the order of remedy,
  /// then what else prevents positions, then what only makes them worse.
  var placeAmongLeft: Int {
    switch self {
    case .restricted: 0
    case .servicesOff: 1
    case .denied: 2
    case .notDetermined: 3
    case .noContact: 4
    case .noFix: 5
    case .appTerminated: 6
    case .mockLocation: 7
    case .accuracyReduced: 8
    case .whenInUse: 9
    }
  }
}
