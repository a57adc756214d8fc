import Postgres
import ReadModels
import ShiftDomain

// Tables shift and incident as lists: newest first, page by page.

/// The shifts of a list.
package func shifts(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftRow]
{
  try session.run(selectShifts(filter, limit: limit)).map(ShiftRow.init(from:))
}

package func incidents(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [IncidentRow]
{
  try session.run(
    """
    SELECT \(fragment: IncidentRow.columns)
    FROM incident
    \(fragment: shiftOfIncident)
    JOIN employee ON employee.employee_id = incident.employee_id
    WHERE \(employeeIn: filter.scope, asked: filter.employee)
      AND (\(filter.employee?.rawValue) IS NULL
        OR incident.employee_id = \(filter.employee?.rawValue))
      AND (\(filter.isOpen) IS NULL OR (closed_at IS NULL) = \(filter.isOpen))
      AND opened_at >= coalesce(\(filter.from), '-infinity')
      AND opened_at < coalesce(\(filter.to), 'infinity')
      AND \(after: filter.after, time: "opened_at", employee: "incident.employee_id",
        number: "incident_no")
      AND \(fragment: isInTrackedTime)
    ORDER BY opened_at DESC, incident.employee_id, incident_no DESC
    LIMIT \(limit)
    """
  ).map(IncidentRow.init(from:))
}
