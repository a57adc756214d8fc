public import GuardRules
public import Postgres
public import ShiftDomain

// Table audit_entry: who looked at or did what. Rows are added and never altered.

/// What was done. Raw values are stored; append-only.
public enum AuditAction: UInt8, Coded {
  /// Somebody looked at where an employee was.
  case trackViewed = 0
  /// Somebody took a copy of where an employee was.
  case trackExported = 1
  /// Somebody logged in.
  case loggedIn = 2
  /// Somebody logged out.
  case loggedOut = 3
  /// Somebody ended a session otherwise.
  case sessionRevoked = 4
  /// Somebody changed their own password.
  case passwordChanged = 5
  /// Somebody gave another a new password.
  case passwordReset = 6
  /// An account was added.
  case accountAdded = 7
  /// An account's name, role, teams or rights were changed.
  case accountChanged = 8
  /// An account may log in no more.
  case accountDisabled = 9
  /// An account may log in again.
  case accountEnabled = 10
  /// An access token was made.
  case tokenMade = 11
  /// An access token was revoked.
  case tokenRevoked = 12
  /// An employee was added.
  case employeeAdded = 20
  /// An employee's name, address or team was changed.
  case employeeChanged = 21
  /// Employees were added and changed from a file.
  case employeesImported = 22
  /// A device may speak no more.
  case deviceRevoked = 23
  /// A code to enrol a phone was made.
  case enrolmentCodeMade = 24
  /// A team was added.
  case teamAdded = 25
  /// A team's name or time zone was changed.
  case teamChanged = 26
  /// All that is kept of an employee was copied out.
  case employeeExported = 27
  /// All that was kept of an employee was removed.
  case employeeErased = 28
  /// How long things are kept was changed.
  case retentionChanged = 29
  /// The notice shown at enrolment was given a new version.
  case noticeChanged = 30
  /// A team's policy was changed.
  case policyChanged = 31

  /// Its word in JSON.
  public var code: String {
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
    case .tokenMade: "token_made"
    case .tokenRevoked: "token_revoked"
    case .employeeAdded: "employee_added"
    case .employeeChanged: "employee_changed"
    case .employeesImported: "employees_imported"
    case .deviceRevoked: "device_revoked"
    case .enrolmentCodeMade: "enrolment_code_made"
    case .teamAdded: "team_added"
    case .teamChanged: "team_changed"
    case .employeeExported: "employee_exported"
    case .employeeErased: "employee_erased"
    case .retentionChanged: "retention_changed"
    case .noticeChanged: "notice_changed"
    case .policyChanged: "policy_changed"
    }
  }
}

/// An entry of the log.
public struct AuditEntry: Hashable, Sendable {
  /// 41 bits of milliseconds, 22 random ones; unique within the employee.
  public var id: Int64
  /// What was done.
  public var action: AuditAction
  /// When.
  public var at: Instant
  /// Who did it, as they were called then; 1…100 characters.
  public var actor: String
  /// Their account; `nil`: a token, the command line, or nobody yet.
  public var account: AccountID?
  /// Whom it is about; `nil`: nobody in particular.
  public var employee: EmployeeID?
  /// The team they were in.
  public var team: TeamID?
  /// The shift that was looked at.
  public var shift: Int32?
  /// The span of it.
  public var span: Interval?
  /// The account, token, device or employee that it was done to.
  public var target: Int32?
  /// What for; up to 500 characters.
  public var reason: String?

  /// An entry.
  public init(
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

/// Adds an entry to the log.
public func insert(_ entry: AuditEntry) -> SQL {
  """
  INSERT INTO audit_entry (employee_id, entry_id, at, action, actor, account_id, team_id, shift_no,
    from_at, to_at, target, reason)
  VALUES (\(entry.employee?.rawValue ?? 0), \(entry.id), \(entry.at), \(entry.action.column),
    \(entry.actor), \(entry.account?.rawValue), \(entry.team?.rawValue), \(entry.shift),
    \(entry.span?.start), \(entry.span?.end), \(entry.target), \(entry.reason))
  """
}

/// The log, the newest first: of `employee`, or of everybody and nobody.
/// - Parameters:
///   - actions: Only these; empty: all.
///   - before: Only entries older than that of this id.
public func auditEntries(
  about employee: EmployeeID?, actions: [AuditAction] = [], before id: Int64? = nil, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [AuditEntry] {
  let rows = try session.run(
    """
    SELECT entry_id, action, at, actor, account_id, employee_id, team_id, shift_no, from_at, to_at,
      target, reason
    FROM audit_entry
    WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
      AND (\(actions.isEmpty) OR action = ANY (\(actions.map(\.column))))
      AND (\(id) IS NULL OR entry_id < \(id))
    ORDER BY entry_id DESC
    LIMIT \(limit)
    """)
  var entries: [AuditEntry] = []
  for row in 0..<rows.count { entries.append(try rows.auditEntry(row)) }
  return entries
}

extension Rows {
  fileprivate func auditEntry(_ row: Int) throws(PostgresError) -> AuditEntry {
    let employee: Int32 = try value(row, 5)
    let (account, team): (Int32?, Int32?) = (try value(row, 4), try value(row, 6))
    let (from, to): (Instant?, Instant?) = (try value(row, 8), try value(row, 9))
    var entry = AuditEntry(
      id: try value(row, 0), try coded(row, 1), at: try value(row, 2), actor: try value(row, 3))
    entry.account = account.map { AccountID($0) }
    entry.employee = employee == 0 ? nil : EmployeeID(employee)
    entry.team = team.map { TeamID($0) }
    entry.shift = try value(row, 7)
    if let from, let to { entry.span = Interval(from: from, to: to) }
    entry.target = try value(row, 10)
    entry.reason = try value(row, 11)
    return entry
  }
}
