public import Postgres
public import ShiftDomain

// Tables team and employee.

/// A team as stored and listed.
public struct TeamRow: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// Its name.
  public var name: String
  /// Its IANA time zone.
  public var timeZone: String
  /// The version of its policy in force.
  public var policyVersion: Int32
  /// The preset that the policy is based on.
  public var preset: Preset
  /// The number of employees.
  public var employees: Int64
}

/// Lets one transaction at a time take a next number, of whatever kind, until it ends: otherwise
/// concurrent transactions would take the same number. A statement of its own, so that the next
/// statement sees the numbers taken.
public let holdNumbers: SQL = "SELECT pg_advisory_xact_lock(\(numberLockClass), 0)"

private let numberLockClass: Int32 = 0x6E75_6D62

/// Adds a team under the next number, with the first version of its policy. Violates
/// `team_name_once` or `team_name_length`.
/// - Parameter fixedNow: The test's clock; `nil`: the database's.
public func addTeam(
  name: String, timeZone: String, policy: Policy, now fixedNow: Instant? = nil,
  on session: inout Session
) throws(PostgresError) -> TeamID {
  try session.execute(holdNumbers)
  let rows = try session.run(
    """
    INSERT INTO team (team_id, name, time_zone)
    SELECT coalesce(max(team_id), 0) + 1, \(name), \(timeZone) FROM team
    RETURNING team_id
    """)
  let team = TeamID(try rows.value(0, 0))
  try session.execute(insert(policy, version: 1, of: team, now: fixedNow))
  return team
}

/// Whether Postgres knows the IANA time zone.
public func isTimeZone(_ name: String, on session: inout Session) throws(PostgresError) -> Bool {
  try session.run("SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = \(name))").value(0, 0)
}

/// Every team, by number.
public func teams(on session: inout Session) throws(PostgresError) -> [TeamRow] {
  let rows = try session.run(
    """
    SELECT team.team_id, team.name, team.time_zone, team.policy_version, policy.preset,
      count(employee.employee_id)
    FROM team
    JOIN policy_version AS policy
      ON policy.team_id = team.team_id AND policy.version = team.policy_version
    LEFT JOIN employee ON employee.team_id = team.team_id
    GROUP BY team.team_id, policy.preset
    ORDER BY team.team_id
    """)
  var records: [TeamRow] = []
  for row in 0..<rows.count {
    records.append(
      TeamRow(
        team: TeamID(try rows.value(row, 0)), name: try rows.value(row, 1),
        timeZone: try rows.value(row, 2), policyVersion: try rows.value(row, 3),
        preset: try rows.coded(row, 4), employees: try rows.value(row, 5)))
  }
  return records
}

/// Adds an employee under `number`, or under the next free one: the highest used number plus one,
/// if possible. Violates `employee_pk` if the number is taken, `employee_team` for an
/// unknown team.
public func addEmployee(
  _ number: EmployeeID?, name: String, team: TeamID, on session: inout Session
) throws(PostgresError) -> EmployeeID {
  try session.execute(holdNumbers)
  let rows = try session.run(
    """
    INSERT INTO employee (employee_id, team_id, name)
    SELECT coalesce(
      \(number?.rawValue),
      (SELECT taken.employee_id + 1 FROM employee AS taken
        WHERE taken.employee_id < 2147483647
          AND NOT EXISTS (
            SELECT FROM employee AS next WHERE next.employee_id = taken.employee_id + 1)
        ORDER BY taken.employee_id DESC LIMIT 1),
      1), \(team.rawValue), \(name)
    RETURNING employee_id
    """)
  let employee = EmployeeID(try rows.value(0, 0))
  try session.execute(insertGuardState(of: employee))
  return employee
}

/// An employee as stored.
public struct EmployeeListing: Hashable, Sendable {
  /// The employee.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team.
  public var team: TeamID
  /// Their team's name.
  public var teamName: String
  /// The open shift's number.
  public var openShift: Int32?
}

/// The employees of `team`, or all, by number; with `employee` only that one.
public func employees(
  of team: TeamID?, only employee: EmployeeID?, on session: inout Session
) throws(PostgresError) -> [EmployeeListing] {
  let rows = try session.run(
    """
    SELECT employee.employee_id, employee.name, team.team_id, team.name, state.open_shift
    FROM employee
    JOIN team ON team.team_id = employee.team_id
    JOIN guard_state AS state ON state.employee_id = employee.employee_id
    WHERE (\(team?.rawValue) IS NULL OR employee.team_id = \(team?.rawValue))
      AND (\(employee?.rawValue) IS NULL OR employee.employee_id = \(employee?.rawValue))
    ORDER BY employee.employee_id
    """)
  var listings: [EmployeeListing] = []
  for row in 0..<rows.count {
    listings.append(
      EmployeeListing(
        employee: EmployeeID(try rows.value(row, 0)), name: try rows.value(row, 1),
        team: TeamID(try rows.value(row, 2)), teamName: try rows.value(row, 3),
        openShift: try rows.value(row, 4)))
  }
  return listings
}
