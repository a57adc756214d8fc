import Postgres
import ReadModels
import ShiftDomain

// Table guard_state, as the watch over open shifts reads it: employees for whom time alone causes a
// change. Everywhere `now` is the clock of deadlines; `nil`: the database's own.

extension DueEmployee {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(employee: try row.next(), dueAt: try row.next())
  }
}

/// Employees with something due, the longest waiting first; `last` ends the previous page.
package func dueEmployees(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  try session.run(
    """
    SELECT employee_id, due_at
    FROM guard_state
    WHERE due_at <= \(now: now)
      AND (\(last?.dueAt) IS NULL
        OR (due_at, employee_id) > (\(last?.dueAt), \(last?.employee.rawValue)))
    ORDER BY due_at, employee_id
    LIMIT \(limit)
    """
  ).map(DueEmployee.init(from:))
}

/// Since when something is due for `employee`, and the current time; `nil` if nothing is due yet.
package func dueTime(of employee: EmployeeID, at now: Instant?, on session: inout Session)
  throws(PostgresError) -> (dueAt: Instant, now: Instant)?
{
  try session.run(
    """
    SELECT due_at, \(now: now)
    FROM guard_state
    WHERE employee_id = \(employee.rawValue) AND due_at <= \(now: now)
    """
  ).first { (row) throws(PostgresError) in (dueAt: try row.next(), now: try row.next()) }
}

/// Makes the watch process the team's employees on shift at once: under another policy something
/// may be due earlier. All versions are increased, so that no transaction that read the earlier
/// policy can write, not even a clock-in, which would compute due times by it.
package func pollNow(at team: TeamID, now: Instant?) -> [SQL] {
  [
    """
    UPDATE guard_state SET version = version + 1
    WHERE employee_id IN (SELECT employee_id FROM employee WHERE team_id = \(team.rawValue))
    """,
    """
    UPDATE guard_state SET due_at = least(due_at, \(now: now))
    WHERE employee_id IN (SELECT employee_id FROM employee WHERE team_id = \(team.rawValue))
      AND open_shift IS NOT NULL
    """,
  ]
}
