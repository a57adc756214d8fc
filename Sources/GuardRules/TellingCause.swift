public import ShiftDomain

/// Whether the problem of `notice` holds for an employee in `state`.
/// - Parameters:
///   - isSettled: For a clock action: whether it needs no review any more.
///   - now: What was due by this time counts as notified.
public func cause(
  of notice: Notice, in state: GuardState, isSettled: Bool, at now: Instant
) -> Cause {
  switch notice.topic {
  case .incident: return causeOfAlarm(notice, in: state)
  case .unstable: return state.shift == nil ? .ended(.shiftEnded) : .holds(notice.kind)
  case .restored:
    guard let shift = state.shift else { return .ended(.shiftEnded) }
    // Whatever it was queued about: the notification tells what is left now, and nothing on a
    // break.
    return shift.isOnBreak ? .rests : .holds(worstLeft(in: state, at: now))
  case .clockOutReminder:
    return state.shift?.number == notice.subject ? .holds(nil) : .ended(.shiftEnded)
  case .longBreak:
    guard let shift = state.shift, shift.number == notice.subject else {
      return .ended(.shiftEnded)
    }
    return shift.isOnBreak && shift.latestBreak?.number == notice.ordinal
      ? .holds(nil) : .ended(.settled)
  case .endedAtLimit:
    return state.unconfirmed?.number == notice.subject ? .holds(nil) : .ended(.settled)
  case .clockInBlocked:
    return isSettled || state.shift != nil ? .ended(.settled) : .holds(nil)
  case .attemptForReview: return isSettled ? .ended(.settled) : .holds(nil)
  case .shiftCorrected, .shiftOpened, .test: return .holds(nil)
  }
}

private func causeOfAlarm(_ notice: Notice, in state: GuardState) -> Cause {
  guard let shift = state.shift else { return .ended(.shiftEnded) }
  guard let incident = state.incidents.first(where: { $0.number == notice.subject }) else {
    return .ended(.restored)
  }
  // If a newer notification was cancelled again, this one is still to be sent.
  if incident.notices > notice.ordinal, incident.noticeDueAt != nil { return .ended(.superseded) }
  return shift.isOnBreak ? .rests : .holds(incident.kind)
}

/// Whether two interruptions of a phone are the same for its owner: an iPhone whose location is
/// switched off also reports that the app is denied.
public func isOneCause(_ one: IncidentKind, _ other: IncidentKind, on platform: Platform) -> Bool {
  guard platform == .ios, one.cannotLocate, other.cannotLocate else { return false }
  return (one == .servicesOff) != (other == .servicesOff)
}
