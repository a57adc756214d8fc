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
  /// A device was enrolled for an app from a store.
  case phoneAppEnrolled = 73
  /// A team was added.
  case teamAdded = 25
  /// A team's name or time zone was changed.
  case teamChanged = 26
  /// A team was removed.
  case teamRemoved = 90
  /// The checklist of a new installation was dismissed.
  case checklistDismissed = 91
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
  /// A shift was added when it was over.
  case shiftAdded = 78
  /// The times of a shift that needed review were accepted.
  case timesAccepted = 33
  /// The times of a shift were approved for payroll.
  case timesApproved = 34
  /// The approval of a shift was taken back.
  case timesReopened = 35
  /// A rehearsal began, with this practice employee.
  case rehearsalBegun = 39
  /// A rehearsal was ended, or its hour was over.
  case rehearsalEnded = 56
  /// An employee objected to the times of a shift.
  case timesObjected = 38
  /// The settings for payroll were changed.
  case payrollChanged = 36
  /// The times of a planned shift were changed.
  case plannedShiftChanged = 37
  /// A manager allowed an employee one clock-in.
  case overrideGiven = 40
  /// An unused override was withdrawn.
  case overrideWithdrawn = 41
  /// The times of a shift were corrected.
  case shiftCorrected = 42
  /// A correction was undone.
  case correctionUndone = 43
  /// A clock action was accepted in review.
  case clockActionAccepted = 44
  /// A clock action was dismissed in review.
  case clockActionDismissed = 45
  /// A shift was planned.
  case plannedShiftAdded = 46
  /// A planned shift was removed.
  case plannedShiftRemoved = 47
  /// Shifts were planned from a file.
  case plannedShiftsImported = 48
  /// A notification contact was added to a team.
  case contactAdded = 49
  /// A notification contact of a team was removed.
  case contactRemoved = 50
  /// A webhook was added to a team.
  case webhookAdded = 51
  /// A webhook of a team was removed.
  case webhookRemoved = 52
  /// Notifications that could not be delivered were retried.
  case deadLettersRetried = 53
  /// An employee's pending notifications were made due at once.
  case notificationsRetried = 54
  /// Test notifications were sent.
  case testSent = 55
  /// An employee who had left was deactivated.
  case employeeDeactivated = 59
  /// An employee was reactivated.
  case employeeReactivated = 60
  /// An employee was reminded to restore tracking.
  case reminderSent = 61
  /// The dismissal of a clock action was undone.
  case dismissalUndone = 62
  /// An earlier version of a team's policy was restored.
  case policyRestored = 57
  /// What a contact is notified of, or when, was changed.
  case contactChanged = 58
  /// A site was added to a team.
  case siteAdded = 63
  /// The name or the circle of a site was changed.
  case siteChanged = 64
  /// A site of a team was removed.
  case siteRemoved = 65
  /// A team's policy was planned for a later time.
  case policyPlanned = 71
  /// A planned policy was discarded before its time.
  case plannedPolicyDiscarded = 72
  /// Quarantined messages of a phone were read again.
  case quarantineReplayed = 74
  /// An absence of an employee was added.
  case absenceAdded = 76
  /// An absence of an employee was removed.
  case absenceRemoved = 77
  /// The planned shifts of a team's week were planned again in another week.
  case weekCopied = 94
  /// A map of the employees on shift was viewed, with this employee.
  case mapViewed = 67
  /// A weekly digest was sent to a contact before it was due.
  case digestSent = 95
  /// An account switched alerts on in a browser.
  case browserAdded = 98
  /// An account switched alerts off in a browser.
  case browserRemoved = 99
  /// An action that this version does not know.
  case newer = 255

  package static let allCases = knownCases
  package static let standIn: AuditAction? = .newer

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
    case .phoneAppEnrolled: "phone_app_enrolled"
    case .quarantineReplayed: "quarantine_replayed"
    case .teamAdded: "team_added"
    case .teamChanged: "team_changed"
    case .teamRemoved: "team_removed"
    case .checklistDismissed: "checklist_dismissed"
    case .employeeExported: "employee_exported"
    case .employeeErased: "employee_erased"
    case .retentionChanged: "retention_changed"
    case .privacyNoticeChanged: "privacy_notice_changed"
    case .policyChanged: "policy_changed"
    case .shiftOpened: "shift_opened"
    case .shiftAdded: "shift_added"
    case .timesAccepted: "times_accepted"
    case .timesObjected: "times_objected"
    case .timesApproved: "times_approved"
    case .timesReopened: "times_reopened"
    case .payrollChanged: "payroll_changed"
    case .overrideGiven: "override_given"
    case .overrideWithdrawn: "override_withdrawn"
    case .shiftCorrected: "shift_corrected"
    case .correctionUndone: "correction_undone"
    case .clockActionAccepted: "clock_action_accepted"
    case .clockActionDismissed: "clock_action_dismissed"
    case .plannedShiftAdded: "planned_shift_added"
    case .plannedShiftChanged: "planned_shift_changed"
    case .plannedShiftRemoved: "planned_shift_removed"
    case .plannedShiftsImported: "planned_shifts_imported"
    case .weekCopied: "week_copied"
    case .absenceAdded: "absence_added"
    case .absenceRemoved: "absence_removed"
    case .contactAdded: "contact_added"
    case .contactRemoved: "contact_removed"
    case .webhookAdded: "webhook_added"
    case .webhookRemoved: "webhook_removed"
    case .deadLettersRetried: "dead_letters_retried"
    case .notificationsRetried: "notifications_retried"
    case .testSent: "test_sent"
    case .employeeDeactivated: "employee_deactivated"
    case .employeeReactivated: "employee_reactivated"
    case .reminderSent: "reminder_sent"
    case .dismissalUndone: "dismissal_undone"
    case .policyRestored: "policy_restored"
    case .contactChanged: "contact_changed"
    case .digestSent: "digest_sent"
    case .browserAdded: "browser_added"
    case .browserRemoved: "browser_removed"
    case .policyPlanned: "policy_planned"
    case .plannedPolicyDiscarded: "planned_policy_discarded"
    case .mapViewed: "map_viewed"
    case .siteAdded: "site_added"
    case .siteChanged: "site_changed"
    case .siteRemoved: "site_removed"
    case .newer: "newer_version"
    case .rehearsalBegun: "rehearsal_begun"
    case .rehearsalEnded: "rehearsal_ended"
    }
  }
}

/// Which entries of the audit log are wanted; all, as long as nothing is set.
package struct AuditFilter: Hashable, Sendable {
  /// Only entries about this employee.
  package var employee: EmployeeID?
  /// Only what this account did.
  package var account: AccountID?
  /// Only entries whose actor's name contains this, ignoring case.
  package var actor: String?
  /// Only these; empty: all.
  package var actions: [AuditAction] = []
  /// Only entries of this time or later.
  package var from: Instant?
  /// Only entries before this time.
  package var to: Instant?
  /// Only entries older than the one with this id: the last of the previous page.
  package var before: Int64?

  package init(about employee: EmployeeID? = nil, before: Int64? = nil) {
    self.employee = employee
    self.before = before
  }
}

/// An entry of the audit log.
package struct AuditEntry: Hashable, Sendable {
  /// Sorts by time (`Instant.firstID`); unique within the employee.
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
  /// The employee's shift that it concerns.
  package var shift: Int32?
  /// The viewed span, or the times of the planned or added shift.
  package var span: Interval?
  /// The number of what was changed, by action: an account, a token, a team, a device of the
  /// employee, an override, a correction of the shift, a clock action, a version.
  package var target: Int32?
  /// The stated purpose, the reason or the change; up to 500 characters.
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
