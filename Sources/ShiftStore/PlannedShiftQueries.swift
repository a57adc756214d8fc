import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table planned_shift.

/// Adds planned shifts. Violates `planned_shift_disjoint` if one would overlap another of its
/// employee.
package func insert(_ plannedShifts: [PlannedShift], at now: Instant) -> SQL {
  """
  INSERT INTO planned_shift (
    employee_id, planned_shift_id, starts_at, ends_at, created_by, created_at, sites)
  SELECT employee_id, planned_shift_id, starts_at, ends_at, created_by, \(now), sites::smallint[]
  FROM unnest(\(plannedShifts.map(\.employee.rawValue)), \(plannedShifts.map(\.id)),
    \(plannedShifts.map(\.span.start)), \(plannedShifts.map(\.span.end)),
    \(plannedShifts.map(\.createdBy)), \(plannedShifts.map(\.sitesText)))
    AS item (employee_id, planned_shift_id, starts_at, ends_at, created_by, sites)
  ORDER BY employee_id, starts_at
  """
}

/// - Returns: Its times; `nil` for an unknown planned shift.
package func deletePlannedShift(
  _ id: Int64, of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> Interval? {
  try session.run(deletePlannedShift(id, of: employee)).map(Interval.init(from:)).first
}

func deletePlannedShift(_ id: Int64, of employee: EmployeeID) -> SQL {
  """
  DELETE FROM planned_shift
  WHERE employee_id = \(employee.rawValue) AND planned_shift_id = \(id)
  RETURNING starts_at, ends_at
  """
}

/// Replaces the times and sites of `former`. Affects one row, or none if they have changed
/// meanwhile. Violates `planned_shift_disjoint` if it would overlap another one of its employee.
package func change(_ former: PlannedShift, to changed: PlannedShift, at now: Instant) -> SQL {
  """
  UPDATE planned_shift
  SET starts_at = \(changed.span.start), ends_at = \(changed.span.end),
    created_by = \(changed.createdBy), sites = \(changed.sites),
    created_at = CASE WHEN starts_at = \(changed.span.start) THEN created_at ELSE \(now) END,
    late_at = CASE WHEN starts_at = \(changed.span.start) THEN late_at END,
    no_show_at = CASE WHEN starts_at = \(changed.span.start) THEN no_show_at END
  WHERE employee_id = \(former.employee.rawValue) AND planned_shift_id = \(former.id)
    AND starts_at = \(former.span.start) AND ends_at = \(former.span.end)
    AND sites = \(former.sites)
  """
}

/// Makes planned shifts of a team that name this site name it no longer. Those for which somebody
/// may have clocked in by now go on naming it, and so may one that is planned at the same time: no
/// site gets its number, so it counts for nothing from now on.
package func unname(_ site: Int16, of team: TeamID, at now: Instant) -> SQL {
  """
  UPDATE planned_shift SET sites = array_remove(sites, \(site))
  FROM employee
  WHERE employee.employee_id = planned_shift.employee_id AND employee.team_id = \(team.rawValue)
    AND \(site) = ANY (planned_shift.sites) AND starts_at > \(now + ClockInPlan.ahead)
  """
}

/// Makes the planned shifts of employees who get another team name no sites: numbers of sites count
/// within the team.
/// INVARIANT: after the versions of these employees are increased, which makes planning wait.
package func unnameSites(of employees: [EmployeeID]) -> SQL {
  """
  UPDATE planned_shift SET sites = '{}'
  WHERE employee_id = ANY (\(employees.map(\.rawValue))) AND sites <> '{}'
  """
}

/// A planned shift, and whether it was worked by `now`: a shift that was not declined intersects
/// it. `nil` for an unknown one.
package func plannedShift(
  _ id: Int64, of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> (plannedShift: PlannedShift, isWorked: Bool)? {
  try session.run(selectPlannedShift(id, of: employee, at: now)).first {
    (row) throws(PostgresError) in
    (plannedShift: try PlannedShift(from: &row), isWorked: try row.next())
  }
}

func selectPlannedShift(_ id: Int64, of employee: EmployeeID, at now: Instant) -> SQL {
  """
  SELECT \(fragment: PlannedShift.columns),
    EXISTS (
      SELECT FROM shift
      WHERE shift.employee_id = \(employee.rawValue) AND shift.started_at < planned.ends_at
        AND coalesce(shift.ended_at > planned.starts_at, planned.starts_at <= \(now))
        AND shift.ended_by IS DISTINCT FROM \(ShiftEnding.declined.column))
  FROM planned_shift AS planned
  WHERE employee_id = \(employee.rawValue) AND planned_shift_id = \(id)
  """
}

extension PlannedShift {
  static let columns: StaticString = """
    planned.planned_shift_id, planned.employee_id, planned.starts_at, planned.ends_at,
    planned.created_by, planned.sites
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      id: try row.next(), employee: try row.next(), span: try Interval(from: &row),
      createdBy: try row.next(), sites: try row.next())
  }

  /// As a Postgres array, because Postgres takes no array of arrays of different lengths.
  fileprivate var sitesText: String { "{" + sites.map(String.init).joined(separator: ",") + "}" }
}

package func plannedShifts(
  of employees: [EmployeeID], touching span: Interval, on session: inout Session
) throws(PostgresError) -> [PlannedShift] {
  try session.value(of: plannedShifts(of: employees, touching: span))
}

package func plannedShifts(of employees: [EmployeeID], touching span: Interval)
  -> Query<[PlannedShift]>
{
  Query(
    """
    SELECT \(fragment: PlannedShift.columns) FROM planned_shift AS planned
    WHERE employee_id = ANY (\(employees.map(\.rawValue)))
      AND starts_at < \(span.end) AND ends_at > \(span.start)
      AND starts_at > \(span.start - PlannedShift.lengthMax)
    ORDER BY employee_id, starts_at
    """
  ) { (rows) throws(PostgresError) in try rows.map(PlannedShift.init(from:)) }
}

/// Planned shifts that intersect the times of `filter`, by start and employee.
package func plannedShifts(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [PlannedShift]
{
  try session.run(selectPlannedShifts(filter, limit: limit)).map(PlannedShift.init(from:))
}

func selectPlannedShifts(_ filter: ListFilter, limit: Int32) -> SQL {
  let (employee, after) = (filter.employee?.rawValue, filter.after)
  return """
    SELECT \(fragment: PlannedShift.columns)
    FROM planned_shift AS planned JOIN employee USING (employee_id)
    WHERE \(employeeIn: filter.scope, asked: filter.employee)
      AND (\(employee) IS NULL OR employee_id = \(employee))
      AND (\(filter.from) IS NULL OR planned.ends_at > \(filter.from))
      AND (\(filter.to) IS NULL OR planned.starts_at < \(filter.to))
      AND (\(after?.at) IS NULL
        OR (planned.starts_at, employee_id) > (\(after?.at), \(after?.employee.rawValue)))
    ORDER BY planned.starts_at, employee_id
    LIMIT \(limit)
    """
}

/// What a clock-in of these employees is judged by, at a time of `span`.
/// - Parameter ahead: Also what begins that long after it.
package func clockInPlans(
  of employees: [EmployeeID], at span: ClosedRange<Instant>, ahead: TimeSpan = ClockInPlan.ahead
) -> Query<[EmployeeID: ClockInPlan]> {
  Query(selectClockInPlans(of: employees, at: span, ahead: ahead)) { (rows) throws(PostgresError) in
    var plans = Dictionary(
      employees.map { ($0, ClockInPlan()) }, uniquingKeysWith: { $1 })
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      let (span, sites): (Interval, [Int16]?) = (try Interval(from: &row), try row.next())
      if let sites {
        plans[employee]?.planned.append(PlannedSpan(span, sites: sites))
      } else {
        plans[employee]?.absences.append(span)
      }
    }
    return plans
  }
}

/// The last condition, the order and the limit of a query of an employee's `planned` shifts for the
/// one of a clock-in, which it chooses as `ClockInPlan.plannedShift` does. `instant` is a column.
func nearestPlan(ofClockInAt instant: ShiftFragment) -> ShiftFragment {
  ShiftFragment(
    "planned.ends_at > ", instant, " AND planned.starts_at <= ", instant,
    " + interval '12 hours' ORDER BY abs(extract(epoch FROM planned.starts_at - ", instant,
    ")), planned.starts_at LIMIT 1")
}

/// Of a clock-in whose time is `begun.at`.
let nearestPlanOfBegun = nearestPlan(ofClockInAt: "begun.at")

/// Planned shifts, and absences without sites.
func selectClockInPlans(
  of employees: [EmployeeID], at span: ClosedRange<Instant>, ahead: TimeSpan
) -> SQL {
  let (numbers, last) = (employees.map(\.rawValue), span.upperBound + ahead)
  return """
    SELECT employee_id, starts_at, ends_at, sites FROM planned_shift
    WHERE employee_id \(equalsAny: numbers)
      AND ends_at > \(span.lowerBound) AND starts_at <= \(last)
    UNION ALL
    SELECT employee_id, starts_at, ends_at, NULL FROM absence
    WHERE employee_id \(equalsAny: numbers)
      AND ends_at > \(span.lowerBound) AND starts_at <= \(last)
    ORDER BY employee_id, starts_at
    """
}

package struct PlannedShiftOnDay: Hashable, Sendable {
  package var plannedShift: PlannedShift
  /// Whether some of its time was worked: a shift intersects it.
  package var isBegun: Bool
  /// Whether the team's policy says when an employee is late for it.
  package var isWatched: Bool
  /// Whether its start lies in an absence.
  package var isAbsent: Bool
}

/// The planned shifts that intersect their team's own span, by employee and start.
package func plannedShifts(
  on days: [TeamDay], only employees: [EmployeeID]? = nil
) -> Query<[PlannedShiftOnDay]> {
  let only = employees?.map(\.rawValue)
  return Query(
    """
    SELECT \(fragment: PlannedShift.columns),
      EXISTS (
        SELECT FROM shift
        WHERE shift.employee_id = planned.employee_id
          AND tstzrange(shift.started_at, shift.ended_at)
            && tstzrange(planned.starts_at, planned.ends_at)),
      policy.late_after_ms > 0 OR policy.no_show_after_ms > 0, \(fragment: startsInAbsence)
    FROM unnest(
      \(days.map(\.team.rawValue)), \(days.map(\.span.start)), \(days.map(\.span.end)))
      AS day (team_id, day_starts, day_ends)
    JOIN team ON team.team_id = day.team_id
    JOIN policy_version AS policy
      ON policy.team_id = team.team_id AND policy.version = team.policy_version
    JOIN employee ON employee.team_id = day.team_id
    JOIN planned_shift AS planned ON planned.employee_id = employee.employee_id
      AND planned.starts_at < day.day_ends AND planned.ends_at > day.day_starts
    WHERE \(only) IS NULL OR employee.employee_id = ANY (\(only))
    ORDER BY planned.employee_id, planned.starts_at
    """
  ) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      PlannedShiftOnDay(
        plannedShift: try PlannedShift(from: &row), isBegun: try row.next(),
        isWatched: try row.next(), isAbsent: try row.next())
    }
  }
}

/// A planned shift that is to be opened, if it has begun: it was planned before, and its employee
/// has neither worked nor tried to.
private let isOpeningDue: StaticString = """
  policy.opens_planned_shifts AND state.open_shift IS NULL AND employee.deactivated_at IS NULL
    AND planned.created_at <= planned.starts_at
    AND NOT EXISTS (
      SELECT FROM shift
      WHERE shift.employee_id = planned.employee_id AND shift.started_at < planned.ends_at
        AND shift.ended_at > planned.starts_at)
    AND NOT EXISTS (
      SELECT FROM clock_action AS attempt
      WHERE attempt.employee_id = planned.employee_id AND attempt.reviewed_at IS NULL
        AND attempt.outcome IN (3, 19)  -- a clock-in that was blocked, or kept for review
        AND attempt.at BETWEEN planned.starts_at - interval '12 hours' AND planned.ends_at)
  """

let plannedUnderPolicy: StaticString = """
  planned_shift AS planned
  JOIN employee ON employee.employee_id = planned.employee_id
  JOIN team ON team.team_id = employee.team_id
  JOIN policy_version AS policy
    ON policy.team_id = team.team_id AND policy.version = team.policy_version
  """

/// Joins `planned` with the state of its employee.
let withState: StaticString = "JOIN guard_state AS state ON state.employee_id = planned.employee_id"

/// An employee who has not clocked in after this time is absent (RULES 7): nothing is opened.
private let openingLateMax: StaticString = "interval '1 hour'"

/// Employees with a planned shift to be opened, the earliest start first; `last` ends the previous
/// page. `now` is the clock of deadlines; `nil`: the database's own.
package func dueOpenings(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  try session.run(
    """
    SELECT planned.employee_id, planned.starts_at
    FROM \(fragment: plannedUnderPolicy) \(fragment: withState)
    WHERE planned.starts_at <= \(now: now)
      AND planned.starts_at > \(now: now) - \(fragment: openingLateMax)
      AND planned.ends_at > \(now: now)
      AND (\(last?.dueAt) IS NULL OR (planned.starts_at, planned.employee_id)
        > (\(last?.dueAt), \(last?.employee.rawValue)))
      AND \(fragment: isOpeningDue) AND NOT \(fragment: startsInAbsence)
    ORDER BY planned.starts_at, planned.employee_id
    LIMIT \(limit)
    """
  ).map(DueEmployee.init(from:))
}

/// The planned time of the shift to be opened for `employee`, and the current time; `nil` if there
/// is none.
package func dueOpening(of employee: EmployeeID, at now: Instant?, on session: inout Session)
  throws(PostgresError) -> (planned: Interval, now: Instant)?
{
  try session.run(
    """
    SELECT planned.starts_at, planned.ends_at, \(now: now)
    FROM \(fragment: plannedUnderPolicy) \(fragment: withState)
    WHERE planned.employee_id = \(employee.rawValue)
      AND planned.starts_at <= \(now: now)
      AND planned.starts_at > \(now: now) - \(fragment: openingLateMax)
      AND planned.ends_at > \(now: now)
      AND \(fragment: isOpeningDue) AND NOT \(fragment: startsInAbsence)
    """
  ).first { (row) throws(PostgresError) in
    (planned: try Interval(from: &row), now: try row.next())
  }
}

/// Makes the watch over time process the open shifts of these employees, because a planned shift
/// decides when the end is due; and increases all their versions, for the board. `employees` is
/// sorted; `fixedNow` is the test's clock.
package func pollNow(at employees: [EmployeeID], now fixedNow: Instant?) -> [SQL] {
  let numbers = employees.map(\.rawValue)
  return [
    "UPDATE guard_state SET version = version + 1 WHERE employee_id = ANY (\(numbers))",
    """
    UPDATE guard_state SET due_at = least(due_at, \(statementTime: fixedNow))
    WHERE employee_id = ANY (\(numbers)) AND open_shift IS NOT NULL
    """,
  ]
}

package func deletePlannedShifts(before cutoff: Instant) -> SQL {
  "DELETE FROM planned_shift WHERE ends_at < \(cutoff)"
}
