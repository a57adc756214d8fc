public import Postgres
public import ShiftDomain

// Table notification: the outbox.

/// A message about an incident, on its way into the outbox.
public struct IncidentMessage: Hashable, Sendable {
  /// The incident.
  public var incident: IncidentID
  /// Its place among that incident's messages, from 1.
  public var ordinal: Int16
  /// What it is about.
  public var kind: IncidentKind
  /// When it may be sent.
  public var dueAt: Instant
  /// Whether it cannot wait.
  public var isUrgent: Bool

  /// A message.
  public init(
    incident: IncidentID, ordinal: Int16, kind: IncidentKind, dueAt: Instant, isUrgent: Bool
  ) {
    self.incident = incident
    self.ordinal = ordinal
    self.kind = kind
    self.dueAt = dueAt
    self.isUrgent = isUrgent
  }
}

/// Topic 0: an incident.
private let incidentTopic: Int16 = 0

/// How many slots spread one employee's messages over the workers.
private let slots: Int32 = 64

/// Queues a message in the caller's transaction: it exists exactly when the fact does.
public func enqueue(_ message: IncidentMessage) -> SQL {
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, slot, kind, urgent, due_at)
  VALUES (
    \(message.incident.employee.rawValue), \(incidentTopic), \(message.incident.number),
    \(message.ordinal), \(Int16(message.incident.employee.rawValue % slots)),
    \(Int16(message.kind.rawValue)), \(message.isUrgent), \(message.dueAt))
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
public struct WaitingMessage: Hashable, Sendable {
  /// The message.
  public var message: IncidentMessage
  /// When it was queued.
  public var queuedAt: Instant
  /// How often it was tried.
  public var attempts: Int16
}

/// The messages of `employee`, or of everybody, that wait longest.
public func waitingMessages(of employee: EmployeeID?, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [WaitingMessage]
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
  var messages: [WaitingMessage] = []
  for row in 0..<rows.count {
    let code: Int16 = try rows.value(row, 3)
    guard let raw = UInt8(exactly: code), let kind = IncidentKind(rawValue: raw) else {
      throw .broken(nil, detail: "\(code) is no IncidentKind")
    }
    messages.append(
      WaitingMessage(
        message: IncidentMessage(
          incident: IncidentID(
            employee: EmployeeID(try rows.value(row, 0)), number: try rows.value(row, 1)),
          ordinal: try rows.value(row, 2), kind: kind, dueAt: try rows.value(row, 5),
          isUrgent: try rows.value(row, 4)),
        queuedAt: try rows.value(row, 6), attempts: try rows.value(row, 7)))
  }
  return messages
}
