public import Postgres
public import ShiftDomain

// Table guard_state, as the watch over open shifts reads it: for whom time alone changes something.
// Everywhere `now` is the clock of deadlines; `nil`: the database's own.

/// An employee for whom time alone changes something.
public struct DueEmployee: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Since when.
  public var dueAt: Instant
}

/// Those for whom something is due, the longest waiting first.
/// - Parameter last: The last one of the page before; `nil`: from the beginning.
public func dueEmployees(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  let rows = try session.run(
    """
    SELECT employee_id, due_at
    FROM guard_state
    WHERE due_at <= coalesce(\(now), now())
      AND (\(last?.dueAt) IS NULL
        OR (due_at, employee_id) > (\(last?.dueAt), \(last?.employee.rawValue)))
    ORDER BY due_at, employee_id
    LIMIT \(limit)
    """)
  var due: [DueEmployee] = []
  for row in 0..<rows.count {
    due.append(
      DueEmployee(employee: EmployeeID(try rows.value(row, 0)), dueAt: try rows.value(row, 1)))
  }
  return due
}

/// Since when something is due for `employee`, and what time it is; `nil` when nothing is due yet.
public func dueTime(of employee: EmployeeID, at now: Instant?, on session: inout Session)
  throws(PostgresError) -> (dueAt: Instant, now: Instant)?
{
  let rows = try session.run(
    """
    SELECT due_at, coalesce(\(now), now())
    FROM guard_state
    WHERE employee_id = \(employee.rawValue) AND due_at <= coalesce(\(now), now())
    """)
  return rows.count == 0 ? nil : (dueAt: try rows.value(0, 0), now: try rows.value(0, 1))
}

/// Has the watch look at once at whoever of the team is on shift: under another policy something
/// may be due earlier. The version of everybody moves on, so that nobody who read the former policy
/// writes: not a clock-in either, which would compute what is due by it.
public func lookAtOnce(at team: TeamID, now: Instant?) -> SQL {
  """
  UPDATE guard_state
  SET version = version + 1,
    due_at = CASE WHEN open_shift IS NOT NULL THEN least(due_at, coalesce(\(now), now())) END
  WHERE employee_id IN (SELECT employee_id FROM employee WHERE team_id = \(team.rawValue))
  """
}
