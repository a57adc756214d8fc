public import ShiftDomain

/// Something that happened to an employee's shift.
public enum GuardEvent: Hashable, Sendable {
  /// A device reported its permission.
  case report(PermissionReport, device: Int16)
  /// An employee wants to begin work at `at`, and this is known of the device.
  case clockIn(device: Int16, at: Instant, Evidence)
  /// An employee ended work at `at`.
  case clockOut(at: Instant)
}

/// What somebody else must now do; the rules only say it.
public enum GuardEffect: Hashable, Sendable {
  /// A shift began under this decision.
  case shiftStarted(OpenShift, Decision)
  /// The shift of this number ended.
  case shiftEnded(Int32, at: Instant)
  /// An incident began.
  case incidentOpened(OpenIncident)
  /// An open incident has another kind since `at`; a worse one is stamped.
  case incidentChanged(OpenIncident, at: Instant, worsened: Bool)
  /// The incident of this number ended.
  case incidentClosed(Int32, at: Instant, IncidentClosing)
  /// The employee is to be told.
  case notify(Notice)
  /// The newest message about an incident still waiting is about something else now: the state at
  /// the end of the debounce counts.
  case amendNotice(Notice)
  /// The newest message about an incident is still waiting and is not to be sent.
  case cancelNotice(incident: Int32, ordinal: Int16)
}

/// A message about an incident.
public struct Notice: Hashable, Sendable {
  /// The incident's number.
  public var incident: Int32
  /// Its place among the messages about that incident, from 1: with the incident, its key.
  public var ordinal: Int16
  /// What it is about at the time of queueing.
  public var kind: IncidentKind
  /// When it may be sent: at the end of the debounce. Server time.
  public var dueAt: Instant
  /// Whether tracking is lost, or may not go on under the policy.
  public var isUrgent: Bool

  /// A message.
  public init(
    incident: Int32, ordinal: Int16, kind: IncidentKind, dueAt: Instant, isUrgent: Bool
  ) {
    self.incident = incident
    self.ordinal = ordinal
    self.kind = kind
    self.dueAt = dueAt
    self.isUrgent = isUrgent
  }
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
  /// There is no open shift to end.
  case noOpenShift
  /// The end lies before the beginning.
  case endsBeforeStart(shift: Int32)
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

  /// Whether a restoration asks the phone for a fix at once.
  public var wantsFixNow: Bool {
    effects.contains { effect in
      switch effect {
      case .incidentClosed(_, _, .restored), .incidentClosed(_, _, .flicker): true
      // Denied to while-in-use: the incident goes on, and yet the phone can be located again.
      case .incidentChanged(let incident, _, worsened: false): !incident.kind.cannotLocate
      default: false
      }
    }
  }
}
