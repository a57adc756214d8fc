import Postgres
import ReadModels
import ShiftDomain

// Table notification: the outbox, for writers into it. Delivery is in `ClaimQueries.swift`.

/// Queues a notification in the caller's transaction: it exists exactly if the fact does.
package func enqueue(_ notification: ShiftNotification, for employee: EmployeeID) -> SQL {
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, kind, urgent, due_at)
  VALUES (
    \(employee.rawValue), \(notification.topic.column), \(notification.subject),
    \(notification.ordinal), \(notification.kind?.column), \(notification.isUrgent),
    \(notification.dueAt))
  """
}

/// Queues a notification, unless the same one waits already.
package func enqueueOnce(_ notification: ShiftNotification, for employee: EmployeeID) -> SQL {
  var statement = enqueue(notification, for: employee)
  statement.append(fragment: " ON CONFLICT (employee_id, topic, subject, ordinal) DO NOTHING")
  return statement
}

package func amend(_ notification: ShiftNotification, for employee: EmployeeID) -> SQL {
  """
  UPDATE notification SET kind = \(notification.kind?.column), urgent = \(notification.isUrgent)
  WHERE employee_id = \(employee.rawValue) AND topic = \(notification.topic.column)
    AND subject = \(notification.subject) AND ordinal = \(notification.ordinal) AND lease = 0
  """
}

package func cancel(notificationAbout incident: IncidentID, ordinal: Int16) -> SQL {
  """
  DELETE FROM notification
  WHERE employee_id = \(incident.employee.rawValue)
    AND topic = \(NotificationTopic.incident.column) AND subject = \(incident.number)
    AND ordinal = \(ordinal) AND lease = 0
  """
}

/// Lets an employee's notifications about interruptions, overrides, take-overs and times away that
/// were processed before, and are not leased, be decided again at `instant` at the latest.
package func review(notificationsOf employee: EmployeeID, at instant: Instant) -> SQL {
  """
  UPDATE notification SET due_at = \(instant)
  WHERE employee_id = \(employee.rawValue) AND first_due_at IS NOT NULL AND NOT leased
    AND due_at > \(instant) AND topic IN (
      \(NotificationTopic.incident.column), \(NotificationTopic.unstable.column),
      \(NotificationTopic.restored.column), \(NotificationTopic.clockInAllowed.column),
      \(NotificationTopic.appTookOver.column), \(NotificationTopic.away.column))
  """
}

/// The pending notifications about `employee`, or about all employees, oldest first.
package func waitingNotifications(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil,
  limit: Int32, on session: inout Session
) throws(PostgresError) -> [NotificationRow] {
  try session.run(selectWaitingNotifications(of: employee, in: scope, since: since, limit: limit))
    .map(NotificationRow.init(waiting:))
}

func selectWaitingNotifications(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil, limit: Int32
) -> SQL {
  """
  SELECT employee_id, \(fragment: ShiftNotification.columns),
    coalesce(first_due_at, due_at), queued_at, attempts, due_at
  FROM notification
  WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    AND queued_at >= coalesce(\(since), '-infinity')
    AND EXISTS (
      SELECT FROM employee WHERE employee.employee_id = notification.employee_id
        AND \(employeeIn: scope, asked: employee))
  ORDER BY queued_at, employee_id, topic, subject, ordinal
  LIMIT \(limit)
  """
}

extension NotificationRow {
  init(waiting row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), notification: try ShiftNotification(from: &row),
      queuedAt: try row.next(), attempts: try row.next(), nextAt: try row.next())
  }
}

extension ShiftNotification {
  /// To be followed by when it is due.
  static let columns: StaticString = "topic, subject, ordinal, kind, urgent"

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      try row.next(), subject: try row.next(), ordinal: try row.next(), kind: try row.next(),
      dueAt: Instant(milliseconds: 0), isUrgent: try row.next())
    dueAt = try row.next()
  }
}

/// The number of the next test.
/// INVARIANT: the employee is held until the transaction ends.
package func nextTest(of employee: EmployeeID, on session: inout Session) throws(PostgresError)
  -> Int32
{
  try session.run(
    """
    SELECT 1 + greatest(
      (SELECT max(subject) FROM notification
        WHERE employee_id = \(employee.rawValue) AND topic = \(NotificationTopic.test.column)),
      (SELECT max(subject) FROM notification_history
        WHERE employee_id = \(employee.rawValue) AND topic = \(NotificationTopic.test.column)), 0)
    """
  ).value(0, 0)
}

/// The number of the next copy of a digest.
/// INVARIANT: the employee is held until the transaction ends.
package func nextDigestCopy(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Int32
{
  try session.run(selectNextDigestCopy(of: employee)).value(0, 0)
}

func selectNextDigestCopy(of employee: EmployeeID) -> SQL {
  """
  SELECT 1 + greatest(
    (SELECT max(subject) FROM notification WHERE employee_id = \(employee.rawValue)
      AND topic = \(NotificationTopic.weeklyDigest.column) AND ordinal < 0),
    (SELECT max(subject) FROM notification_history WHERE employee_id = \(employee.rawValue)
      AND topic = \(NotificationTopic.weeklyDigest.column) AND ordinal < 0), 0)
  """
}

/// The next ordinal of the notifications with this topic and subject.
/// INVARIANT: the employee is held until the transaction ends.
package func nextOrdinal(
  of topic: NotificationTopic, _ subject: Int32, for employee: EmployeeID,
  on session: inout Session
) throws(PostgresError) -> Int16 {
  try session.run(selectNextOrdinal(of: topic, subject, for: employee)).value(0, 0)
}

func selectNextOrdinal(of topic: NotificationTopic, _ subject: Int32, for employee: EmployeeID)
  -> SQL
{
  """
  SELECT (1 + greatest(
    (SELECT max(ordinal) FROM notification WHERE employee_id = \(employee.rawValue)
      AND topic = \(topic.column) AND subject = \(subject)),
    (SELECT max(ordinal) FROM notification_history WHERE employee_id = \(employee.rawValue)
      AND topic = \(topic.column) AND subject = \(subject)),
    (SELECT max(ordinal) FROM inbox WHERE employee_id = \(employee.rawValue)
      AND topic = \(topic.column) AND subject = \(subject)), 0))::smallint
  """
}

extension SQL.Interpolation {
  /// A condition on the table `employee`, which `ShiftStore` has too: in `scope`, and practice
  /// employees only if it names their team, or the statement is about the employee `asked` alone.
  mutating func appendInterpolation(employeeIn scope: TeamScope, asked employee: EmployeeID?) {
    appendLiteral("(employee.team_id = ANY (")
    appendInterpolation(scope.numbers)
    appendLiteral(") OR ")
    appendInterpolation(scope.numbers)
    appendLiteral(" IS NULL AND (employee.practice_until IS NULL OR ")
    appendInterpolation(employee?.rawValue)
    appendLiteral(" IS NOT NULL))")
  }
}
