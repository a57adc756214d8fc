public import ShiftDomain

public enum GuardEvent: Hashable, Sendable {
  case report(PermissionReport, device: Int16)
  /// The reports of one upload, in their order: what was true between them is recorded, and what
  /// holds at the end is told.
  case reports([PermissionReport], device: Int16)
  /// A report that says nothing about the present: it can explain a silence, and notifies nobody.
  case history(PermissionReport, device: Int16)
  /// An employee clocks in with these facts about the device, where, and for which planned shift.
  /// The override serves this once.
  case clockIn(
    device: Int16, at: Instant, Evidence, Override? = nil, given: PlaceAndPlan = PlaceAndPlan())
  /// A manager accepted the clock-in of the shift: tracking begins now, with the tracking device's
  /// newest report.
  case accepted(PermissionReport?)
  case clockOut(at: Instant, by: ShiftEnding = .employee)
  /// A manager or a plan opens a shift, which waits for the employee's clock-in to confirm it:
  /// until `confirmBy`, or until its limit.
  case opened(at: Instant, by: ShiftOpening, confirmBy: Instant? = nil)
  /// The employee declines the shift that waits for confirmation.
  case decline(at: Instant)
  case breakStart(at: Instant)
  case breakEnd(at: Instant)
  /// Another device continues tracking from `at`. The report is its newest one; values that it
  /// leaves unknown come from the reports before it. `nil` without a report.
  case takeOver(device: Int16, at: Instant, PermissionReport?)
  /// No contact (`noContact`) or position (`noFix`) from the tracking device for too long.
  case silence(SilenceKind, device: Int16, since: Instant)
  /// The tracking device had contact, or was located, again.
  case signOfLife(SilenceKind, device: Int16, at: Instant)
  /// Something older that came late says that the silence began at another time; `nil`: not at all.
  case silenceMoved(SilenceKind, device: Int16, to: Instant?)
  case startMoved(to: Instant)
  /// A manager corrected the breaks of the open shift, whose latest is this; `nil`: it has none.
  case breaksCorrected(latest: ShiftBreak?)
  /// Something late changed what was; the shift may be a closed one.
  case recounted(Recount)
  /// The confirmed end of a shift that had ended at the limit.
  case endConfirmed(shift: Int32, at: Instant)
  case time
}

public enum SilenceKind: Hashable, Sendable {
  case noContact
  case noFix

  public var incident: IncidentKind {
    switch self {
    case .noContact: .noContact
    case .noFix: .noFix
    }
  }
}

/// What the caller must do now; the rules have no side effects.
public enum GuardEffect: Hashable, Sendable {
  /// A shift began under this decision, and under this override if one was needed. One that waits
  /// for confirmation has no decision yet.
  case shiftStarted(OpenShift, Decision, Override?)
  /// The employee confirmed a shift that a manager or a plan had opened, by a clock-in.
  case shiftConfirmed(OpenShift, Decision, Override?)
  /// Nothing recorded from then on is kept. Also the new end of a shift that ended at the limit.
  case shiftEnded(Int32, at: Instant, by: ShiftEnding)
  /// A manager set the open shift's start: earlier positions and breaks are not kept.
  case shiftStartMoved(Int32, to: Instant)
  /// A break started: nothing recorded from then on is kept.
  case breakStarted(shift: Int32, at: Instant)
  case breakEnded(shift: Int32, at: Instant)
  case tookOver(shift: Int32, device: Int16, at: Instant)
  /// - after: The kind of the incident of its episode that closed at the same instant; `nil`: it is
  ///   the first.
  case incidentOpened(OpenIncident, after: IncidentKind? = nil)
  case incidentClosed(Int32, at: Instant, IncidentClosing)
  /// An incident is new in the past, or has other times than before.
  case incidentRecorded(RecordedIncident, shift: Int32)
  /// It has no time left.
  case incidentWithdrawn(Int32)
  /// A past silence of the device around `at` has an explanation: `kind`.
  case silenceExplained(IncidentKind, device: Int16, at: Instant)
  case notify(ShiftNotification)
  /// The pending notification has another kind: the state at the end of the debounce counts.
  case amendNotification(ShiftNotification)
  case cancelNotification(episode: Int32, ordinal: Int16)
}

public enum GuardAnswer: Hashable, Sendable {
  /// The report is the current state of the tracking device.
  case reportInForce
  /// The report is older than the one in force: history only.
  case reportLate
  /// No shift is open, or another device tracks it: only stored as the device's newest report.
  case reportNoted
  case clockedIn(shift: Int32, Decision)
  case alreadyOpen(shift: Int32)
  case openElsewhere(shift: Int32, device: Int16)
  case blocked(Decision)
  case clockedOut(shift: Int32)
  case noOpenShift
  /// The shift waits for the employee's confirmation.
  case waiting(shift: Int32)
  case noWaitingShift
  case endsBeforeStart(shift: Int32)
  case onBreak(shift: Int32)
  case backAtWork(shift: Int32)
  case notOnBreak(shift: Int32)
  /// It is before the shift, inside an ended break, or before the last take-over.
  case outOfOrder(shift: Int32)
  /// This device tracks the shift, from now on or already before.
  case tracking(shift: Int32)
  /// Accepted, without a special answer.
  case noted
}

public struct GuardStep: Hashable, Sendable {
  public var state: GuardState
  /// What to do, in order.
  public var effects: [GuardEffect]
  public var answer: GuardAnswer

  public init(state: GuardState, effects: [GuardEffect], answer: GuardAnswer) {
    self.state = state
    self.effects = effects
    self.answer = answer
  }

  /// The shift that its tracking device does not track any more, or not for now: a silence that is
  /// not noticed yet ends with it.
  public var leftShift: Int32? {
    effects.lazy.compactMap { effect in
      switch effect {
      case .breakStarted(let shift, _), .tookOver(let shift, _, _), .shiftEnded(let shift, _, _):
        shift
      default: nil
      }
    }.first
  }

  /// Whether the phone is asked for a fix at once: tracking resumes unimpaired, outside a break.
  public var wantsFixNow: Bool {
    guard let shift = state.shift, !shift.isOnBreak, !state.cannotLocate else { return false }
    return effects.contains { effect in
      switch effect {
      case .incidentClosed(_, _, .restored), .incidentClosed(_, _, .resumed),
        .incidentClosed(_, _, .flicker):
        true
      // From denied to while-in-use, the phone can be located again.
      case .incidentOpened(let incident, after: let kind?):
        kind.cannotLocate && !incident.kind.cannotLocate
      case .breakEnded, .tookOver: true
      default: false
      }
    }
  }
}
