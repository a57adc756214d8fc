import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table coverage_rollup, as reports over many shifts read it: only the totals.

package struct ShiftDurations: Hashable, Sendable {
  package var shift: ShiftID
  /// The employee's present team.
  package var team: TeamID
  /// What an approval fixed.
  package var fixed: CivilPlace?
  package var startedAt: Instant
  package var endedAt: Instant?
  /// Its totals; `nil`: it is open, or they must be computed.
  package var durations: StoredDurations?

  package init(
    shift: ShiftID, team: TeamID, fixed: CivilPlace?, startedAt: Instant, endedAt: Instant?,
    durations: StoredDurations?
  ) {
    (self.shift, self.team, self.fixed) = (shift, team, fixed)
    (self.startedAt, self.endedAt, self.durations) = (startedAt, endedAt, durations)
  }

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      shift: try ShiftID(from: &row), team: try row.next(), fixed: try CivilPlace(from: &row),
      startedAt: try row.next(), endedAt: try row.next(), durations: try StoredDurations(from: &row)
    )
  }
}

/// The shifts of a time sheet or report: those that began on its days in their team's time zone.
/// Approved ones have the day and the team that the approval fixed.
package struct ReportPeriod: Sendable {
  /// Each with the days in its time zone.
  package var teams: [TeamDay]
  /// Counted from 1970-01-01.
  package var days: ClosedRange<Int32>
  /// `nil`: all.
  package var employee: EmployeeID?

  package init(teams: [TeamDay], days: ClosedRange<Int32>, employee: EmployeeID?) {
    (self.teams, self.days, self.employee) = (teams, days, employee)
  }

  /// From its first instant to its last, in any team's time zone; `nil`: no team.
  package var span: Interval? {
    guard let start = teams.map(\.span.start).min(), let end = teams.map(\.span.end).max()
    else { return nil }
    return Interval(from: start, to: end)
  }

  /// When its shifts may have begun, in whichever time zone an approval fixed.
  package var reach: Interval? {
    span.map { Interval(from: $0.start - .hours(48), to: $0.end + .hours(48)) }
  }
}

/// Cursors are read to their end, so that plans for the first rows would be the wrong ones.
let readCursorsWholly: SQL = "SET LOCAL cursor_tuple_fraction = 1"

/// Opens a cursor over the shifts of a period; none without a team.
package func openShiftDurations(in period: ReportPeriod, on session: inout Session)
  throws(PostgresError)
{
  guard !period.teams.isEmpty else { return }
  try session.pipeline([
    readCursorsWholly,
    selectShiftDurations(in: period).cursor(named: "shift_durations"),
  ])
}

/// The next shifts of the cursor, by employee and start; none at its end.
package func nextShiftDurations(on session: inout Session) throws(PostgresError)
  -> [ShiftDurations]
{
  try session.run("FETCH FORWARD 2000 FROM shift_durations").map(ShiftDurations.init(from:))
}

func selectShiftDurations(in period: ReportPeriod) -> SQL {
  """
  SELECT shift.employee_id, shift.shift_no, employee.team_id, \(fragment: CivilPlace.columns),
    shift.started_at, shift.ended_at, \(fragment: StoredDurations.columns)
  FROM shift
  JOIN employee ON employee.employee_id = shift.employee_id
  \(fragment: StoredDurations.source)
  \(begunIn: period)
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

extension CivilPlace {
  /// The version before leaves them when it reopens a shift: they hold only while it is approved.
  static let columns: StaticString = """
    CASE WHEN shift.approved_at IS NOT NULL THEN shift.approved_team END, shift.approved_zone,
    shift.approved_day - DATE '1970-01-01'
    """

  /// `nil` if no approval holds, or one of a version that fixed nothing.
  init?(from row: inout RowReader) throws(PostgresError) {
    let (team, zone): (TeamID?, String?) = (try row.next(), try row.next())
    let day: Int32? = try row.next()
    guard let team, let zone, let day else { return nil }
    self.init(team: team, timeZone: zone, day: day)
  }
}

extension SQL.Interpolation {
  /// Only the shifts of `period`, by employee and start.
  mutating func appendInterpolation(begunIn period: ReportPeriod) {
    appendLiteral("JOIN unnest(")
    appendInterpolation(period.teams.map(\.team.rawValue))
    appendLiteral(", ")
    appendInterpolation(period.teams.map(\.span.start))
    appendLiteral(", ")
    appendInterpolation(period.teams.map(\.span.end))
    appendLiteral(
      """
      ) AS period (team_id, starts_at, ends_at) ON period.team_id = coalesce(
        CASE WHEN shift.approved_at IS NOT NULL THEN shift.approved_team END, employee.team_id)
      WHERE CASE WHEN num_nulls(shift.approved_at, shift.approved_team) > 0
        THEN shift.started_at >= period.starts_at AND shift.started_at < period.ends_at
        ELSE shift.approved_day - DATE '1970-01-01' BETWEEN\u{20}
      """)
    appendInterpolation(period.days.lowerBound)
    appendLiteral(" AND ")
    appendInterpolation(period.days.upperBound)
    appendLiteral(" END AND shift.started_at >= ")
    appendInterpolation(period.reach?.start)
    appendLiteral(" AND shift.started_at < ")
    appendInterpolation(period.reach?.end)
    if let employee = period.employee {
      appendLiteral(" AND shift.employee_id = ")
      appendInterpolation(employee.rawValue)
    }
    appendLiteral(" ORDER BY shift.employee_id, shift.started_at")
  }
}

/// The employees of the teams, and those whose shifts an approval fixed in one of them.
package func namedEmployees(in period: ReportPeriod) -> Query<[EmployeeID: NamedEmployee]> {
  let teams = period.teams.map(\.team.rawValue)
  return Query(
    """
    SELECT employee_id, name, team_id FROM employee WHERE team_id = ANY (\(teams))
    UNION ALL
    SELECT shift.employee_id, name, team_id FROM shift
    JOIN employee ON employee.employee_id = shift.employee_id
    WHERE approved_at IS NOT NULL AND approved_team = ANY (\(teams)) AND approved_team <> team_id
      AND started_at >= \(period.reach?.start) AND started_at < \(period.reach?.end)
    UNION ALL
    SELECT shift.employee_id, name, team_id FROM past_shift AS shift
    JOIN employee ON employee.employee_id = shift.employee_id
    WHERE approved_at IS NOT NULL AND approved_team = ANY (\(teams)) AND approved_team <> team_id
      AND started_at >= \(period.reach?.start) AND started_at < \(period.reach?.end)
    """
  ) { (rows) throws(PostgresError) in
    var employees: [EmployeeID: NamedEmployee] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      employees[try row.next()] = NamedEmployee(name: try row.next(), team: try row.next())
    }
    return employees
  }
}
