import Postgres
import ReadModels
import ShiftDomain

// Tables notification, notification_history and delivery_attempt: the notifications of an
// incident.

/// The notifications about `incident` queued since `start`, in that order.
package func notifications(
  about incident: IncidentID, since start: Instant, on session: inout Session
) throws(PostgresError) -> [NotificationEntry] {
  var notifications: [NotificationEntry] = []
  try session.pipeline([
    selectNotifications(about: incident, since: start),
    selectDeliveryAttempts(of: [incident.employee], since: start),
  ]) { (position, rows) throws(PostgresError) in
    guard position == 0 else {
      for attempt in try rows.deliveryAttempts() {
        let place = notifications.firstIndex { $0.row.id == attempt.id }
        if let place { notifications[place].attempts.append(attempt) }
      }
      return
    }
    notifications = try rows.map { (row) throws(PostgresError) in
      NotificationEntry(
        row: NotificationRow(
          employee: incident.employee, notification: try ShiftNotification(from: &row),
          queuedAt: try row.next(), attempts: try row.next(), nextAt: try row.next(),
          finishedAt: try row.next(), ending: try row.next(), reason: try row.next()),
        attempts: [])
    }
  }
  return notifications
}

func selectNotifications(about incident: IncidentID, since start: Instant) -> SQL {
  let topics = [
    NotificationTopic.incident.column, NotificationTopic.unstable.column,
    NotificationTopic.restored.column,
  ]
  let (employee, number) = (incident.employee.rawValue, incident.number)
  return """
    SELECT topic, subject, ordinal, kind, urgent, due_at, queued_at, attempts, next_at,
      finished_at, outcome, reason
    FROM (
      SELECT topic, subject, ordinal, kind, urgent, coalesce(first_due_at, due_at) AS due_at,
        queued_at, attempts, due_at AS next_at, NULL::timestamptz AS finished_at,
        NULL::smallint AS outcome, NULL::text AS reason
      FROM notification
      WHERE employee_id = \(employee) AND subject = \(number) AND topic = ANY (\(topics))
      UNION ALL
      SELECT topic, subject, ordinal, kind, urgent, due_at, queued_at, attempts, NULL, finished_at,
        outcome, reason
      FROM notification_history
      WHERE employee_id = \(employee) AND subject = \(number) AND topic = ANY (\(topics))
        AND finished_at >= \(start)
    ) AS listed
    ORDER BY queued_at, topic, ordinal
    """
}
