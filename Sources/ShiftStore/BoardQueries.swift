import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// The overview of managers and operators, across tables.

/// The teams in `scope`, by number; the caller sets their day. The practice team is only if the
/// scope names it, or `employee` was asked for, who may be in it.
package func teamDays(
  in scope: TeamScope, of employee: EmployeeID? = nil, on session: inout Session
) throws(PostgresError) -> [TeamDay] {
  try session.run(
    """
    SELECT team_id, name, time_zone
    FROM team
    WHERE team_id = ANY (\(scope.numbers))
      OR \(scope.numbers) IS NULL AND (NOT is_practice OR \(employee?.rawValue) IS NOT NULL)
    ORDER BY team_id
    """
  ).map { (row) throws(PostgresError) in
    TeamDay(team: try row.next(), name: try row.next(), timeZone: try row.next())
  }
}

/// The facts of the board, in one snapshot of the database.
package struct BoardRecords: Hashable, Sendable {
  /// All requested employees, by team and number.
  package var lines: [BoardRecord] = []
  /// Their shifts that intersect the day, by employee and start.
  package var shifts: [DayShift] = []
  /// Our outages since the first of these shifts may have begun, not clipped.
  package var outages = IntervalSet()

  package init() {}
}

/// Plans the following statements of the transaction once per connection: by default Postgres plans
/// some for each query, which may take longer than to run them. Citus needs the values to plan a
/// query for several nodes.
package func planning(once: Bool) -> SQL {
  """
  SELECT set_config('plan_cache_mode',
    CASE WHEN \(once) AND current_setting('citus.shard_count', true) IS NULL
      THEN 'force_generic_plan' ELSE 'auto' END, true)
  """
}

/// Reads the board of these days. That of a few employees is planned for them, which pays.
package struct BoardReading: Reading {
  package let statements: [SQL]
  package private(set) var records = BoardRecords()
  private var places: [EmployeeID: Int] = [:]

  package init(on days: [TeamDay], only employees: [EmployeeID]? = nil) {
    let only = employees?.map(\.rawValue)
    statements =
      days.isEmpty
      ? []
      : [
        planning(once: only == nil), selectBoard(on: days, only: only),
        selectOpenIncidents(in: days.map(\.team.rawValue), only: only),
        selectShifts(touching: days, only: only), selectOutages(touching: days),
        planning(once: false),
      ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    switch position {
    case 1:
      records.lines = try rows.map(BoardRecord.init(from:))
      for (place, line) in records.lines.enumerated() { places[line.employee] = place }
    case 2:
      try rows.forEach { (row) throws(PostgresError) in
        let (employee, incident) = (try row.next() as EmployeeID, try OpenIncident(from: &row))
        guard let place = places[employee] else { return }
        records.lines[place].incidents.append(BoardIncident(incident))
      }
    case 3: records.shifts = try rows.map(DayShift.init(from:))
    case 4: records.outages = IntervalSet(try rows.map(Interval.init(from:)))
    default: break
    }
  }
}

func selectBoard(on days: [TeamDay], only employees: [Int32]?) -> SQL {
  """
  SELECT employee.employee_id, employee.name, employee.phone_number, employee.team_id,
    state.open_shift, state.open_shift IS NOT NULL AND state.open_device IS NULL, state.opened_at,
    CASE WHEN state.break_ended_at IS NULL THEN state.break_started_at END,
    contact.last_received_at, contact.last_fix_at, away.started_at, action.action_no, action.at,
    action.blocking
  FROM (
    SELECT employee_id, name, phone_number, employee.team_id, day.starts_at
    FROM unnest(\(days.map(\.team.rawValue)), \(days.map(\.span.start)))
      AS day (team_id, starts_at)
    JOIN employee ON employee.team_id = day.team_id AND employee.deactivated_at IS NULL
  ) AS employee
  JOIN guard_state AS state ON state.employee_id = employee.employee_id
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  LEFT JOIN away_span AS away ON away.employee_id = state.employee_id
    AND away.shift_no = state.open_shift AND away.ended_at IS NULL
  LEFT JOIN LATERAL (
    SELECT action_no, at, blocking, outcome, reviewed_at
    FROM clock_action
    WHERE clock_action.employee_id = employee.employee_id
      AND clock_action.received_at >= employee.starts_at AND state.open_shift IS NULL
    ORDER BY received_at DESC
    LIMIT 1
  ) AS action ON action.outcome = \(ClockActionResult.blocked.column) AND action.reviewed_at IS NULL
  WHERE \(employees) IS NULL OR employee.employee_id = ANY (\(employees))
  ORDER BY employee.team_id, employee.employee_id
  """
}

extension BoardRecord {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), name: try row.next(), phoneNumber: try row.next(),
      team: try row.next(), openShift: try row.next(), waitsForConfirmation: try row.next(),
      startedAt: try row.next(), breakSince: try row.next(), lastContactAt: try row.next(),
      lastFixAt: try row.next())
    let away: Instant? = try row.next()
    // A break ends it, also before that is recorded.
    awaySince = breakSince == nil ? away : nil
    let clockAction: Int32? = try row.next()
    let (at, findings): (Instant?, FindingSet?) = (try row.next(), try row.next())
    if let at, let findings {
      blocked = BlockedClockIn(clockAction: clockAction, at: at, findings: findings)
    }
  }
}

/// The marks of all employees but practice employees. With them any number of instances notice
/// every change, in whatever order transactions commit, without notifications.
package func boardMarks(on session: inout Session) throws(PostgresError) -> [EmployeeID: BoardMark]
{
  let rows = try session.run(
    """
    SELECT state.employee_id, employee.team_id, state.version,
      coalesce(contact.last_fix_at >= state.opened_at, false)
    FROM guard_state AS state
    JOIN employee ON employee.employee_id = state.employee_id
    LEFT JOIN device_contact AS contact
      ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
    WHERE employee.practice_until IS NULL
    """)
  var marks: [EmployeeID: BoardMark] = [:]
  marks.reserveCapacity(rows.count)
  try rows.forEach { (row) throws(PostgresError) in
    marks[try row.next()] = BoardMark(
      team: try row.next(), version: try row.next(), isLocated: try row.next())
  }
  return marks
}

/// Counts everything once, but practice teams and employees.
package func installationCounts(on session: inout Session) throws(PostgresError)
  -> InstallationCounts
{
  try session.run(
    """
    SELECT current_setting('server_version'),
      (SELECT count(*) FROM team WHERE NOT is_practice),
      (SELECT count(*) FROM employee WHERE practice_until IS NULL),
      (SELECT count(*) FROM device JOIN employee USING (employee_id)
        WHERE revoked_at IS NULL AND practice_until IS NULL),
      (SELECT count(*) FROM shift JOIN employee USING (employee_id)
        WHERE ended_at IS NULL AND practice_until IS NULL),
      (SELECT count(*) FROM incident JOIN employee USING (employee_id)
        WHERE closed_at IS NULL AND practice_until IS NULL),
      (SELECT count(*) FROM notification), (SELECT min(queued_at) FROM notification)
    """
  ).one { (row) throws(PostgresError) in
    InstallationCounts(
      postgresVersion: try row.next(), teams: try row.next(), employees: try row.next(),
      devices: try row.next(), openShifts: try row.next(), openIncidents: try row.next(),
      notifications: try row.next(), oldestNotificationAt: try row.next())
  }
}
