public import ShiftDomain

/// Everything that the rules must remember about an employee between two events.
public struct GuardState: Hashable, Sendable {
  public var shift: OpenShift?
  // INVARIANT: at most one per dimension, and none without a shift.
  public var incidents: [OpenIncident]
  /// The highest number of a shift; 0 before the first. A past shift that a manager adds has it,
  /// too: which shift is the latest, their times say.
  public var lastShift: Int32
  /// The number of the newest incident; 0 before the first.
  public var lastIncident: Int32
  /// The newest shift that ended at the limit, until its true end is confirmed.
  public var unconfirmed: EndedShift?

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

  public var cannotLocate: Bool { incidents.contains { $0.kind.cannotLocate } }

  public subscript(dimension: Dimension) -> OpenIncident? {
    incidents.first { $0.kind.dimension == dimension }
  }
}

public struct OpenShift: Hashable, Sendable {
  public var number: Int32
  /// The tracking device: only its reports move incidents, only its fixes count. `nil`: the shift
  /// waits for the employee's confirmation.
  public var device: Int16?
  public var startedAt: Instant
  /// Its maximum length, from the policy that it began under.
  public var shiftMax: TimeSpan
  /// The length of a break after which the employee is asked, from the same policy.
  public var breakMax: TimeSpan
  /// The tracking device's report in force; `nil` if it cannot report or never did.
  public var report: PermissionReport?
  /// The known values from the tracking device's reports.
  public var known: KnownState
  /// What coverage needs of its reports; `nil`: not known, they must be read.
  public var reportMarks: ReportMarks?
  /// The newest break; `nil` before the first.
  public var latestBreak: ShiftBreak?
  /// When `device` took over, or the employee confirmed the shift on it; `nil` if it began on it.
  public var takenOverAt: Instant?
  /// Whether the employee was asked about a forgotten clock-out.
  public var isReminded: Bool
  public var flickers: FlickerBurst
  public var accepted: AcceptedKinds
  public var notified: NotifiedKinds
  public var plannedEnd: Instant?
  /// Since when the device cannot be located, for any reason; `nil` if it can, or after a break.
  public var unlocatableSince: Instant?
  /// Since when the tracking device can be located again; `nil` if it always could be.
  public var locatableSince: Instant?
  /// When a manager accepted its clock-in in review, or the employee confirmed it. Before that, no
  /// phone was asked to track and no incident begins. `nil`: a phone was asked from the start, or
  /// none yet.
  public var askedFrom: Instant?
  public var openedBy: ShiftOpening
  /// When it ends unless the employee confirms it before: the end of the plan that opened it.
  public var confirmBy: Instant?

  public init(
    number: Int32, device: Int16?, startedAt: Instant, shiftMax: TimeSpan = .hours(16),
    breakMax: TimeSpan = .hours(2), report: PermissionReport?, known: KnownState? = nil,
    latestBreak: ShiftBreak? = nil,
    takenOverAt: Instant? = nil,
    isReminded: Bool = false,
    flickers: FlickerBurst = FlickerBurst(), accepted: AcceptedKinds = AcceptedKinds(),
    notified: NotifiedKinds = NotifiedKinds(), plannedEnd: Instant? = nil,
    unlocatableSince: Instant? = nil, locatableSince: Instant? = nil, askedFrom: Instant? = nil,
    openedBy: ShiftOpening = .employee, confirmBy: Instant? = nil
  ) {
    self.number = number
    self.device = device
    self.startedAt = startedAt
    self.shiftMax = shiftMax
    self.breakMax = breakMax
    self.report = report
    self.known = known ?? KnownState(report)
    reportMarks = ReportMarks(report)
    self.latestBreak = latestBreak
    self.takenOverAt = takenOverAt
    self.isReminded = isReminded
    self.flickers = flickers
    self.accepted = accepted
    self.notified = notified
    self.plannedEnd = plannedEnd
    self.unlocatableSince = unlocatableSince
    self.locatableSince = locatableSince
    self.askedFrom = askedFrom
    self.openedBy = openedBy
    self.confirmBy = confirmBy
  }

  /// When the employee is asked about a forgotten clock-out.
  func reminderAt(under policy: Policy) -> Instant {
    plannedEnd.map { $0 + reminderAfterPlannedEnd } ?? startedAt + policy.reminderAfter
  }

  public var limit: Instant {
    let limit = startedAt + shiftMax
    return waitsForConfirmation ? min(limit, confirmBy ?? limit) : limit
  }

  public var waitsForConfirmation: Bool { device == nil }

  /// Since when a phone tracks it: its start, or its confirmation; `nil` while it waits for that.
  public var trackedFrom: Instant? {
    waitsForConfirmation ? nil : openedBy == .employee ? startedAt : askedFrom
  }

  public var isOnBreak: Bool {
    guard let latestBreak else { return false }
    return latestBreak.endedAt == nil
  }
}

public struct ShiftBreak: Hashable, Sendable {
  /// Its number within the shift, from 1.
  public var number: Int16
  public var startedAt: Instant
  public var endedAt: Instant?
  /// Whether the employee was asked about its length.
  public var isAsked: Bool

  public init(
    number: Int16, startedAt: Instant, endedAt: Instant? = nil, isAsked: Bool = false
  ) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.isAsked = isAsked
  }
}

public struct EndedShift: Hashable, Sendable {
  public var number: Int32
  public var startedAt: Instant
  public var endedAt: Instant

  public init(number: Int32, startedAt: Instant, endedAt: Instant) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
  }
}

/// An incident has one kind from its opening to its close. What replaces it in its dimension at the
/// same instant is the next incident of its episode.
public struct OpenIncident: Hashable, Sendable {
  public var number: Int32
  /// The number of the first incident of its episode, which notifications are about.
  public var episode: Int32
  public var kind: IncidentKind
  public var origin: IncidentOrigin
  public var evidence: IncidentEvidence
  public var openedAt: Instant
  /// Whether it was of an accepted kind, or of a better one, when it opened.
  public var isAccepted: Bool
  /// Until when a restoration makes it a flicker. Server time.
  public var debouncedUntil: Instant
  /// When the newest notification about its episode is due; `nil` if nobody is notified. Server
  /// time.
  public var notificationDueAt: Instant?
  public var notificationCount: Int16
  /// The kind before the newest notification, which was notified or accepted.
  public var notifiedKind: IncidentKind?
  /// Whether an earlier notification was due before the newest one was queued.
  public var wasNotifiedBefore: Bool

  public init(
    number: Int32, episode: Int32? = nil, kind: IncidentKind, origin: IncidentOrigin,
    evidence: IncidentEvidence? = nil, openedAt: Instant, isAccepted: Bool = false,
    debouncedUntil: Instant, notificationDueAt: Instant?, notificationCount: Int16 = 0,
    notifiedKind: IncidentKind? = nil, wasNotifiedBefore: Bool = false
  ) {
    self.number = number
    self.episode = episode ?? number
    self.kind = kind
    self.origin = origin
    self.evidence = evidence ?? (kind.dimension.isReported ? .reported : .inferred)
    self.openedAt = openedAt
    self.isAccepted = isAccepted
    self.debouncedUntil = debouncedUntil
    self.notificationDueAt = notificationDueAt
    self.notificationCount = notificationCount
    self.notifiedKind = notifiedKind
    self.wasNotifiedBefore = wasNotifiedBefore
  }
}
