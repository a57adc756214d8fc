public import GuardRules
public import Postgres
public import ShiftDomain

// Table notification: the outbox.

/// Topic 0: an incident.
private let incidentTopic: Int16 = 0

/// How many slots spread one employee's messages over the workers.
private let slots: Int32 = 64

/// Queues a message in the caller's transaction: it exists exactly when the fact does.
public func enqueue(_ notice: Notice, for employee: EmployeeID) -> SQL {
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, slot, kind, urgent, due_at)
  VALUES (
    \(employee.rawValue), \(incidentTopic), \(notice.incident), \(notice.ordinal),
    \(Int16(employee.rawValue % slots)), \(Int16(notice.kind.rawValue)), \(notice.isUrgent),
    \(notice.dueAt))
  """
}

/// Changes what a message is about that nobody has claimed yet.
public func amend(_ notice: Notice, for employee: EmployeeID) -> SQL {
  """
  UPDATE notification SET kind = \(Int16(notice.kind.rawValue)), urgent = \(notice.isUrgent)
  WHERE employee_id = \(employee.rawValue) AND topic = \(incidentTopic)
    AND subject = \(notice.incident) AND ordinal = \(notice.ordinal) AND lease = 0
  """
}

/// Takes a message back that nobody has claimed yet.
public func cancel(messageAbout incident: IncidentID, ordinal: Int16) -> SQL {
  """
  DELETE FROM notification
  WHERE employee_id = \(incident.employee.rawValue) AND topic = \(incidentTopic)
    AND subject = \(incident.number) AND ordinal = \(ordinal) AND lease = 0
  """
}

/// A message in the outbox.
public struct WaitingNotice: Hashable, Sendable {
  /// For whom.
  public var employee: EmployeeID
  /// The message.
  public var notice: Notice
  /// When it was queued.
  public var queuedAt: Instant
  /// How often it was tried.
  public var attempts: Int16
}

/// The messages of `employee`, or of everybody, that wait longest.
public func waitingNotices(of employee: EmployeeID?, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [WaitingNotice]
{
  let rows = try session.run(
    """
    SELECT employee_id, subject, ordinal, kind, urgent, due_at, queued_at, attempts
    FROM notification
    WHERE topic = \(incidentTopic)
      AND (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    ORDER BY queued_at, employee_id, subject, ordinal
    LIMIT \(limit)
    """)
  var waiting: [WaitingNotice] = []
  for row in 0..<rows.count {
    let code: Int16 = try rows.value(row, 3)
    guard let raw = UInt8(exactly: code), let kind = IncidentKind(rawValue: raw) else {
      throw .broken(nil, detail: "\(code) is no IncidentKind")
    }
    waiting.append(
      WaitingNotice(
        employee: EmployeeID(try rows.value(row, 0)),
        notice: Notice(
          incident: try rows.value(row, 1), ordinal: try rows.value(row, 2), kind: kind,
          dueAt: try rows.value(row, 5), isUrgent: try rows.value(row, 4)),
        queuedAt: try rows.value(row, 6), attempts: try rows.value(row, 7)))
  }
  return waiting
}
