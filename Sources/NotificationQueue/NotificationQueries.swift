public import Postgres
public import ShiftDomain

// Table notification: the outbox, for writers into it. Delivery is in `ClaimQueries.swift`.

/// Queues a notification in the caller's transaction: it exists exactly if the fact does.
public func enqueue(_ notification: ShiftNotification, for employee: EmployeeID) -> SQL {
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, kind, urgent, due_at)
  VALUES (
    \(employee.rawValue), \(notification.topic.column), \(notification.subject),
    \(notification.ordinal), \(notification.kind?.column), \(notification.isUrgent),
    \(notification.dueAt))
  """
}

/// Changes an unclaimed notification.
public func amend(_ notification: ShiftNotification, for employee: EmployeeID) -> SQL {
  """
  UPDATE notification SET kind = \(notification.kind?.column), urgent = \(notification.isUrgent)
  WHERE employee_id = \(employee.rawValue) AND topic = \(notification.topic.column)
    AND subject = \(notification.subject) AND ordinal = \(notification.ordinal) AND lease = 0
  """
}

/// Cancels an unclaimed notification.
public func cancel(notificationAbout incident: IncidentID, ordinal: Int16) -> SQL {
  """
  DELETE FROM notification
  WHERE employee_id = \(incident.employee.rawValue)
    AND topic = \(NotificationTopic.incident.column) AND subject = \(incident.number)
    AND ordinal = \(ordinal) AND lease = 0
  """
}

/// A notification in the outbox.
public struct WaitingNotification: Hashable, Sendable {
  /// The employee it is about: it goes to them, or to the managers of their team.
  public var employee: EmployeeID
  /// The notification.
  public var notification: ShiftNotification
  /// When it was queued.
  public var queuedAt: Instant
  /// The number of attempts.
  public var attempts: Int16
  /// When it is processed next.
  public var nextAt: Instant
}

/// The pending notifications about `employee`, or about all employees, oldest first.
public func waitingNotifications(of employee: EmployeeID?, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [WaitingNotification]
{
  let rows = try session.run(
    """
    SELECT employee_id, topic, subject, ordinal, kind, urgent, coalesce(first_due_at, due_at),
      queued_at, attempts, due_at
    FROM notification
    WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    ORDER BY queued_at, employee_id, topic, subject, ordinal
    LIMIT \(limit)
    """)
  var waiting: [WaitingNotification] = []
  for row in 0..<rows.count {
    waiting.append(
      WaitingNotification(
        employee: EmployeeID(try rows.value(row, 0)),
        notification: try rows.notification(row, from: 1),
        queuedAt: try rows.value(row, 7), attempts: try rows.value(row, 8),
        nextAt: try rows.value(row, 9)))
  }
  return waiting
}

extension Rows {
  /// A notification whose topic, subject, ordinal, kind, urgency and due time begin at `column`.
  func notification(_ row: Int, from column: Int) throws(PostgresError) -> ShiftNotification {
    ShiftNotification(
      try coded(row, column), subject: try value(row, column + 1),
      ordinal: try value(row, column + 2), kind: try codedIfPresent(row, column + 3),
      dueAt: try value(row, column + 5), isUrgent: try value(row, column + 4))
  }
}

/// The number of the next test for `employee`. Two concurrent tests get the same number, and the
/// second one fails.
public func nextTest(of employee: EmployeeID, on session: inout Session) throws(PostgresError)
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
