import Postgres
import ReadModels
import ShiftDomain

// Tables live_stream and inbox, as the streams of one instance use them: all of them at once, in
// one statement each. Every stream gets a new number; the one in live_stream is the current stream,
// so the column identifies the instance and the stream.

extension LiveStream {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(of: try DeviceID(from: &row), number: try row.next())
  }
}

/// The maximum number of unread notifications at the start of a new stream, the newest ones.
private let unreadMax: Int32 = 50
/// The maximum number of notifications read at once; a stream that needs more reads again.
let streamEventsMax: Int32 = 500

func selectPosition(of employee: EmployeeID, after last: Int32?, at fixedNow: Instant?) -> SQL {
  """
  SELECT CASE WHEN \(last) IS NOT NULL THEN least(\(last), newest) ELSE
    coalesce(
      (SELECT min(notification_no) - 1 FROM (
        SELECT notification_no FROM inbox
        WHERE employee_id = \(employee.rawValue) AND written_at IS NULL
          AND created_at > \(now: fixedNow) - interval '24 hours'
        ORDER BY notification_no DESC LIMIT \(unreadMax)) AS unread), newest) END
  FROM (
    SELECT coalesce(max(notification_no), 0) AS newest FROM inbox
    WHERE employee_id = \(employee.rawValue)) AS inbox_end
  """
}

/// The notification after which a stream begins: `last`, the last one read, or, if that is unknown,
/// the last one before those of the last day that no app has received.
package func position(
  of employee: EmployeeID, after last: Int32?, at fixedNow: Instant?, on session: inout Session
) throws(PostgresError) -> Int32 {
  try session.run(selectPosition(of: employee, after: last, at: fixedNow)).value(0, 0)
}

/// The numbers of those among `streams` that are still their device's current ones. An erased
/// employee has none, whoever has the number now.
func selectCurrentStreams(_ streams: [LiveStream]) -> SQL {
  """
  SELECT coalesce(array_agg(item.number), '{}')
  FROM unnest(\(streams.employees), \(streams.devices), \(streams.map(\.number)))
    AS item (employee_id, device_no, number)
  JOIN live_stream AS stored
    ON stored.employee_id = item.employee_id AND stored.device_no = item.device_no
      AND stored.instance_id = item.number
  JOIN device
    ON device.employee_id = stored.employee_id AND device.device_no = stored.device_no
  WHERE device.revoked_at IS NULL
  """
}

func selectEvents(after positions: [StreamPosition]) -> SQL {
  let streams = positions.map(\.stream)
  return """
    SELECT inbox.employee_id, item.device_no, item.number, inbox.notification_no, inbox.topic,
      inbox.subject, inbox.ordinal, inbox.kind, inbox.urgent, inbox.created_at,
      coalesce(
        (
          SELECT max(incident.opened_at) FROM incident
          WHERE incident.employee_id = inbox.employee_id
            AND coalesce(incident.episode, incident.incident_no) = inbox.subject
            AND incident.kind = inbox.kind AND inbox.topic IN (
              \(NotificationTopic.incident.column), \(NotificationTopic.unstable.column))),
        inbox.created_at)
    FROM unnest(
      \(streams.employees), \(streams.devices), \(streams.map(\.number)), \(positions.map(\.last)))
      AS item (employee_id, device_no, number, last)
    JOIN inbox ON inbox.employee_id = item.employee_id AND inbox.notification_no > item.last
    ORDER BY inbox.employee_id, item.device_no, inbox.notification_no
    LIMIT \(streamEventsMax)
    """
}

/// The versions of their employees' states, which every change of one increments.
func selectVersions(for streams: [LiveStream]) -> SQL {
  """
  SELECT employee_id, version FROM guard_state WHERE employee_id = ANY(\(streams.employees))
  """
}

/// The changes for streams: which must end, because their device was revoked or erased, or opened
/// another stream elsewhere, the notifications for the rest, in order, at most 500, and the
/// versions of their employees' states.
package func news(for positions: [StreamPosition], on session: inout Session)
  throws(PostgresError) -> (
    lost: Set<LiveStream>, events: [StreamEvent], versions: [EmployeeID: Int64]
  )
{
  var lost: Set<LiveStream> = []
  var events: [StreamEvent] = []
  var versions: [EmployeeID: Int64] = [:]
  let streams = positions.map(\.stream)
  try session.pipeline([
    selectCurrentStreams(streams), selectEvents(after: positions), selectVersions(for: streams),
  ]) { (position, rows) throws(PostgresError) in
    switch position {
    case 0:
      let current = Set(try rows.value(0, 0) as [Int64])
      lost = Set(streams.lazy.filter { !current.contains($0.number) })
    case 1:
      events = try rows.map { (row) throws(PostgresError) in
        StreamEvent(
          stream: try LiveStream(from: &row), number: try row.next(),
          notification: try ShiftNotification(from: &row), occurredAt: try row.next())
      }
      events.removeAll { lost.contains($0.stream) }
    default:
      try rows.forEach { (row) throws(PostgresError) in
        versions[try row.next()] = try row.next()
      }
    }
  }
  return (lost, events, versions)
}

/// Extends these streams, sorted and one per device, unless their device has opened another one,
/// or is gone.
package func renew(_ streams: [LiveStream], for span: TimeSpan, at fixedNow: Instant?) -> SQL {
  """
  INSERT INTO live_stream AS stored (employee_id, device_no, instance_id, open_until)
  SELECT held.employee_id, held.device_no, held.instance_id,
    \(statementTime: fixedNow) + \(span.milliseconds) * interval '1 millisecond'
  FROM unnest(\(streams.employees), \(streams.devices), \(streams.map(\.number)))
    AS item (employee_id, device_no, number)
  JOIN live_stream AS held
    ON held.employee_id = item.employee_id AND held.device_no = item.device_no
      AND held.instance_id = item.number
  ORDER BY held.employee_id, held.device_no
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET open_until = excluded.open_until WHERE stored.instance_id = excluded.instance_id
  """
}

/// Marks a notification as received by an app, `communicated` after its evidence was read.
package func markWritten(
  _ number: Int32, of employee: EmployeeID, communicated: TimeSpan?, at fixedNow: Instant?
) -> SQL {
  """
  UPDATE inbox
  SET written_at = \(statementTime: fixedNow),
    delivery_ms = \(communicated?.column)
  WHERE employee_id = \(employee.rawValue) AND notification_no = \(number) AND written_at IS NULL
  """
}

extension [LiveStream] {
  fileprivate var employees: [Int32] { map(\.device.employee.rawValue) }
  fileprivate var devices: [Int16] { map(\.device.number) }
}

extension TimeSpan {
  /// The span as an int column of milliseconds, clamped at 24 days.
  fileprivate var column: Int32 { Int32(clamping: milliseconds) }
}
