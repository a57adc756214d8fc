import Postgres
import ReadModels
import ShiftDomain

// Table detection: each opening or worsening of an incident by a report, and how long it took.

/// Stores a detection that is to be measured.
/// INVARIANT: in the transaction that opens or worsens the incident.
package func insert(_ row: DetectionRow) -> SQL {
  """
  INSERT INTO detection (employee_id, report_id, incident_no, kind, worsened, received_at)
  VALUES (
    \(row.incident.employee.rawValue), \(row.report.rawValue), \(row.incident.number),
    \(row.kind.column), \(row.worsened), \(row.receivedAt))
  """
}

/// Stores how long the detections of a report took, once.
package func measured(_ report: ReportID, of employee: EmployeeID, elapsed: TimeSpan) -> SQL {
  """
  UPDATE detection SET elapsed_ms = \(elapsed.column)
  WHERE employee_id = \(employee.rawValue) AND report_id = \(report.rawValue)
    AND elapsed_ms IS NULL
  """
}

package func deleteDetections(before cutoff: Instant) -> SQL {
  "DELETE FROM detection WHERE received_at < \(cutoff)"
}

package func detections(
  in scope: TeamScope, since start: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DetectionRow] {
  try session.run(
    """
    SELECT detection.employee_id, detection.incident_no, report_id, detection.kind, worsened,
      received_at, elapsed_ms, employee.name, incident.shift_no
    FROM detection
    JOIN employee ON employee.employee_id = detection.employee_id
    LEFT JOIN incident ON incident.employee_id = detection.employee_id
      AND incident.incident_no = detection.incident_no
    WHERE received_at >= \(start)
      AND \(employeeIn: scope)
    ORDER BY received_at, detection.employee_id
    LIMIT \(limit)
    """
  ).map { (row) throws(PostgresError) in
    let incident = try IncidentID(from: &row)
    var detection = DetectionRow(
      incident, by: try row.next(), kind: try row.next(), worsened: try row.next(),
      receivedAt: try row.next())
    detection.elapsed = try row.next()
    detection.name = try row.next()
    let shift: Int32? = try row.next()
    detection.shift = shift.map { ShiftID(employee: incident.employee, number: $0) }
    return detection
  }
}
