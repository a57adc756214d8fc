public import ShiftDomain

/// Whether the problem of `notification` holds for an employee in `state`. `isReviewed`: a clock
/// action needs no review any more, an override serves no more, or a time away is over.
/// `attendance`: of its planned shift; `nil`: that does not exist any more. `isLocated`: the
/// tracking device has sent a position since its take-over. `isHidden`: it is a page out of view.
/// What was due by `now` counts as notified.
public func cause(
  of notification: ShiftNotification, in state: GuardState, isReviewed: Bool,
  attendance: Attendance? = nil, isLocated: Bool = false, isHidden: Bool = false, at now: Instant
) -> Cause {
  switch notification.topic {
  case .incident: return causeOfAlarm(notification, in: state)
  case .unstable: return state.shift == nil ? .ended(.shiftEnded) : .holds(notification.kind)
  case .restored:
    guard let shift = state.shift else { return .ended(.shiftEnded) }
    // Whatever it was queued about: the notification tells what is left now, and nothing on a
    // break, or before a new device says what holds.
    let rests = shift.isOnBreak || shift.awaitsReport && !isLocated
    return rests ? .rests : .holds(worstLeft(in: state, at: now))
  case .clockOutReminder:
    return state.shift?.number == notification.subject ? .holds(nil) : .ended(.shiftEnded)
  case .longBreak, .pageHidden, .appTookOver:
    guard let shift = state.shift, shift.number == notification.subject else {
      return .ended(.shiftEnded)
    }
    return holds(notification, in: shift, isHidden: isHidden) ? .holds(nil) : .ended(.resolved)
  case .away:
    guard let shift = state.shift, shift.number == notification.subject else {
      return .ended(.shiftEnded)
    }
    // A break ends it, also before that is recorded.
    return isReviewed || shift.isOnBreak ? .ended(.resolved) : .holds(nil)
  case .endedAtLimit:
    return state.unconfirmed?.number == notification.subject ? .holds(nil) : .ended(.resolved)
  case .clockInBlocked, .arrivalBlocked, .clockInAllowed:
    let isClockedIn = state.shift.map { !$0.waitsForConfirmation } ?? false
    return isReviewed || isClockedIn ? .ended(.resolved) : .holds(nil)
  case .late:
    return attendance?.holds(.late) == true
      ? .holds(nil) : .ended(attendance == .noShow ? .superseded : .resolved)
  case .noShow:
    return attendance?.holds(.noShow) == true ? .holds(nil) : .ended(.resolved)
  case .clockActionForReview: return isReviewed ? .ended(.resolved) : .holds(nil)
  case .shiftOpened where notification.opening != .employee:
    // Confirmed, declined or over, it needs no answer any more.
    let isWaiting =
      state.shift?.number == notification.subject && state.shift?.waitsForConfirmation == true
    return isWaiting ? .holds(nil) : .ended(.resolved)
  case .shiftCorrected, .shiftOpened, .shiftAdded, .timesAccepted, .test, .weeklyDigest, .newer:
    return .holds(nil)
  }
}

private func holds(
  _ notification: ShiftNotification, in shift: OpenShift, isHidden: Bool
) -> Bool {
  switch notification.topic {
  case .longBreak: shift.isOnBreak && shift.latestBreak?.number == notification.ordinal
  case .pageHidden: isHidden && !shift.isOnBreak
  default: shift.device == notification.ordinal
  }
}

private func causeOfAlarm(_ notification: ShiftNotification, in state: GuardState) -> Cause {
  guard let shift = state.shift else { return .ended(.shiftEnded) }
  guard let incident = state.incidents.first(where: { $0.episode == notification.subject }) else {
    return .ended(shift.isOnBreak ? .breakStarted : .restored)
  }
  // A manager may ask for what the employee has accepted.
  if incident.isAccepted, !notification.isReminder { return .ended(.restored) }
  // If a newer notification was cancelled again, this one is still to be sent.
  if incident.notificationCount > notification.ordinal, incident.notificationDueAt != nil {
    return .ended(.superseded)
  }
  return shift.isOnBreak ? .rests : .holds(incident.kind)
}

/// Whether two interruptions of a phone are the same for its owner: an iPhone whose location is
/// switched off also reports that the app is denied.
public func isOneCause(_ one: IncidentKind, _ other: IncidentKind, on platform: Platform) -> Bool {
  guard platform == .ios, one.cannotLocate, other.cannotLocate else { return false }
  return (one == .servicesOff) != (other == .servicesOff)
}

extension Policy {
  /// Whether an alarm about `kind` does not wait: it prevents locating, or would block a clock-in.
  public func isUrgent(_ kind: IncidentKind) -> Bool {
    kind.cannotLocate || kind.finding.map { severities[$0] == .block } ?? false
  }
}
