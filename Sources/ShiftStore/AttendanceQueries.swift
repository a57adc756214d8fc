import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables planned_shift, absence, shift and clock_action: whether employees came to their planned
// shifts.

/// A planned shift, with everything that decides whether its employee has come.
package struct PlannedAttendance: Hashable, Sendable {
  package var plannedShift: PlannedShift
  package var records: AttendanceRecords
  /// Those of the policy of the employee's team now.
  package var limits: AttendanceLimits
  package var isLateNotified: Bool
  package var isNoShowNotified: Bool

  package func attendance(at now: Instant) -> Attendance {
    GuardRules.attendance(records, under: limits, now: now)
  }
}

/// The planned shifts of `employees` that intersect `span`, by employee and start.
package func plannedAttendances(
  of employees: [EmployeeID], in span: Interval, on session: inout Session
) throws(PostgresError) -> [PlannedAttendance] {
  var reading = AttendanceReading(of: employees, in: span)
  try session.run(&reading)
  return reading.attendances
}

/// Reads the planned shifts of employees that intersect a span.
package struct AttendanceReading: Reading {
  package let statements: [SQL]
  private let span: Interval
  private var all: [PlannedAttendance] = []
  private var shifts: [EmployeeID: [AttendedShift]] = [:]
  private var attempts: [EmployeeID: [ClockInAttempt]] = [:]

  /// - Parameter now: If the span begins later, nobody has come yet, and only what is planned is
  ///   read.
  package init(of employees: [EmployeeID], in span: Interval, asOf now: Instant? = nil) {
    self.span = span
    guard !employees.isEmpty else {
      statements = []
      return
    }
    let planned = selectPlannedAttendances(of: employees, around: span)
    guard now.map({ span.start <= $0 }) ?? true else {
      statements = [planned]
      return
    }
    statements = [
      planned, selectAttendedShifts(of: employees, around: span),
      selectClockInAttempts(of: employees, around: span),
    ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    guard position > 0 else {
      all = try rows.map(PlannedAttendance.init(from:))
      return
    }
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      if position == 1 {
        shifts[employee, default: []].append(try AttendedShift(from: &row))
      } else {
        attempts[employee, default: []].append(
          ClockInAttempt(at: try row.next(), isKept: try row.next()))
      }
    }
  }

  /// By employee and start.
  package var attendances: [PlannedAttendance] {
    let spans = Dictionary(grouping: all) { $0.plannedShift.employee }
      .mapValues { $0.map(\.plannedShift.span) }
    return all.compactMap { one in
      let (employee, own) = (one.plannedShift.employee, one.plannedShift.span)
      guard own.overlaps(span) else { return nil }
      var one = one
      one.records.others = (spans[employee] ?? []).filter { $0 != own }
      one.records.shifts = shifts[employee] ?? []
      one.records.attempts = attempts[employee] ?? []
      return one
    }
  }
}

/// With the other planned shifts that may be the plan of a clock-in for one of these: such a
/// clock-in is at most 12 hours before the start of its plan, and not after its end.
func selectPlannedAttendances(of employees: [EmployeeID], around span: Interval) -> SQL {
  """
  SELECT \(fragment: PlannedShift.columns), planned.created_at, planned.late_at IS NOT NULL,
    planned.no_show_at IS NOT NULL, absence.absence_id IS NOT NULL, policy.late_after_ms,
    policy.no_show_after_ms
  FROM \(fragment: plannedUnderPolicy)
  LEFT JOIN absence ON \(fragment: isStartInAbsence)
  WHERE planned.employee_id = ANY (\(employees.map(\.rawValue)))
    AND planned.starts_at < \(span.end + .hours(36))
    AND planned.ends_at > \(span.start - .hours(48))
    AND planned.starts_at > \(span.start - .hours(48) - PlannedShift.lengthMax)
  ORDER BY planned.employee_id, planned.starts_at
  """
}

func selectAttendedShifts(of employees: [EmployeeID], around span: Interval) -> SQL {
  // No shift is longer than a day.
  """
  SELECT employee_id, started_at, ended_at,
    coalesce(ended_by = \(ShiftEnding.declined.column), false),
    opened_by = \(ShiftOpening.plan.column) AND device_no IS NULL
  FROM shift
  WHERE employee_id = ANY (\(employees.map(\.rawValue)))
    AND started_at < \(span.end + .hours(36))
    AND started_at >= \(span.start - .hours(60))
    AND coalesce(ended_at > \(span.start - .hours(36)), true)
  ORDER BY employee_id, started_at
  """
}

/// Clock-ins that were blocked or kept for review, also those reviewed since.
func selectClockInAttempts(of employees: [EmployeeID], around span: Interval) -> SQL {
  // A clock action is never later than its receipt.
  """
  SELECT employee_id, at, outcome = \(ClockActionResult.clockInKept.column)
  FROM clock_action
  WHERE employee_id = ANY (\(employees.map(\.rawValue)))
    AND outcome IN (
      \(ClockActionResult.blocked.column), \(ClockActionResult.clockInKept.column))
    AND received_at > \(span.start - .hours(36))
    AND at BETWEEN \(span.start - .hours(36)) AND \(span.end + .hours(36))
  ORDER BY employee_id, at
  """
}

extension PlannedAttendance {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    let plannedShift = try PlannedShift(from: &row)
    var records = AttendanceRecords(planned: plannedShift.span, plannedAt: try row.next())
    let (isLateNotified, isNoShowNotified): (Bool, Bool) = (try row.next(), try row.next())
    records.isAbsent = try row.next()
    self.init(
      plannedShift: plannedShift, records: records,
      limits: AttendanceLimits(lateAfter: try row.next(), noShowAfter: try row.next()),
      isLateNotified: isLateNotified, isNoShowNotified: isNoShowNotified)
  }
}

extension AttendedShift {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(startedAt: try row.next(), endedAt: try row.next())
    let (isDeclined, isUnconfirmed): (Bool, Bool) = (try row.next(), try row.next())
    proof = isDeclined ? .declined : isUnconfirmed ? .none : .clockedIn
  }
}

/// Employees with a planned shift about which managers may have to be notified, the earliest start
/// first; `last` ends the previous page. The rules decide: an attempt to clock in is not looked for
/// here. `now` is the clock of deadlines; `nil`: the database's own.
package func dueMissedShifts(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  try session.run(selectMissedShifts(at: now, after: last, limit: limit))
    .map(DueEmployee.init(from:))
}

func selectMissedShifts(at now: Instant?, after last: DueEmployee?, limit: Int32) -> SQL {
  """
  SELECT planned.employee_id, planned.starts_at
  FROM \(fragment: plannedUnderPolicy) \(fragment: withState)
  WHERE planned.starts_at <= \(statementTime: now)
    -- A shift lasts a day, and nothing is sent longer than an hour after its end.
    AND planned.starts_at > \(statementTime: now) - interval '25 hours'
    AND planned.ends_at > \(statementTime: now) - interval '1 hour'
    AND planned.no_show_at IS NULL AND employee.deactivated_at IS NULL
    AND (policy.late_after_ms > 0 AND planned.late_at IS NULL
        AND planned.ends_at > \(statementTime: now)
        AND greatest(planned.starts_at, planned.created_at)
          + policy.late_after_ms * interval '1 ms' <= \(statementTime: now)
      OR policy.no_show_after_ms > 0
        AND least(planned.ends_at, greatest(planned.starts_at, planned.created_at)
          + policy.no_show_after_ms * interval '1 ms') <= \(statementTime: now))
    AND (state.open_shift IS NULL OR state.open_device IS NULL)
    AND NOT EXISTS (
      SELECT FROM shift
      WHERE shift.employee_id = planned.employee_id AND shift.started_at < planned.ends_at
        AND shift.ended_at > planned.starts_at AND shift.device_no IS NOT NULL)
    AND NOT \(fragment: startsInAbsence)
    AND (\(last?.dueAt) IS NULL OR (planned.starts_at, planned.employee_id)
      > (\(last?.dueAt), \(last?.employee.rawValue)))
  ORDER BY planned.starts_at, planned.employee_id
  LIMIT \(limit)
  """
}

/// Notes that the notification about a missed shift is queued. Affects one row, or none: then
/// another instance has queued it, or the shift was changed.
package func note(_ topic: NotificationTopic, of plannedShift: PlannedShift, at now: Instant) -> SQL
{
  topic == .late
    ? """
    UPDATE planned_shift SET late_at = \(now)
    WHERE employee_id = \(plannedShift.employee.rawValue)
      AND planned_shift_id = \(plannedShift.id) AND starts_at = \(plannedShift.span.start)
      AND late_at IS NULL AND no_show_at IS NULL
    """
    : """
    UPDATE planned_shift SET no_show_at = \(now)
    WHERE employee_id = \(plannedShift.employee.rawValue)
      AND planned_shift_id = \(plannedShift.id) AND starts_at = \(plannedShift.span.start)
      AND no_show_at IS NULL
    """
}

/// When the planned shift ends that a shift belongs to.
package func plannedEnd(of shift: ShiftID, on session: inout Session) throws(PostgresError)
  -> Instant?
{
  try session.run(selectPlannedEnd(of: shift)).first { (row) throws(PostgresError) in
    try row.next()
  }
}

func selectPlannedEnd(of shift: ShiftID) -> SQL {
  """
  SELECT planned.ends_at
  FROM (
    SELECT coalesce(original_started_at, started_at) AS at FROM shift
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)) AS begun
  JOIN planned_shift AS planned ON planned.employee_id = \(shift.employee.rawValue)
    AND \(fragment: nearestPlanOfBegun)
  """
}
