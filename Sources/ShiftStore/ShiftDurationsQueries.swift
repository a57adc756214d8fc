import Postgres
import ReadModels
import ShiftDomain

// Table coverage_rollup, as reports over many shifts read it: only the totals.

package struct ShiftDurations: Hashable, Sendable {
  package var shift: ShiftID
  package var team: TeamID
  package var startedAt: Instant
  package var endedAt: Instant?
  /// Its totals; `nil`: it is open, or they must be computed.
  package var durations: StoredDurations?

  package init(
    shift: ShiftID, team: TeamID, startedAt: Instant, endedAt: Instant?,
    durations: StoredDurations?
  ) {
    (self.shift, self.team) = (shift, team)
    (self.startedAt, self.endedAt, self.durations) = (startedAt, endedAt, durations)
  }

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      shift: try ShiftID(from: &row), team: try row.next(), startedAt: try row.next(),
      endedAt: try row.next(), durations: try StoredDurations(from: &row))
  }
}

/// Cursors are read to their end, so that plans for the first rows would be the wrong ones.
let readCursorsWholly: SQL = "SET LOCAL cursor_tuple_fraction = 1"

/// Opens a cursor over the shifts that began within their team's `span`; none without a team.
package func openShiftDurations(
  in days: [TeamDay], of employee: EmployeeID?, on session: inout Session
) throws(PostgresError) {
  guard !days.isEmpty else { return }
  try session.pipeline([
    readCursorsWholly,
    selectShiftDurations(in: days, of: employee).cursor(named: "shift_durations"),
  ])
}

/// The next shifts of the cursor, by employee and start; none at its end.
package func nextShiftDurations(on session: inout Session) throws(PostgresError)
  -> [ShiftDurations]
{
  try session.run("FETCH FORWARD 2000 FROM shift_durations").map(ShiftDurations.init(from:))
}

func selectShiftDurations(in days: [TeamDay], of employee: EmployeeID?) -> SQL {
  """
  SELECT shift.employee_id, shift.shift_no, employee.team_id, shift.started_at, shift.ended_at,
    \(fragment: StoredDurations.columns)
  FROM shift
  JOIN employee ON employee.employee_id = shift.employee_id
  \(fragment: StoredDurations.source)
  \(begunIn: days, of: employee)
  """
}

extension StoredDurations {
  /// The totals of a shift that has ended, if they need not be computed.
  static let columns: StaticString = """
    CASE WHEN rollup.totals_version = rollup.version AND shift.ended_at IS NOT NULL
      THEN rollup.totals END,
    rollup.totals_outage_ms
    """
  static let source: StaticString = """
    LEFT JOIN coverage_rollup AS rollup
      ON rollup.employee_id = shift.employee_id AND rollup.shift_no = shift.shift_no
    """
}

extension SQL.Interpolation {
  /// Only shifts that began within their team's `span`, by employee and start.
  mutating func appendInterpolation(begunIn days: [TeamDay], of employee: EmployeeID?) {
    appendLiteral("JOIN unnest(")
    appendInterpolation(days.map(\.team.rawValue))
    appendLiteral(", ")
    appendInterpolation(days.map(\.span.start))
    appendLiteral(", ")
    appendInterpolation(days.map(\.span.end))
    appendLiteral(
      """
      ) AS period (team_id, starts_at, ends_at) ON period.team_id = employee.team_id
      WHERE shift.started_at >= period.starts_at AND shift.started_at < period.ends_at
        AND shift.started_at >=
      """)
    appendInterpolation(days.map(\.span.start).min())
    appendLiteral(" AND shift.started_at < ")
    appendInterpolation(days.map(\.span.end).max())
    if let employee {
      appendLiteral(" AND shift.employee_id = ")
      appendInterpolation(employee.rawValue)
    }
    appendLiteral(" ORDER BY shift.employee_id, shift.started_at")
  }
}

package func namedEmployees(in days: [TeamDay]) -> Query<[EmployeeID: NamedEmployee]> {
  Query(
    """
    SELECT employee_id, name, team_id FROM employee
    WHERE team_id = ANY (\(days.map(\.team.rawValue)))
    """
  ) { (rows) throws(PostgresError) in
    var employees: [EmployeeID: NamedEmployee] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      employees[try row.next()] = NamedEmployee(name: try row.next(), team: try row.next())
    }
    return employees
  }
}
