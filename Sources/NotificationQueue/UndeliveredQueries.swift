import Postgres
import ReadModels
import ShiftDomain

// Tables notification, notification_history and those of addresses: why nobody was notified of an
// incident, for managers.

/// Why nobody was notified of `incidents`; incidents are left out if somebody was notified, or
/// nobody should be. No notification about them is older than `start`.
package func undelivered(
  of incidents: [IncidentID], since start: Instant
) -> Query<[IncidentID: Undelivered]> {
  guard !incidents.isEmpty else { return Query(known: [:]) }
  return Query(selectUndelivered(of: incidents, since: start)) { (rows) throws(PostgresError) in
    var found: [IncidentID: Undelivered] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let (incident, hasFailed) = (try IncidentID(from: &row), try row.next() as Bool)
      let ways = try NotificationWays(from: &row)
      let missing =
        (ways.hasPush ? [] : [EscalationStep.push]) + (ways.hasEmail ? [] : [.email])
        + (ways.hasContact ? [] : [.managers])
      found[incident] = Undelivered(
        reason: hasFailed ? .failed : missing.count == 3 ? .noChannel : .pending, missing: missing)
    }
    return found
  }
}

/// Whether push and e-mail are set up for each of `known`, employees, and what contacts chose.
/// 1: the phone's notifications are off.
private let waysToNotify: StaticString = """
  EXISTS (
    SELECT FROM push_target
    JOIN device ON device.employee_id = push_target.employee_id
      AND device.device_no = push_target.device_no
    LEFT JOIN permission_report AS report ON report.employee_id = device.employee_id
      AND report.report_id = device.newest_report_id
    WHERE push_target.employee_id = known.employee_id AND device.revoked_at IS NULL
      AND report.notifications IS DISTINCT FROM 1),
  known.email IS NOT NULL,
  coalesce((
    SELECT bit_or(topics) FROM team_contact
    WHERE team_contact.team_id = known.team_id), 0::smallint)
  """

func selectUndelivered(of incidents: [IncidentID], since start: Instant) -> SQL {
  """
  WITH known AS (
    SELECT employee.employee_id, employee.team_id, employee.email, wanted.subject,
      EXISTS (
        SELECT FROM notification AS waiting
        WHERE waiting.employee_id = employee.employee_id AND waiting.subject = wanted.subject
          AND waiting.topic = \(NotificationTopic.incident.column)) AS is_waiting,
      EXISTS (
        SELECT FROM notification_history AS finished
        WHERE finished.employee_id = employee.employee_id AND finished.subject = wanted.subject
          AND finished.topic = \(NotificationTopic.incident.column)
          AND finished.finished_at >= \(start) AND finished.outcome IN (7, 8)) AS has_failed
    FROM unnest(\(incidents.map(\.employee.rawValue)), \(incidents.map(\.number)))
      AS wanted (employee_id, subject)
    JOIN employee ON employee.employee_id = wanted.employee_id)
  SELECT known.employee_id, known.subject, has_failed AND NOT is_waiting,
    \(fragment: waysToNotify)
  FROM known
  WHERE is_waiting OR has_failed
  """
}

/// The ways by which notifications about `employees` can be sent.
package func notificationWays(
  of employees: [EmployeeID]
) -> Query<[EmployeeID: NotificationWays]> {
  guard !employees.isEmpty else { return Query(known: [:]) }
  return Query(selectNotificationWays(of: employees)) { (rows) throws(PostgresError) in
    var found: [EmployeeID: NotificationWays] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let employee = EmployeeID(try row.next())
      found[employee] = try NotificationWays(from: &row)
    }
    return found
  }
}

extension NotificationWays {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      hasPush: try row.next(), hasEmail: try row.next(),
      contactTopics: ContactTopics(rawValue: try row.next()))
  }
}

func selectNotificationWays(of employees: [EmployeeID]) -> SQL {
  """
  SELECT known.employee_id,
    \(fragment: waysToNotify)
  FROM employee AS known
  WHERE known.employee_id = ANY (\(employees.map(\.rawValue)))
  """
}
