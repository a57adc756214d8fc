import GuardRules
import Postgres
import ShiftDomain

// Table audit_entry: who viewed or did what. Rows are added and never changed.

/// The action of an audit entry. Raw values are stored; append-only.
package enum AuditAction: UInt8, Coded {
  case trackViewed = 0
  case trackExported = 1
  case loggedIn = 2
  case loggedOut = 3
  case sessionRevoked = 4
  case passwordChanged = 5
  case passwordReset = 6
  case accountAdded = 7
  case accountChanged = 8
  case accountDisabled = 9
  case accountEnabled = 10
  case tokenCreated = 11
  case tokenRevoked = 12
  case employeeAdded = 20
  case employeeChanged = 21
  case employeesImported = 22
  case deviceRevoked = 23
  case enrolmentCodeCreated = 24
  case teamAdded = 25
  case teamChanged = 26
  case employeeExported = 27
  case employeeErased = 28
  case retentionChanged = 29
  case privacyNoticeChanged = 30
  case policyChanged = 31

  package var code: String {
    switch self {
    case .trackViewed: "track_viewed"
    case .trackExported: "track_exported"
    case .loggedIn: "logged_in"
    case .loggedOut: "logged_out"
    case .sessionRevoked: "session_revoked"
    case .passwordChanged: "password_changed"
    case .passwordReset: "password_reset"
    case .accountAdded: "account_added"
    case .accountChanged: "account_changed"
    case .accountDisabled: "account_disabled"
    case .accountEnabled: "account_enabled"
    case .tokenCreated: "token_created"
    case .tokenRevoked: "token_revoked"
    case .employeeAdded: "employee_added"
    case .employeeChanged: "employee_changed"
    case .employeesImported: "employees_imported"
    case .deviceRevoked: "device_revoked"
    case .enrolmentCodeCreated: "enrolment_code_created"
    case .teamAdded: "team_added"
    case .teamChanged: "team_changed"
    case .employeeExported: "employee_exported"
    case .employeeErased: "employee_erased"
    case .retentionChanged: "retention_changed"
    case .privacyNoticeChanged: "privacy_notice_changed"
    case .policyChanged: "policy_changed"
    }
  }
}

package struct AuditEntry: Hashable, Sendable {
  /// 41 bits of milliseconds, 22 random bits; unique within the employee.
  package var id: Int64
  package var action: AuditAction
  package var at: Instant
  /// The actor's name at that time; 1…100 characters.
  package var actor: String
  /// The actor's account; `nil`: a token or the command line.
  package var account: AccountID?
  package var employee: EmployeeID?
  package var team: TeamID?
  package var shift: Int32?
  package var span: Interval?
  /// The account, token, device or employee that was changed.
  package var target: Int32?
  /// The stated purpose or the change; up to 500 characters.
  package var reason: String?

  package init(
    id: Int64, _ action: AuditAction, at: Instant, actor: String, account: AccountID? = nil,
    employee: EmployeeID? = nil, team: TeamID? = nil, shift: Int32? = nil, span: Interval? = nil,
    target: Int32? = nil, reason: String? = nil
  ) {
    self.id = id
    self.action = action
    self.at = at
    self.actor = actor
    self.account = account
    self.employee = employee
    self.team = team
    self.shift = shift
    self.span = span
    self.target = target
    self.reason = reason
  }
}

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
