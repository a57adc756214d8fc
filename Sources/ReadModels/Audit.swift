import GuardRules
import ShiftDomain

/// The action of an audit entry. Raw values are stored; append-only.
package enum AuditAction: UInt8, Coded {
  /// An employee's positions were viewed.
  case trackViewed = 0
  /// An employee's positions were exported.
  case trackExported = 1
  /// Login.
  case loggedIn = 2
  /// Logout.
  case loggedOut = 3
  /// A session was ended other than by logout.
  case sessionRevoked = 4
  /// A user changed their own password.
  case passwordChanged = 5
  /// An administrator reset a password.
  case passwordReset = 6
  /// An account was added.
  case accountAdded = 7
  /// An account's name, role, teams or rights were changed.
  case accountChanged = 8
  /// An account was disabled.
  case accountDisabled = 9
  /// An account was enabled again.
  case accountEnabled = 10
  /// An API token was created.
  case tokenCreated = 11
  /// An API token was revoked.
  case tokenRevoked = 12
  /// An employee was added.
  case employeeAdded = 20
  /// An employee's name, address or team was changed.
  case employeeChanged = 21
  /// Employees were added and changed from a file.
  case employeesImported = 22
  /// A device was revoked.
  case deviceRevoked = 23
  /// An enrolment code was created.
  case enrolmentCodeCreated = 24
  /// A team was added.
  case teamAdded = 25
  /// A team's name or time zone was changed.
  case teamChanged = 26
  /// All data of an employee was exported.
  case employeeExported = 27
  /// All data of an employee was deleted.
  case employeeErased = 28
  /// The retention was changed.
  case retentionChanged = 29
  /// A new version of the privacy notice was created.
  case privacyNoticeChanged = 30
  /// A team's policy was changed.
  case policyChanged = 31
  /// A shift was opened for an employee.
  case shiftOpened = 32
  /// The times of a shift that needed review were accepted.
  case timesAccepted = 33
  /// A contact or webhook of a team was added.
  case contactAdded = 60
  /// A contact or webhook of a team was removed.
  case contactRemoved = 61
  /// A test notification was sent to a contact or webhook of a team.
  case contactTested = 62

  /// Its code in JSON.
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
    case .shiftOpened: "shift_opened"
    case .timesAccepted: "times_accepted"
    case .contactAdded: "contact_added"
    case .contactRemoved: "contact_removed"
    case .contactTested: "contact_tested"
    }
  }
}

/// An entry of the audit log.
package struct AuditEntry: Hashable, Sendable {
  /// 41 bits of milliseconds, 22 random bits; unique within the employee.
  package var id: Int64
  package var action: AuditAction
  package var at: Instant
  /// The actor's name at that time; 1…100 characters.
  package var actor: String
  /// The actor's account; `nil`: a token or the command line.
  package var account: AccountID?
  /// The employee it concerns; `nil`: none in particular.
  package var employee: EmployeeID?
  /// Their team at that time.
  package var team: TeamID?
  /// The shift that was viewed.
  package var shift: Int32?
  /// The viewed span.
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
