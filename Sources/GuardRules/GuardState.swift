public import ShiftDomain

/// All that the rules must remember of an employee between two events.
public struct GuardState: Hashable, Sendable {
  /// The open shift; `nil` off shift.
  public var shift: OpenShift?
  // INVARIANT: at most one for each dimension, and none without a shift.
  /// The open incidents of the tracking device.
  public var incidents: [OpenIncident]
  /// The number of the newest shift; 0 before the first.
  public var lastShift: Int32
  /// The number of the newest incident; 0 before the first.
  public var lastIncident: Int32
  /// The newest shift that ended at the limit, while its true end is not known.
  public var unconfirmed: EndedShift?

  /// A state; by default that of an employee who never worked.
  public init(
    shift: OpenShift? = nil, incidents: [OpenIncident] = [], lastShift: Int32 = 0,
    lastIncident: Int32 = 0, unconfirmed: EndedShift? = nil
  ) {
    self.shift = shift
    self.incidents = incidents
    self.lastShift = lastShift
    self.lastIncident = lastIncident
    self.unconfirmed = unconfirmed
  }

  /// Whether an open incident keeps the tracking device from being located.
  public var cannotLocate: Bool { incidents.contains { $0.kind.cannotLocate } }

  /// The open incident of `dimension`.
  public subscript(dimension: Dimension) -> OpenIncident? {
    incidents.first { $0.kind.dimension == dimension }
  }
}

/// A shift that has not ended.
public struct OpenShift: Hashable, Sendable {
  /// Its number within the employee.
  public var number: Int32
  /// The tracking device: only its reports move incidents, only its fixes count.
  public var device: Int16
  /// When it began.
  public var startedAt: Instant
  /// How long it may last, by the policy that it began under.
  public var shiftMax: TimeSpan
  /// The longest break before the employee is asked, by the same policy.
  public var breakMax: TimeSpan
  /// The tracking device's report in force; `nil` when it cannot report or never did.
  public var report: PermissionReport?
  /// What the tracking device has said so far.
  public var known: KnownState
  /// The newest break; `nil` before the first.
  public var latestBreak: ShiftBreak?
  /// When `device` took over; `nil` when the shift began on it.
  public var takenOverAt: Instant?
  /// Whether the employee was asked if clocking out was forgotten.
  public var isReminded: Bool
  /// The newest flickers.
  public var flickers: FlickerBurst
  /// When it is to end, by the plan that it belongs to; `nil`: it is not planned.
  public var plannedEnd: Instant?
  /// Since when the tracking device cannot be located, whatever keeps it from that by now; `nil`
  /// while it can be, and once a break came in between.
  public var unlocatableSince: Instant?
  /// Since when the tracking device can be located again; `nil` when it always could be.
  public var locatableSince: Instant?
  /// When a manager accepted its clock-in in review. Before that, no phone was asked to track and
  /// no incident begins. `nil`: a phone was asked from the start.
  public var askedFrom: Instant?

  /// An open shift; by default one without a break or a take-over so far.
  public init(
    number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(16),
    breakMax: TimeSpan = .hours(2), report: PermissionReport?, known: KnownState? = nil,
    latestBreak: ShiftBreak? = nil,
    takenOverAt: Instant? = nil,
    isReminded: Bool = false,
    flickers: FlickerBurst = FlickerBurst(), plannedEnd: Instant? = nil,
    unlocatableSince: Instant? = nil, locatableSince: Instant? = nil, askedFrom: Instant? = nil
  ) {
    self.number = number
    self.device = device
    self.startedAt = startedAt
    self.shiftMax = shiftMax
    self.breakMax = breakMax
    self.report = report
    self.known = known ?? KnownState(report)
    self.latestBreak = latestBreak
    self.takenOverAt = takenOverAt
    self.isReminded = isReminded
    self.flickers = flickers
    self.plannedEnd = plannedEnd
    self.unlocatableSince = unlocatableSince
    self.locatableSince = locatableSince
    self.askedFrom = askedFrom
  }

  /// When the employee is asked whether clocking out was forgotten.
  func reminderAt(under policy: Policy) -> Instant {
    plannedEnd.map { $0 + reminderAfterPlan } ?? startedAt + policy.reminderAfter
  }

  /// When the shift ends by itself.
  public var limit: Instant { startedAt + shiftMax }

  /// Whether the employee is on a break.
  public var isOnBreak: Bool {
    guard let latestBreak else { return false }
    return latestBreak.endedAt == nil
  }
}

/// A break within a shift.
public struct ShiftBreak: Hashable, Sendable {
  /// Its number within the shift, from 1.
  public var number: Int16
  /// When it began.
  public var startedAt: Instant
  /// When it ended; `nil` while it is on.
  public var endedAt: Instant?
  /// Whether the employee was asked why it lasts so long.
  public var isAsked: Bool

  /// A break.
  public init(number: Int16, startedAt: Instant, endedAt: Instant? = nil, isAsked: Bool = false) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.isAsked = isAsked
  }
}

/// A shift that ended.
public struct EndedShift: Hashable, Sendable {
  /// Its number within the employee.
  public var number: Int32
  /// When it began.
  public var startedAt: Instant
  /// When it ended.
  public var endedAt: Instant

  /// An ended shift.
  public init(number: Int32, startedAt: Instant, endedAt: Instant) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
  }
}

/// An incident that has not ended.
public struct OpenIncident: Hashable, Sendable {
  /// Its number within the employee.
  public var number: Int32
  /// What it is about now; follows the state while the incident stays open.
  public var kind: IncidentKind
  /// When it began, seen from the shift.
  public var origin: IncidentOrigin
  /// Since when it holds.
  public var openedAt: Instant
  /// Until when a restoration makes it a flicker. Server time.
  public var debouncedUntil: Instant
  /// When the newest message about it is due; `nil` when nobody is to be told. Server time.
  public var noticeDueAt: Instant?
  /// How many messages about it were queued so far.
  public var notices: Int16
  /// The kind that the employee knew of before the newest message: accepted at clock-in, or told
  /// earlier. `nil` before anything was.
  public var toldKind: IncidentKind?
  /// Whether a message about it was due before the newest one was queued.
  public var wasToldBefore: Bool

  /// An open incident.
  public init(
    number: Int32, kind: IncidentKind, origin: IncidentOrigin, openedAt: Instant,
    debouncedUntil: Instant, noticeDueAt: Instant?, notices: Int16 = 0,
    toldKind: IncidentKind? = nil, wasToldBefore: Bool = false
  ) {
    self.number = number
    self.kind = kind
    self.origin = origin
    self.openedAt = openedAt
    self.debouncedUntil = debouncedUntil
    self.noticeDueAt = noticeDueAt
    self.notices = notices
    self.toldKind = toldKind
    self.wasToldBefore = wasToldBefore
  }
}
