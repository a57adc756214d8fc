import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables team and employee.

/// Lets one transaction at a time take a next number, of whatever kind, until it ends: otherwise
/// concurrent transactions would take the same number. A statement of its own, so that the next
/// statement sees the numbers taken.
package let holdNumbers: SQL = "SELECT pg_advisory_xact_lock(\(numberLockClass), 0)"

private let numberLockClass: Int32 = 0x6E75_6D62

/// Adds a team under the next number, with the first version of its policy. Violates
/// `team_name_once` or `team_name_length`. `fixedNow` is the test's clock.
package func addTeam(
  name: String, timeZone: String, policy: Policy, isPractice: Bool = false,
  now fixedNow: Instant? = nil, on session: inout Session
) throws(PostgresError) -> TeamID {
  try session.execute(holdNumbers)
  let team: TeamID = try session.run(
    """
    INSERT INTO team AS added (team_id, name, time_zone, is_practice)
    SELECT greatest(max(existing.team_id), 0, (SELECT removed_team_max FROM installation)) + 1,
      \(name), \(timeZone), \(isPractice)
    FROM team AS existing
    RETURNING team_id
    """
  ).value(0, 0)
  try session.execute(insert(policy, version: 1, of: team, now: fixedNow))
  return team
}

package func isTimeZone(_ name: String, on session: inout Session) throws(PostgresError) -> Bool {
  try session.run("SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = \(name))").value(0, 0)
}

/// The teams by number, without the practice team unless it is asked for.
package func teams(withPractice: Bool = false, on session: inout Session)
  throws(PostgresError) -> [TeamRow]
{
  try session.value(of: teams(withPractice: withPractice))
}

package func team(_ team: TeamID, on session: inout Session) throws(PostgresError) -> TeamRow? {
  try session.value(of: teams(only: team, withPractice: true)).first
}

/// The team of an employee, as a list of one; none without the employee.
package func teams(of employee: EmployeeID) -> Query<[TeamRow]> {
  teams(of: employee, withPractice: true)
}

private func teams(
  only team: TeamID? = nil, of employee: EmployeeID? = nil, withPractice: Bool
) -> Query<[TeamRow]> {
  Query(
    """
    SELECT team.team_id, team.name, team.time_zone, team.pay_rounding, team.pays_breaks,
      team.policy_version,
      count(employee.employee_id) FILTER (WHERE employee.deactivated_at IS NULL),
      EXISTS (SELECT FROM team_contact WHERE team_contact.team_id = team.team_id),
      \(fragment: Policy.columns)
    FROM team
    JOIN policy_version AS policy
      ON policy.team_id = team.team_id AND policy.version = team.policy_version
    LEFT JOIN employee ON employee.team_id = team.team_id
    WHERE (\(team?.rawValue) IS NULL OR team.team_id = \(team?.rawValue))
      AND (\(employee?.rawValue) IS NULL OR team.team_id = (
        SELECT team_id FROM employee WHERE employee_id = \(employee?.rawValue)))
      AND (\(withPractice) OR NOT team.is_practice)
    GROUP BY team.team_id, policy.team_id, policy.version
    ORDER BY team.team_id
    """
  ) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      let (number, name): (TeamID, String) = (try row.next(), try row.next())
      let (zone, rule): (String, PayRule) = (try row.next(), try PayRule(from: &row))
      var team = TeamRow(
        team: number, name: name, timeZone: zone, policyVersion: try row.next(), preset: .initial,
        employees: try row.next(), payRule: rule)
      team.hasContact = try row.next()
      let policy = try Policy(from: &row)
      team.preset = policy.preset
      team.isChanged = !policy.differences(from: .policy(of: policy.preset)).isEmpty
      return team
    }
  }
}

/// Adds an employee under `number`, or under the next one that was never used. Violates
/// `employee_pk` if the number is taken, `employee_team` for an unknown team.
package func addEmployee(
  _ number: EmployeeID?, name: String, team: TeamID, on session: inout Session
) throws(PostgresError) -> EmployeeID {
  try session.execute(holdNumbers)
  let employee =
    if let number { number } else { EmployeeID(try freeEmployeeNumber(on: &session)) }
  try session.execute(
    """
    INSERT INTO employee (employee_id, team_id, name)
    VALUES (\(employee.rawValue), \(team.rawValue), \(name))
    """)
  try session.execute(insertGuardState(of: employee))
  return employee
}

/// Those among `numbers` that employees had who were erased.
package func erasedNumbers(among numbers: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> Set<EmployeeID>
{
  Set(try session.run(selectErasedNumbers(among: numbers)).values() as [EmployeeID])
}

func selectErasedNumbers(among numbers: [EmployeeID]) -> SQL {
  "SELECT number FROM erased_number WHERE number = ANY (\(numbers.map(\.rawValue)))"
}

/// The highest number ever used plus one; after the last possible number, the highest in a gap.
/// Free until this transaction ends only after `holdNumbers`.
func freeEmployeeNumber(on session: inout Session) throws(PostgresError) -> Int32 {
  let highest: Int32? = try session.run(selectHighestNumber).value(0, 0)
  guard highest == .max else { return (highest ?? 0) + 1 }
  return try session.run(selectNumberInGap).value(0, 0)
}

let selectHighestNumber: SQL = """
  SELECT greatest(
    (SELECT max(employee_id) FROM employee), (SELECT max(number) FROM erased_number))
  """

let selectNumberInGap: SQL = """
  SELECT coalesce(max(number) + 1, 1)
  FROM (
    SELECT number, lead(number) OVER (ORDER BY number) AS next
    FROM (SELECT employee_id AS number FROM employee UNION SELECT number FROM erased_number)
      AS used) AS taken
  WHERE next - 1 > number
  """
