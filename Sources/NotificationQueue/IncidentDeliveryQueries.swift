import Postgres
import ReadModels
import ShiftDomain

// Tables inbox and delivery_attempt: deliveries about an incident, for managers.

/// The deliveries about `incidents`, in order.
/// - Parameter start: No notification about them is older.
package func incidentDeliveries(
  of incidents: [IncidentID], since start: Instant
) -> Query<[IncidentID: [IncidentDelivery]]> {
  guard !incidents.isEmpty else { return Query(known: [:]) }
  return Query(selectIncidentDeliveries(of: incidents, since: start)) {
    (rows) throws(PostgresError) in
    var found: [IncidentID: [IncidentDelivery]] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      found[try IncidentID(from: &row), default: []].append(
        IncidentDelivery(step: try row.next(), at: try row.next()))
    }
    return found
  }
}

func selectIncidentDeliveries(of incidents: [IncidentID], since start: Instant) -> SQL {
  let topics = [NotificationTopic.incident.column, NotificationTopic.unstable.column]
  return """
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest(\(incidents.map(\.employee.rawValue)), \(incidents.map(\.number)))
        AS wanted (employee_id, subject))
    SELECT employee_id, subject, step, min(at) AS at
    FROM (
      SELECT employee_id, subject, \(EscalationStep.inApp.column) AS step, written_at AS at
      FROM wanted JOIN inbox USING (employee_id, subject)
      WHERE topic = ANY (\(topics)) AND written_at IS NOT NULL
      UNION ALL
      SELECT employee_id, subject, step, coalesce(ended_at, started_at)
      FROM wanted JOIN delivery_attempt USING (employee_id, subject)
      WHERE topic = ANY (\(topics)) AND started_at >= \(start)
        AND outcome IN (\(DeliveryOutcome.accepted.column), \(DeliveryOutcome.inDigest.column))
    ) AS delivery
    GROUP BY employee_id, subject, step
    ORDER BY employee_id, subject, at, step
    """
}

/// The number of deliveries about open incidents, by employee: it changes with every delivery.
package func incidentDeliveryCounts(since start: Instant, on session: inout Session)
  throws(PostgresError) -> [EmployeeID: Int64]
{
  let topics = [NotificationTopic.incident.column, NotificationTopic.unstable.column]
  let rows = try session.run(
    """
    SELECT employee_id, count(*)
    FROM (
      SELECT incident.employee_id
      FROM incident
      JOIN inbox ON inbox.employee_id = incident.employee_id
        AND inbox.subject = coalesce(incident.episode, incident.incident_no)
      WHERE incident.closed_at IS NULL AND inbox.topic = ANY (\(topics))
        AND inbox.written_at IS NOT NULL
      UNION ALL
      SELECT incident.employee_id
      FROM incident
      JOIN delivery_attempt AS attempt ON attempt.employee_id = incident.employee_id
        AND attempt.subject = coalesce(incident.episode, incident.incident_no)
      WHERE incident.closed_at IS NULL AND attempt.topic = ANY (\(topics))
        AND attempt.started_at >= \(start)
        AND attempt.outcome IN (\(DeliveryOutcome.accepted.column),
        \(DeliveryOutcome.inDigest.column))
    ) AS delivery
    GROUP BY employee_id
    """)
  var counts: [EmployeeID: Int64] = [:]
  try rows.forEach { (row) throws(PostgresError) in counts[try row.next()] = try row.next() }
  return counts
}
