public import GuardRules
public import Postgres
public import ShiftDomain

// What managers and operators see at a glance, across tables.

/// One employee's line on the board.
public struct BoardRecord: Hashable, Sendable {
  /// Who, and their team.
  public var listing: EmployeeListing
  /// The open shift's tracking device and begin.
  public var startedAt: Instant?
  /// When the tracking device was last heard of.
  public var lastReceivedAt: Instant?
  /// When it was last located.
  public var lastFixAt: Instant?
  /// Open incidents, in the order they began.
  public var incidents: [OpenIncident]
}

/// Everybody of these teams, by team and number, in one snapshot of the database; `nil`: of every
/// team.
public func board(of teams: [TeamID]?, on session: inout Session) throws(PostgresError)
  -> [BoardRecord]
{
  let teams = teams?.map(\.rawValue)
  var records: [BoardRecord] = []
  var places: [EmployeeID: Int] = [:]
  try session.pipeline([
    """
    SELECT employee.employee_id, employee.name, team.team_id, team.name, state.open_shift,
      state.opened_at, pulse.last_received_at, pulse.last_fix_at
    FROM employee
    JOIN team ON team.team_id = employee.team_id
    JOIN guard_state AS state ON state.employee_id = employee.employee_id
    LEFT JOIN device_pulse AS pulse
      ON pulse.employee_id = state.employee_id AND pulse.device_no = state.open_device
    WHERE \(teams) IS NULL OR employee.team_id = ANY (\(teams))
    ORDER BY team.team_id, employee.employee_id
    """, selectAllOpenIncidents(),
  ]) { (position, rows) throws(PostgresError) in
    for row in 0..<rows.count {
      let employee = EmployeeID(try rows.value(row, 0))
      if position == 1 {
        guard let place = places[employee] else { continue }
        records[place].incidents.append(try rows.openIncident(row))
        continue
      }
      places[employee] = records.count
      records.append(
        BoardRecord(
          listing: EmployeeListing(
            employee: employee, name: try rows.value(row, 1), team: TeamID(try rows.value(row, 2)),
            teamName: try rows.value(row, 3), openShift: try rows.value(row, 4)),
          startedAt: try rows.value(row, 5), lastReceivedAt: try rows.value(row, 6),
          lastFixAt: try rows.value(row, 7), incidents: []))
    }
  }
  return records
}

/// How much there is of everything.
public struct InstallationCounts: Hashable, Sendable {
  /// The server's own version.
  public var postgresVersion: String
  /// Teams, employees and devices that may speak.
  public var teams: Int64, employees: Int64, devices: Int64
  /// Shifts and incidents without an end.
  public var openShifts: Int64, openIncidents: Int64
  /// Messages in the outbox, and when the oldest was queued.
  public var notifications: Int64, oldestNotificationAt: Instant?
}

/// Counts everything once.
public func installationCounts(on session: inout Session) throws(PostgresError)
  -> InstallationCounts
{
  let rows = try session.run(
    """
    SELECT current_setting('server_version'),
      (SELECT count(*) FROM team), (SELECT count(*) FROM employee),
      (SELECT count(*) FROM device WHERE revoked_at IS NULL),
      (SELECT count(*) FROM shift WHERE ended_at IS NULL),
      (SELECT count(*) FROM incident WHERE closed_at IS NULL),
      (SELECT count(*) FROM notification), (SELECT min(queued_at) FROM notification)
    """)
  return InstallationCounts(
    postgresVersion: try rows.value(0, 0), teams: try rows.value(0, 1),
    employees: try rows.value(0, 2), devices: try rows.value(0, 3),
    openShifts: try rows.value(0, 4), openIncidents: try rows.value(0, 5),
    notifications: try rows.value(0, 6), oldestNotificationAt: try rows.value(0, 7))
}
