public import Postgres
public import ShiftDomain

// Table notification: the outbox, as those see it who write into it. How it is emptied stands in
// `ClaimQueries.swift`.

/// Queues a message in the caller's transaction: it exists exactly when the fact does.
public func enqueue(_ notice: Notice, for employee: EmployeeID) -> SQL {
  // The slot spread claims once; nobody reads it any more.
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, slot, kind, urgent, due_at)
  VALUES (
    \(employee.rawValue), \(notice.topic.column), \(notice.subject), \(notice.ordinal),
    \(Int16(employee.rawValue % 64)), \(notice.kind?.column), \(notice.isUrgent),
    \(notice.dueAt))
  """
}

/// Changes what a message is about that nobody has claimed yet.
public func amend(_ notice: Notice, for employee: EmployeeID) -> SQL {
  """
  UPDATE notification SET kind = \(notice.kind?.column), urgent = \(notice.isUrgent)
  WHERE employee_id = \(employee.rawValue) AND topic = \(notice.topic.column)
    AND subject = \(notice.subject) AND ordinal = \(notice.ordinal) AND lease = 0
  """
}

/// Takes a message back that nobody has claimed yet.
public func cancel(messageAbout incident: IncidentID, ordinal: Int16) -> SQL {
  """
  DELETE FROM notification
  WHERE employee_id = \(incident.employee.rawValue)
    AND topic = \(NoticeTopic.incident.column) AND subject = \(incident.number)
    AND ordinal = \(ordinal) AND lease = 0
  """
}

/// A message in the outbox.
public struct WaitingNotice: Hashable, Sendable {
  /// Whom it is about: for the employee, or for the managers of their team.
  public var employee: EmployeeID
  /// The message.
  public var notice: Notice
  /// When it was queued.
  public var queuedAt: Instant
  /// How often it was tried.
  public var attempts: Int16
  /// When it is looked at next.
  public var nextAt: Instant
}

/// The messages about `employee`, or about everybody, that wait longest.
public func waitingNotices(of employee: EmployeeID?, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [WaitingNotice]
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
  var waiting: [WaitingNotice] = []
  for row in 0..<rows.count {
    waiting.append(
      WaitingNotice(
        employee: EmployeeID(try rows.value(row, 0)), notice: try rows.notice(row, from: 1),
        queuedAt: try rows.value(row, 7), attempts: try rows.value(row, 8),
        nextAt: try rows.value(row, 9)))
  }
  return waiting
}

extension Rows {
  /// A message whose topic, subject, ordinal, kind, urgency and due time begin at `column`.
  func notice(_ row: Int, from column: Int) throws(PostgresError) -> Notice {
    Notice(
      try coded(row, column), subject: try value(row, column + 1),
      ordinal: try value(row, column + 2), kind: try codedIfPresent(row, column + 3),
      dueAt: try value(row, column + 5), isUrgent: try value(row, column + 4))
  }
}

/// The number of the next test for `employee`. Whoever takes the same at the same moment finds it
/// taken.
public func nextTest(of employee: EmployeeID, on session: inout Session) throws(PostgresError)
  -> Int32
{
  try session.run(
    """
    SELECT 1 + greatest(
      (SELECT max(subject) FROM notification
        WHERE employee_id = \(employee.rawValue) AND topic = \(NoticeTopic.test.column)),
      (SELECT max(subject) FROM notification_history
        WHERE employee_id = \(employee.rawValue) AND topic = \(NoticeTopic.test.column)), 0)
    """
  ).value(0, 0)
}
