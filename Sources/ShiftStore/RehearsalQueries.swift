import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Practice employees, in table employee, and what has happened in their rehearsals.

/// The practice team; `nil` before the first rehearsal.
package func practiceTeam(on session: inout Session) throws(PostgresError) -> TeamID? {
  try session.run(selectPracticeTeam).firstValue()
}

let selectPracticeTeam: SQL = "SELECT team_id FROM team WHERE is_practice"

/// Adds a practice employee, who is erased after `span`, under the next number, which is part
/// of the name.
/// INVARIANT: after `holdNumbers` in the same transaction.
package func addPracticeEmployee(
  for span: TimeSpan, to team: TeamID, now fixedNow: Instant?, on session: inout Session
) throws(PostgresError) -> EmployeeID {
  let employee = EmployeeID(try freeEmployeeNumber(on: &session))
  try session.pipeline([
    insertPracticeEmployee(employee, for: span, to: team, now: fixedNow),
    insertGuardState(of: employee),
  ])
  return employee
}

func insertPracticeEmployee(
  _ employee: EmployeeID, for span: TimeSpan, to team: TeamID, now fixedNow: Instant?
) -> SQL {
  """
  INSERT INTO employee (employee_id, team_id, name, practice_until)
  VALUES (\(employee.rawValue), \(team.rawValue), \("Practice employee \(employee.rawValue)"),
    \(now: fixedNow) + \(span.column) * interval '1 ms')
  """
}

/// The practice employees, by number.
package func practiceEmployees(on session: inout Session)
  throws(PostgresError) -> [EmployeeProfile]
{
  let employees: [EmployeeID] = try session.run(selectPracticeEmployees).values()
  return try employeeProfiles(employees, on: &session).sorted { $0.employee < $1.employee }
}

let selectPracticeEmployees: SQL =
  "SELECT employee_id FROM employee WHERE practice_until IS NOT NULL"

/// The practice employees whose rehearsal is over, longest first.
package func endedRehearsals(at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> [EmployeeID]
{
  try session.run(selectEndedRehearsals(at: fixedNow)).values()
}

func selectEndedRehearsals(at fixedNow: Instant?) -> SQL {
  """
  SELECT employee_id FROM employee WHERE practice_until <= \(now: fixedNow)
  ORDER BY practice_until, employee_id
  """
}

/// When and in which incident a report first said in mid-shift that `employee` cannot be located.
package func firstLoss(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> (incident: IncidentID, shift: Int32, at: Instant)?
{
  try session.run(selectFirstLoss(of: employee)).first { (row) throws(PostgresError) in
    (IncidentID(employee: employee, number: try row.next()), try row.next(), try row.next())
  }
}

func selectFirstLoss(of employee: EmployeeID) -> SQL {
  let kinds = IncidentKind.allCases.filter(\.row.cannotLocate).map(\.column)
  return """
    SELECT coalesce(incident.episode, incident.incident_no), incident.shift_no,
      detection.received_at
    FROM detection
    JOIN incident ON incident.employee_id = detection.employee_id
      AND incident.incident_no = detection.incident_no
    WHERE detection.employee_id = \(employee.rawValue) AND detection.kind = ANY (\(kinds))
    ORDER BY detection.received_at LIMIT 1
    """
}

/// When the phone could first be located again in a shift after `lostAt`.
package func firstRestoration(
  of shift: ShiftID, after lostAt: Instant, on session: inout Session
) throws(PostgresError) -> Instant? {
  try session.run(selectFirstRestoration(of: shift, after: lostAt)).firstValue()
}

func selectFirstRestoration(of shift: ShiftID, after lostAt: Instant) -> SQL {
  """
  SELECT received_at FROM restoration
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND received_at >= \(lostAt)
  ORDER BY received_at LIMIT 1
  """
}
