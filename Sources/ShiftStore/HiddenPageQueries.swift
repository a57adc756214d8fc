import Postgres
import ReadModels
import ShiftDomain

// Tables guard_state, device_contact and shift: pages that track a shift and are out of view.

/// Employees whose page has been hidden, outside breaks, for longer than their policy allows
/// without a reminder, the longest due first; `last` ends the previous page. `now` is the clock of
/// deadlines; `nil`: the database's own.
package func dueHiddenPages(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  try session.run(selectHiddenPages(at: now, after: last, limit: limit))
    .map(DueEmployee.init(from:))
}

func selectHiddenPages(at now: Instant?, after last: DueEmployee?, limit: Int32) -> SQL {
  """
  SELECT employee_id, due_at
  FROM (SELECT employee_id, hidden_at + wait AS due_at FROM (\(fragment: hiddenPages)) AS hidden)
    AS page
  WHERE due_at <= \(statementTime: now)
    AND (\(last?.dueAt) IS NULL OR (due_at, employee_id)
      > (\(last?.dueAt), \(last?.employee.rawValue)))
  ORDER BY due_at, employee_id
  LIMIT \(limit)
  """
}

/// Notes that `employee` is reminded; `nil` if another instance was first, or the page is back.
/// - Returns: The open shift.
package func noteHiddenReminder(
  of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> Int32? {
  try session.run(updateHiddenReminder(of: employee, at: now))
    .first { (row) throws(PostgresError) in try row.next() }
}

func updateHiddenReminder(of employee: EmployeeID, at now: Instant) -> SQL {
  """
  UPDATE shift SET hidden_reminder_at = \(now)
  FROM (\(fragment: hiddenPages)) AS page
  WHERE shift.employee_id = \(employee.rawValue) AND page.employee_id = \(employee.rawValue)
    AND shift.shift_no = page.open_shift AND shift.hidden_reminder_at IS NULL
    AND \(now) - page.hidden_at >= page.wait
  RETURNING shift.shift_no
  """
}

/// The pages that are hidden now, since when, and how long their employees have until the reminder
/// of this shift.
private let hiddenPages: StaticString = """
  SELECT state.employee_id, state.open_shift,
    greatest(contact.sign_of_life_at, state.break_ended_at, state.taken_over_at) AS hidden_at,
    policy.hidden_reminder_after_ms * interval '1 ms' AS wait
  FROM guard_state AS state
  JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  JOIN shift AS open ON open.employee_id = state.employee_id AND open.shift_no = state.open_shift
  JOIN employee ON employee.employee_id = state.employee_id
  JOIN team ON team.team_id = employee.team_id
  JOIN policy_version AS policy
    ON policy.team_id = team.team_id AND policy.version = team.policy_version
  WHERE contact.hidden AND contact.sign_of_life_at >= state.opened_at
    AND open.hidden_reminder_at IS NULL
    AND (state.break_no IS NULL OR state.break_ended_at IS NOT NULL)
    -- Not under advisory.
    AND policy.hidden_reminder_after_ms > 0 AND policy.preset <> 2
  """
