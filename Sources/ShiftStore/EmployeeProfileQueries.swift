import Postgres
import ReadModels
import ShiftDomain

// Tables employee and team, as administrators list and change them.

extension EmployeeProfile {
  fileprivate static let columns: StaticString = """
    employee.employee_id, employee.name, employee.email, employee.phone_number, employee.team_id,
    state.open_shift, employee.deactivated_at, employee.practice_until
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      try row.next(), name: try row.next(), email: try row.next(), phoneNumber: try row.next(),
      team: try row.next(), openShift: try row.next(), deactivatedAt: try row.next(),
      practiceUntil: try row.next())
  }
}

/// Employees by number; `text` is a part of the name, in upper or lower case. `isActive`: only the
/// active ones or only the others; `nil`: all. Practice employees are only those of `team`.
package func employeeProfiles(
  of team: TeamID?, named text: String?, isActive: Bool? = nil, after: EmployeeID?, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [EmployeeProfile] {
  try session.run(
    """
    SELECT \(fragment: EmployeeProfile.columns)
    FROM employee JOIN guard_state AS state ON state.employee_id = employee.employee_id
    WHERE (\(team?.rawValue) IS NULL AND employee.practice_until IS NULL
        OR employee.team_id = \(team?.rawValue))
      AND (\(text) IS NULL OR position(lower(\(text)) IN lower(employee.name)) > 0)
      AND (\(isActive) IS NULL OR (employee.deactivated_at IS NULL) = \(isActive))
      AND employee.employee_id > \(after?.rawValue ?? 0)
    ORDER BY employee.employee_id LIMIT \(limit)
    """
  ).map(EmployeeProfile.init(from:))
}

/// The employees of `team` who are active, or were until after `time`; by number.
package func employeeProfiles(
  of team: TeamID, activeAfter time: Instant, after: EmployeeID? = nil, limit: Int32
) -> Query<[EmployeeProfile]> {
  Query(
    """
    SELECT \(fragment: EmployeeProfile.columns)
    FROM employee JOIN guard_state AS state ON state.employee_id = employee.employee_id
    WHERE employee.team_id = \(team.rawValue)
      AND (employee.deactivated_at IS NULL OR employee.deactivated_at > \(time))
      AND employee.employee_id > \(after?.rawValue ?? 0)
    ORDER BY employee.employee_id LIMIT \(limit)
    """
  ) { (rows) throws(PostgresError) in try rows.map(EmployeeProfile.init(from:)) }
}

package func employeeProfiles(_ employees: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> [EmployeeProfile]
{
  try session.value(of: employeeProfiles(employees))
}

package func employeeProfiles(_ employees: [EmployeeID]) -> Query<[EmployeeProfile]> {
  Query(
    """
    SELECT \(fragment: EmployeeProfile.columns)
    FROM employee JOIN guard_state AS state ON state.employee_id = employee.employee_id
    WHERE employee.employee_id = ANY (\(employees.map(\.rawValue)))
    """
  ) { (rows) throws(PostgresError) in try rows.map(EmployeeProfile.init(from:)) }
}

/// When `employee`, who exists, was added.
package func creation(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Instant
{
  try session.run("SELECT created_at FROM employee WHERE employee_id = \(employee.rawValue)")
    .value(0, 0)
}

/// Writes an employee's name, team and contact details if unchanged since `old` was read.
/// Affects one row, or none. Violates `employee_team`.
/// INVARIANT: a change of team needs an increased version in the same transaction, and no open
/// shift, because the policy's version counts within the team.
package func change(_ old: EmployeeProfile, to new: EmployeeProfile) -> SQL {
  """
  UPDATE employee
  SET name = \(new.name), email = \(new.email), phone_number = \(new.phoneNumber),
    team_id = \(new.team.rawValue)
  WHERE employee_id = \(old.employee.rawValue) AND name = \(old.name)
    AND email IS NOT DISTINCT FROM \(old.email)
    AND phone_number IS NOT DISTINCT FROM \(old.phoneNumber) AND team_id = \(old.team.rawValue)
  """
}

/// As `bumpVersion`, but not while a shift is open.
/// - Returns: `false` if a shift is open, or the employee does not exist.
package func bumpVersionOffShift(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Bool
{
  try session.execute(bumpVersionOffShift(of: employee)) == 1
}

func bumpVersionOffShift(of employee: EmployeeID) -> SQL {
  """
  UPDATE guard_state SET version = version + 1
  WHERE employee_id = \(employee.rawValue) AND open_shift IS NULL
  """
}

/// Adds or overwrites these employees, sorted by number and each once. Violates `employee_team`.
package func keep(_ records: [EmployeeProfile]) -> SQL {
  """
  INSERT INTO employee (employee_id, name, email, phone_number, team_id)
  SELECT employee_id, name, email, phone_number, team_id
  FROM unnest(\(records.map(\.employee.rawValue)), \(records.map(\.name)),
    \(records.map(\.email)), \(records.map(\.phoneNumber)), \(records.map(\.team.rawValue)))
    AS item (employee_id, name, email, phone_number, team_id)
  ORDER BY employee_id
  ON CONFLICT (employee_id) DO UPDATE
  SET name = excluded.name, email = excluded.email, phone_number = excluded.phone_number,
    team_id = excluded.team_id
  """
}

/// Adds the states of new employees, and increases the versions of the others, except of those on
/// shift. Affects fewer rows than employees if one is. `employees` is sorted.
package func addOrBumpVersions(of employees: [EmployeeID]) -> SQL {
  """
  INSERT INTO guard_state (employee_id)
  SELECT employee_id FROM unnest(\(employees.map(\.rawValue))) AS item (employee_id)
  ORDER BY employee_id
  ON CONFLICT (employee_id) DO UPDATE SET version = guard_state.version + 1
  WHERE guard_state.open_shift IS NULL
  """
}

/// Writes a team's name, time zone and pay rule if unchanged since `old`. May violate
/// `team_name_once`.
package func change(_ old: TeamRow, to new: TeamRow) -> SQL {
  """
  UPDATE team SET name = \(new.name), time_zone = \(new.timeZone),
    pay_rounding = \(new.payRule.rounding.column), pays_breaks = \(new.payRule.paysBreaks)
  WHERE team_id = \(old.team.rawValue) AND name = \(old.name) AND time_zone = \(old.timeZone)
    AND pay_rounding = \(old.payRule.rounding.column) AND pays_breaks = \(old.payRule.paysBreaks)
  """
}
