import Postgres
import ReadModels
import ShiftDomain

// Tables inbox and live_stream: notifications for an open app. A stream of events has its row in
// live_stream while it is open, reads the inbox from the last number that it wrote, and marks what
// it wrote.

/// A notification for an employee's open app; its text is written when the device is known.
package struct InboxEntry: Hashable, Sendable {
  /// Its number within the employee, from 1; increasing.
  package var number: Int32
  package var notification: ShiftNotification
  package var createdAt: Instant
  package var writtenAt: Instant?
}

/// Puts a notification into the employee's inbox, once.
/// INVARIANT: the caller holds the notification's lease.
package func deliver(_ notification: ShiftNotification, to employee: EmployeeID, at now: Instant)
  -> SQL
{
  """
  INSERT INTO inbox (
    employee_id, notification_no, topic, subject, ordinal, kind, urgent, created_at)
  SELECT \(employee.rawValue), coalesce(max(notification_no), 0) + 1, \(notification.topic.column),
    \(notification.subject), \(notification.ordinal), \(notification.kind?.column),
    \(notification.isUrgent), \(now)
  FROM inbox WHERE employee_id = \(employee.rawValue)
  ON CONFLICT (employee_id, topic, subject, ordinal) DO NOTHING
  """
}

func selectInbox(of employee: EmployeeID, after number: Int32, limit: Int32) -> SQL {
  """
  SELECT notification_no, \(fragment: ShiftNotification.columns), created_at, written_at
  FROM inbox
  WHERE employee_id = \(employee.rawValue) AND notification_no > \(number)
  ORDER BY notification_no LIMIT \(limit)
  """
}

package func inboxEntries(
  of employee: EmployeeID, after number: Int32, limit: Int32, on session: inout Session
) throws(PostgresError) -> [InboxEntry] {
  try session.run(selectInbox(of: employee, after: number, limit: limit)).map {
    (row) throws(PostgresError) in
    let (number, notification) = (try row.next() as Int32, try ShiftNotification(from: &row))
    return InboxEntry(
      number: number, notification: notification, createdAt: notification.dueAt,
      writtenAt: try row.next())
  }
}

/// Marks the employee's notifications up to this number as received by an app. Those in the outbox
/// that wait for that are processed by the next worker, a second after their delivery.
package func markWritten(upTo number: Int32, of employee: EmployeeID, at now: Instant) -> SQL {
  """
  UPDATE inbox SET written_at = \(now)
  WHERE employee_id = \(employee.rawValue) AND notification_no <= \(number) AND written_at IS NULL
  """
}

package struct InboxState: Hashable, Sendable {
  /// What impaired tracking in it; `nil` if nothing did.
  package var kind: IncidentKind?
  package var createdAt: Instant
  /// When an app first received it.
  package var writtenAt: Instant?

  package init(kind: IncidentKind?, createdAt: Instant, writtenAt: Instant? = nil) {
    self.kind = kind
    self.createdAt = createdAt
    self.writtenAt = writtenAt
  }
}

/// The states of all that was delivered to the open apps of `employees` since `start`, and at any
/// time with these topics about these subjects; of each employee the newest.
func selectInboxStates(
  of employees: [EmployeeID], since start: Instant, topics: [Int16], subjects: [Int32]
) -> SQL {
  """
  SELECT employee_id, \(fragment: ShiftNotification.columns), created_at, written_at
  FROM (
    SELECT employee_id, \(fragment: ShiftNotification.columns), created_at, written_at,
      row_number() OVER (PARTITION BY employee_id ORDER BY notification_no DESC) AS place
    FROM inbox
    WHERE employee_id \(equalsAny: employees.map(\.rawValue))
      AND (created_at >= \(start) OR topic = ANY (\(topics)) AND subject = ANY (\(subjects)))
  ) AS newest
  WHERE place <= 500
  """
}

/// Marks a device's stream of events as open here, for `span` from now.
package func holdStream(
  of device: DeviceID, in session: String? = nil, at instance: Int64, for span: TimeSpan,
  from fixedNow: Instant?
) -> SQL {
  """
  INSERT INTO live_stream (employee_id, device_no, instance_id, open_until, app_session)
  VALUES (
    \(device.employee.rawValue), \(device.number), \(instance),
    \(statementTime: fixedNow)
      + \(span.milliseconds) * interval '1 millisecond', \(session))
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET instance_id = excluded.instance_id, open_until = excluded.open_until,
    app_session = excluded.app_session
  """
}

/// A device's stream at this instance has ended; one at another instance continues.
package func endStream(of device: DeviceID, at instance: Int64) -> SQL {
  """
  DELETE FROM live_stream
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND instance_id = \(instance)
  """
}
