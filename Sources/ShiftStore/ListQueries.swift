public import Postgres
public import ShiftDomain

// Tables shift and incident, as managers leaf through them: newest first, page by page.

/// A place in a list that is ordered by time, newest first, then by employee and number.
public struct ListPlace: Hashable, Sendable {
  /// The time by which the list is ordered.
  public var at: Instant
  /// The employee.
  public var employee: EmployeeID
  /// The number within the employee.
  public var number: Int32

  /// A place.
  public init(at: Instant, employee: EmployeeID, number: Int32) {
    self.at = at
    self.employee = employee
    self.number = number
  }
}

/// What of a list is asked for.
public struct ListFilter: Hashable, Sendable {
  /// Whose may be shown at all.
  public var scope: TeamScope
  /// Only theirs; `nil`: everybody's.
  public var employee: EmployeeID?
  /// `true`: only what has no end; `false`: only what has.
  public var isOpen: Bool?
  /// Only what began from here on.
  public var from: Instant?
  /// Only what began before.
  public var to: Instant?
  /// Only what comes behind this place.
  public var after: ListPlace?

  /// Everything in `scope`.
  public init(in scope: TeamScope) { self.scope = scope }
}

/// The shifts of a list.
public func shifts(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftRecord]
{
  try session.run(selectShifts(filter, limit: limit)).shiftRecords()
}

/// The incidents of a list.
public func incidents(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [IncidentRow]
{
  let rows = try session.run(
    """
    SELECT \(fragment: incidentColumns)
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
    """)
  return try rows.incidentRows()
}
