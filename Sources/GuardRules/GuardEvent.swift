public import ShiftDomain

/// Something that happened to an employee's shift.
public enum GuardEvent: Hashable, Sendable {
  /// A device reported its permission.
  case report(PermissionReport, device: Int16)
  /// A device reported what held before another report of the same upload: it can explain a
  /// silence, and alarms nobody.
  case history(PermissionReport, device: Int16)
  /// An employee wants to begin work at `at`, and this is known of the device. The override, if
  /// there is one, serves this once.
  case clockIn(device: Int16, at: Instant, Evidence, Override? = nil)
  /// Work ended at `at`.
  case clockOut(at: Instant, by: ShiftEnding = .employee)
  /// A break began at `at`.
  case breakStart(at: Instant)
  /// The break ended at `at`.
  case breakEnd(at: Instant)
  /// Another device continues tracking from `at`. The report is its newest one; values that it
  /// leaves unknown come from the reports before it. `nil` without a report.
  case takeOver(device: Int16, at: Instant, PermissionReport?)
  /// Nothing (`noContact`), or no position (`noFix`), came from the tracking device, and since
  /// `since` that is too long.
  case silence(SilenceKind, device: Int16, since: Instant)
  /// The tracking device was heard of, or located, again.
  case signOfLife(SilenceKind, device: Int16, at: Instant)
  /// A manager set the open shift's start.
  case startMoved(to: Instant)
  /// The end of a shift that ended at the limit was really at `at`.
  case endConfirmed(shift: Int32, at: Instant)
  /// Nothing but time passed.
  case time
}

/// How a phone can be silent.
public enum SilenceKind: Hashable, Sendable {
  /// Nothing is heard of it.
  case noContact
  /// It speaks but has no position.
  case noFix

  /// The incident it is.
  public var incident: IncidentKind {
    switch self {
    case .noContact: .noContact
    case .noFix: .noFix
    }
  }
}

/// What somebody else must now do; the rules only say it.
public enum GuardEffect: Hashable, Sendable {
  /// A shift began under this decision; by this override where one was needed.
  case shiftStarted(OpenShift, Decision, Override?)
  /// The shift of this number ended: nothing recorded from then on is kept. Also the new end of one
  /// that had ended at the limit.
  case shiftEnded(Int32, at: Instant, by: ShiftEnding)
  /// The open shift's start was set by a manager: nothing from before is kept, positions or breaks.
  case shiftStartMoved(Int32, to: Instant)
  /// A break began: nothing recorded from then on is kept.
  case breakStarted(shift: Int32, at: Instant)
  /// The open break ended.
  case breakEnded(shift: Int32, at: Instant)
  /// Another device tracks from then on.
  case tookOver(shift: Int32, device: Int16, at: Instant)
  /// An incident began.
  case incidentOpened(OpenIncident)
  /// An open incident has another kind since `at`; a worse one is stamped.
  case incidentChanged(OpenIncident, at: Instant, worsened: Bool)
  /// The incident of this number ended.
  case incidentClosed(Int32, at: Instant, IncidentClosing)
  /// A past silence of the device around `at` is explained: it was `kind`.
  case silenceExplained(IncidentKind, device: Int16, at: Instant)
  /// Somebody is to be told.
  case notify(Notice)
  /// The newest message about an incident still waiting is about something else now: the state at
  /// the end of the debounce counts.
  case amendNotice(Notice)
  /// The newest message about an incident is still waiting and is not to be sent.
  case cancelNotice(incident: Int32, ordinal: Int16)
}

/// What the caller is told.
public enum GuardAnswer: Hashable, Sendable {
  /// The report is the tracking device's present.
  case reportInForce
  /// The report is older than the one in force: history only.
  case reportLate
  /// No shift is open, or another device tracks it: newest report of the device, nothing more.
  case reportNoted
  /// Work began.
  case clockedIn(shift: Int32, Decision)
  /// A shift is already open on this device.
  case alreadyOpen(shift: Int32)
  /// A shift is open on another device.
  case openElsewhere(shift: Int32, device: Int16)
  /// The rules refuse.
  case blocked(Decision)
  /// Work ended.
  case clockedOut(shift: Int32)
  /// There is no open shift.
  case noOpenShift
  /// The end lies before the beginning.
  case endsBeforeStart(shift: Int32)
  /// A break began, or was on already.
  case onBreak(shift: Int32)
  /// The break ended.
  case backAtWork(shift: Int32)
  /// There is no break to end.
  case notOnBreak(shift: Int32)
  /// It lies before what happened already: before the shift, inside an ended break, before the last
  /// take-over.
  case outOfOrder(shift: Int32)
  /// This device tracks the shift, from now on or already.
  case tracking(shift: Int32)
  /// Taken in; there is nothing to tell.
  case noted
}

/// A state, what follows from an event, and what the caller is told.
public struct GuardStep: Hashable, Sendable {
  /// The state after the event.
  public var state: GuardState
  /// What to do, in order.
  public var effects: [GuardEffect]
  /// What the caller is told.
  public var answer: GuardAnswer

  /// A step.
  public init(state: GuardState, effects: [GuardEffect], answer: GuardAnswer) {
    self.state = state
    self.effects = effects
    self.answer = answer
  }

  /// Whether the phone is asked for a fix at once: tracking goes on, with nothing in its way in any
  /// dimension. Not while the employee rests, for then no fix is kept.
  public var wantsFixNow: Bool {
    guard let shift = state.shift, !shift.isOnBreak, !state.cannotLocate else { return false }
    return effects.contains { effect in
      switch effect {
      case .incidentClosed(_, _, .restored), .incidentClosed(_, _, .flicker): true
      // Denied to while-in-use: the incident goes on, and yet the phone can be located again.
      case .incidentChanged(let incident, _, worsened: false): !incident.kind.cannotLocate
      case .breakEnded, .tookOver: true
      default: false
      }
    }
  }
}
