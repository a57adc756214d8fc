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

/// The audit log, newest first. Empty `actions`: all.
package func auditEntries(
  about employee: EmployeeID?, actions: [AuditAction] = [], before id: Int64? = nil, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [AuditEntry] {
  try session.run(
    """
    SELECT entry_id, action, at, actor, account_id, employee_id, team_id, shift_no, from_at, to_at,
      target, reason
    FROM audit_entry
    WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
      AND (\(actions.isEmpty) OR action = ANY (\(actions.map(\.column))))
      AND (\(id) IS NULL OR entry_id < \(id))
    ORDER BY entry_id DESC
    LIMIT \(limit)
    """
  ).map(AuditEntry.init(from:))
}

extension AuditEntry {
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
