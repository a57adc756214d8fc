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

  /// A state; by default that of an employee who never worked.
  public init(
    shift: OpenShift? = nil, incidents: [OpenIncident] = [], lastShift: Int32 = 0,
    lastIncident: Int32 = 0
  ) {
    self.shift = shift
    self.incidents = incidents
    self.lastShift = lastShift
    self.lastIncident = lastIncident
  }

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
  /// The tracking device's report in force; `nil` when it cannot report or never did.
  public var report: PermissionReport?

  /// An open shift.
  public init(number: Int32, device: Int16, startedAt: Instant, report: PermissionReport?) {
    self.number = number
    self.device = device
    self.startedAt = startedAt
    self.report = report
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

  /// An open incident.
  public init(
    number: Int32, kind: IncidentKind, origin: IncidentOrigin, openedAt: Instant,
    debouncedUntil: Instant, noticeDueAt: Instant?, notices: Int16 = 0,
    toldKind: IncidentKind? = nil
  ) {
    self.number = number
    self.kind = kind
    self.origin = origin
    self.openedAt = openedAt
    self.debouncedUntil = debouncedUntil
    self.noticeDueAt = noticeDueAt
    self.notices = notices
    self.toldKind = toldKind
  }
}
