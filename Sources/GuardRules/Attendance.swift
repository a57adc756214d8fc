public import ShiftDomain

/// Whether the employee of a planned shift has come, as far as records show.
public enum Attendance: Hashable, Sendable {
  /// Nothing has been received, and nobody is to be notified of that; `until`: not before then,
  /// `nil`: never.
  case awaited(until: Instant?)
  /// Nothing has been received, for longer than the policy allows.
  case late
  case noShow
  case clockedIn
  /// The employee came, but the clock-in was blocked, or is kept for review.
  case tried(ClockInAttempt)
  /// The employee declined the shift that was opened for the planned one.
  case declined
}

extension Attendance {
  /// Whether a notification with this topic, that an employee is late or has not come, still holds.
  public func holds(_ topic: NotificationTopic) -> Bool {
    switch topic {
    case .late: self == .late
    case .noShow: self == .noShow
    default: false
    }
  }
}

/// A clock-in that opened no shift.
public struct ClockInAttempt: Hashable, Sendable {
  /// The time of the clock action, not of its receipt.
  public var at: Instant
  /// Whether it is kept for review; otherwise it was blocked.
  public var isKept: Bool

  public init(at: Instant, isKept: Bool = false) {
    self.at = at
    self.isKept = isKept
  }
}

/// A shift, as far as it shows whether its employee came.
public struct AttendedShift: Hashable, Sendable {
  public enum Proof: Hashable, Sendable {
    case clockedIn
    /// A plan opened it, and the employee has not confirmed it.
    case none
    case declined
  }

  public var startedAt: Instant
  /// `nil`: it is open.
  public var endedAt: Instant?
  public var proof: Proof

  public init(startedAt: Instant, endedAt: Instant? = nil, proof: Proof = .clockedIn) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.proof = proof
  }
}

/// What decides about the attendance of a planned shift.
public struct AttendanceRecords: Hashable, Sendable {
  public var planned: Interval
  /// When it was planned, or last changed: before that nobody could be late for it.
  public var plannedAt: Instant
  /// The employee's other planned shifts within a day of it.
  public var others: [Interval]
  public var shifts: [AttendedShift]
  public var attempts: [ClockInAttempt]
  /// Whether its start lies in an absence: then nobody is expected.
  public var isAbsent: Bool

  public init(
    planned: Interval, plannedAt: Instant, others: [Interval] = [], shifts: [AttendedShift] = [],
    attempts: [ClockInAttempt] = [], isAbsent: Bool = false
  ) {
    self.planned = planned
    self.plannedAt = plannedAt
    self.others = others
    self.shifts = shifts
    self.attempts = attempts
    self.isAbsent = isAbsent
  }
}

/// What a policy says of an employee who has not come to a planned shift.
public struct AttendanceLimits: Hashable, Sendable {
  /// How long after its start the employee is late; zero: never.
  public var lateAfter: TimeSpan
  /// How long after its start it is a no-show, at its end at the latest; zero: never.
  public var noShowAfter: TimeSpan

  public init(lateAfter: TimeSpan, noShowAfter: TimeSpan) {
    self.lateAfter = lateAfter
    self.noShowAfter = noShowAfter
  }
}

/// Whether the employee has come, and what `limits` say if not. A shift shows it if it intersects
/// the planned one, or if the planned one is its plan; so does an attempt for it, whatever became
/// of it. Whenever it is received, the time of the clock action counts.
public func attendance(_ records: AttendanceRecords, under limits: AttendanceLimits, now: Instant)
  -> Attendance
{
  var isDeclined = false
  for shift in records.shifts where shift.proof != .none && records.isTouched(by: shift, now: now) {
    guard shift.proof == .declined else { return .clockedIn }
    isDeclined = true
  }
  let attempts = records.attempts.filter { records.isPlan(ofClockInAt: $0.at) }
  if let first = attempts.min(by: { $0.at < $1.at }) { return .tried(first) }
  if isDeclined { return .declined }
  let (start, end) = (max(records.planned.start, records.plannedAt), records.planned.end)
  guard start < end, !records.isAbsent else { return .awaited(until: nil) }
  var next: Instant?
  if limits.noShowAfter > .zero {
    let noShowAt = min(start + limits.noShowAfter, end)
    if now >= noShowAt { return .noShow }
    next = noShowAt
  }
  if limits.lateAfter > .zero, now < end {
    let lateAt = start + limits.lateAfter
    if now >= lateAt { return .late }
    if lateAt < end { next = min(next ?? lateAt, lateAt) }
  }
  return .awaited(until: next)
}

extension AttendanceRecords {
  fileprivate func isTouched(by shift: AttendedShift, now: Instant) -> Bool {
    let reaches = shift.endedAt.map { $0 > planned.start } ?? (planned.start <= now)
    return (shift.startedAt < planned.end && reaches) || isPlan(ofClockInAt: shift.startedAt)
  }

  fileprivate func isPlan(ofClockInAt at: Instant) -> Bool {
    // Most clock-ins are too far from it, whatever else is planned.
    guard PlannedSpan(planned).distance(at: at) != nil else { return false }
    return ClockInPlan(planned: [planned] + others).plannedShift(at: at)?.span == planned
  }
}
