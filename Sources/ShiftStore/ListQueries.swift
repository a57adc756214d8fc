import Postgres
import ShiftDomain

// Tables shift and incident as lists: newest first, page by page.

/// A position in a list that is ordered by time, newest first, then by employee and number.
package struct ListPlace: Hashable, Sendable {
  package var at: Instant
  package var employee: EmployeeID
  package var number: Int32

  package init(at: Instant, employee: EmployeeID, number: Int32) {
    self.at = at
    self.employee = employee
    self.number = number
  }
}

package struct ListFilter: Hashable, Sendable {
  package var scope: TeamScope
  package var employee: EmployeeID?
  /// `true`: only open entries; `false`: only closed ones.
  package var isOpen: Bool?
  /// Only entries that began at this time or later.
  package var from: Instant?
  /// Only entries that began before this time.
  package var to: Instant?
  package var after: ListPlace?

  package init(in scope: TeamScope) { self.scope = scope }
}

package func shifts(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftRecord]
{
  try session.run(selectShifts(filter, limit: limit)).map(ShiftRecord.init(from:))
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
    WHERE (\(filter.scope.numbers) IS NULL OR employee.team_id = ANY (\(filter.scope.numbers)))
      AND (\(filter.employee?.rawValue) IS NULL
        OR incident.employee_id = \(filter.employee?.rawValue))
      AND (\(filter.isOpen) IS NULL OR (closed_at IS NULL) = \(filter.isOpen))
      AND opened_at >= coalesce(\(filter.from), '-infinity')
      AND opened_at < coalesce(\(filter.to), 'infinity')
      AND opened_at <= coalesce(\(filter.after?.at), 'infinity')
      AND (\(filter.after?.at) IS NULL OR opened_at < \(filter.after?.at)
        OR (incident.employee_id, incident_no)
          > (\(filter.after?.employee.rawValue), \(filter.after?.number)))
      AND \(fragment: isOutsideBreaks)
    ORDER BY opened_at DESC, incident.employee_id, incident_no
    LIMIT \(limit)
    """
  ).map(IncidentRow.init(from:))
}
