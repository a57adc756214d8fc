import ShiftDomain

// What an employee hears when an incident closes that somebody was alarmed of: that tracking goes
// on only if nothing else keeps the phone from being located and no other alarm is left.

/// The worst of what is left of an employee's impairments, whatever its origin: what cannot be
/// located, and what else somebody was told of. `nil` when all is well again.
/// - Parameter now: What was due by then was told.
public func worstLeft(in state: GuardState, at now: Instant) -> IncidentKind? {
  let open = state.incidents.filter { $0.kind.cannotLocate || $0.wasTold(by: now) }.map { $0.kind }
  // On a break nothing new is an incident, and yet the phone cannot be located.
  let known = Dimension.reported.compactMap { dimension -> IncidentKind? in
    guard case .impaired(let kind)? = state.shift?.known.state.reading(of: dimension),
      kind.cannotLocate
    else { return nil }
    return kind
  }
  return (open + known).min { $0.placeAmongLeft < $1.placeAmongLeft }
}

/// Until when the message about what is left waits for its debounce; `nil` when it does not.
public func debounceOfWhatIsLeft(in state: GuardState, at now: Instant) -> Instant? {
  guard let kind = worstLeft(in: state, at: now),
    let dueAt = state[kind.dimension]?.noticeDueAt, now < dueAt
  else { return nil }
  return dueAt
}

extension IncidentKind {
  /// Its place among what is left, the worst first: what cannot be located in the order of remedy,
  /// what else keeps positions away, and what only makes them worse.
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
