import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table audit_entry: who viewed or did what. Rows are added and never changed.

/// Adds an entry to the audit log.
package func insert(_ entry: AuditEntry) -> SQL {
  """
  INSERT INTO audit_entry (employee_id, entry_id, at, action, actor, account_id, team_id, shift_no,
    from_at, to_at, target, reason)
  VALUES (\(entry.employee?.rawValue ?? 0), \(entry.id), \(entry.at), \(entry.action.column),
    \(entry.actor), \(entry.account?.rawValue), \(entry.team?.rawValue), \(entry.shift),
    \(entry.span?.start), \(entry.span?.end), \(entry.target), \(entry.reason))
  """
}

/// The audit log, newest first.
package func auditEntries(_ filter: AuditFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [AuditEntry]
{
  try session.run(selectAuditEntries(filter, limit: limit)).map(AuditEntry.init(from:))
}

/// Ids begin with the time, so the index by id finds a span of time too. Two statements, because
/// one plan for both cases would not use the index by employee.
func selectAuditEntries(_ filter: AuditFilter, limit: Int32) -> SQL {
  guard let employee = filter.employee else {
    return """
      SELECT \(fragment: AuditEntry.columns) FROM audit_entry
      WHERE entry_id >= \(filter.firstID) AND entry_id < \(filter.endID)
        AND (\(filter.account?.rawValue) IS NULL OR account_id = \(filter.account?.rawValue))
        AND (\(filter.actions.isEmpty) OR action = ANY (\(filter.actions.map(\.column))))
        AND (\(filter.actorPattern) IS NULL OR actor ILIKE \(filter.actorPattern))
      ORDER BY entry_id DESC LIMIT \(limit)
      """
  }
  return """
    SELECT \(fragment: AuditEntry.columns) FROM audit_entry
    WHERE employee_id = \(employee.rawValue)
      AND entry_id >= \(filter.firstID) AND entry_id < \(filter.endID)
      AND (\(filter.account?.rawValue) IS NULL OR account_id = \(filter.account?.rawValue))
      AND (\(filter.actions.isEmpty) OR action = ANY (\(filter.actions.map(\.column))))
      AND (\(filter.actorPattern) IS NULL OR actor ILIKE \(filter.actorPattern))
    ORDER BY entry_id DESC LIMIT \(limit)
    """
}

/// The shifts of `employees` of which `actor` has a recorded view of the map since `opened`, for
/// the same purpose.
package func shiftsOnMap(
  of employees: [EmployeeID], since opened: Instant, by actor: String, _ account: AccountID?,
  for purpose: String, on session: inout Session
) throws(PostgresError) -> Set<ShiftID> {
  let sql = selectShiftsOnMap(of: employees, since: opened, by: actor, account, for: purpose)
  return Set(try session.run(sql).map(ShiftID.init(from:)))
}

func selectShiftsOnMap(
  of employees: [EmployeeID], since opened: Instant, by actor: String, _ account: AccountID?,
  for purpose: String
) -> SQL {
  """
  SELECT employee_id, shift_no FROM audit_entry
  WHERE employee_id = ANY (\(employees.map(\.rawValue))) AND entry_id >= \(opened.firstID)
    AND action = \(AuditAction.mapViewed.column) AND actor = \(actor)
    AND account_id IS NOT DISTINCT FROM \(account?.rawValue) AND reason = \(purpose)
  """
}

extension AuditFilter {
  /// For `ILIKE`, which takes half of the time of a comparison in lower case.
  fileprivate var actorPattern: String? {
    actor.map { name in
      let escaped = name.map { "\\%_".contains($0) ? "\\\($0)" : String($0) }
      return "%" + escaped.joined() + "%"
    }
  }

  fileprivate var firstID: Int64 { from?.firstID ?? 0 }

  fileprivate var endID: Int64 { min(before ?? .max, to?.firstID ?? .max) }
}

extension AuditEntry {
  fileprivate static let columns: StaticString = """
    entry_id, action, at, actor, account_id, employee_id, team_id, shift_no, from_at, to_at,
    target, reason
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(id: try row.next(), try row.next(), at: try row.next(), actor: try row.next())
    account = try row.next()
    let employee: EmployeeID = try row.next()
    self.employee = employee.rawValue == 0 ? nil : employee
    team = try row.next()
    shift = try row.next()
    let (from, to): (Instant?, Instant?) = (try row.next(), try row.next())
    if let from, let to { span = Interval(from: from, to: to) }
    target = try row.next()
    reason = try row.next()
  }
}
