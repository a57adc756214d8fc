import InstallationOperations
import ReadModels
import ShiftDomain

extension AuditAction {
  /// The action in a list to choose from, and what its actor did, as the end of a sentence that
  /// begins with their name.
  var words: (name: HTML, sentence: (AuditSentence) -> HTML) {
    switch self {
    case .loggedIn: ("Logged in", { _ in "logged in" })
    case .loggedOut: ("Logged out", { _ in "logged out" })
    case .sessionRevoked: ("Ended a session", { "ended sessions of \($0.account)" })
    case .passwordChanged: ("Changed their own password", { _ in "changed their own password" })
    case .passwordReset:
      ("Reset another account’s password", { "reset the password of \($0.account)" })
    case .accountAdded: ("Added an account", { "added \($0.account)" })
    case .accountChanged: ("Changed an account", { "changed \($0.account)" })
    case .accountDisabled: ("Disabled an account", { "disabled \($0.account)" })
    case .accountEnabled: ("Enabled an account", { "enabled \($0.account)" })
    case .tokenCreated: ("Created an API token", { "created \($0.token)" })
    case .tokenRevoked: ("Revoked an API token", { "revoked \($0.token)" })
    case .teamAdded: ("Added a team", { "added \($0.team)" })
    case .teamChanged: ("Changed a team", { "changed \($0.team)" })
    case .teamRemoved: ("Removed a team", { "removed team \($0.target)" })
    case .checklistDismissed:
      ("Dismissed the checklist", { _ in "dismissed the checklist of a new installation" })
    case .policyChanged: ("Changed a team’s policy", { "changed the policy of \($0.team)" })
    case .policyRestored:
      ("Restored a team’s policy", { "restored an earlier policy of \($0.team)" })
    case .policyPlanned:
      ("Planned a team’s policy", { "planned a policy of \($0.team) for a later time" })
    case .plannedPolicyDiscarded:
      ("Discarded a planned policy", { "discarded the planned policy of \($0.team)" })
    case .contactAdded:
      ("Added a notification contact", { "added a notification contact to \($0.team)" })
    case .contactRemoved:
      ("Removed a notification contact", { "removed a notification contact of \($0.team)" })
    case .contactChanged:
      (
        "Changed what a contact gets",
        { "changed what a notification contact of \($0.team) gets" }
      )
    case .digestSent: ("Sent a weekly digest", { "sent the weekly digest of \($0.team)" })
    case .browserAdded:
      ("Switched on alerts in a browser", { _ in "switched on alerts in a browser" })
    case .browserRemoved:
      ("Switched off alerts in a browser", { _ in "switched off alerts in a browser" })
    case .siteAdded: ("Added a site", { "added a site to \($0.team)" })
    case .siteChanged: ("Changed a site", { "changed a site of \($0.team)" })
    case .siteRemoved: ("Removed a site", { "removed a site of \($0.team)" })
    case .webhookAdded: ("Added a webhook", { "added a webhook to \($0.team)" })
    case .webhookRemoved: ("Removed a webhook", { "removed a webhook of \($0.team)" })
    case .retentionChanged: ("Changed the data retention", { _ in "changed how long data is kept" })
    case .payrollChanged:
      ("Changed the settings for payroll", { _ in "changed the settings for payroll" })
    case .privacyNoticeChanged:
      ("Changed the privacy notice", { "published version \($0.target) of the privacy notice" })
    case .employeesImported: ("Imported employees", { _ in "imported employees from a file" })
    case .plannedShiftsImported:
      ("Imported planned shifts", { _ in "imported planned shifts from a file" })
    case .weekCopied: ("Copied a week", { "copied a week of planned shifts of \($0.team)" })
    case .employeeAdded: ("Added an employee", { "added \($0.employee)" })
    case .employeeChanged: ("Changed an employee", { "changed the data of \($0.employee)" })
    case .employeeExported:
      ("Exported an employee’s data", { "exported all data of \($0.employee)" })
    case .rehearsalBegun:
      ("Began a rehearsal", { "began a rehearsal with practice employee \($0.target)" })
    case .rehearsalEnded:
      ("Ended a rehearsal", { "ended the rehearsal with practice employee \($0.target)" })
    case .employeeErased: ("Erased an employee", { "erased employee \($0.target) with all data" })
    case .deviceRevoked: ("Revoked a phone", { "revoked phone \($0.target) of \($0.employee)" })
    case .enrolmentCodeCreated:
      ("Created an enrolment code", { "created an enrolment code for \($0.employee)" })
    case .phoneAppEnrolled:
      ("Set up an app", { "set up an app as phone \($0.target) of \($0.employee)" })
    case .quarantineReplayed:
      (
        "Read quarantined messages again",
        { "read quarantined messages of phone \($0.target) of \($0.employee) again" }
      )
    case .overrideGiven:
      ("Allowed one clock-in", { "allowed \($0.employee) one clock-in by override \($0.target)" })
    case .overrideWithdrawn:
      ("Withdrew an override", { "withdrew override \($0.target) of \($0.employee)" })
    case .clockActionDismissed:
      ("Dismissed a clock action", { "dismissed clock action \($0.target) of \($0.employee)" })
    case .employeeDeactivated: ("Deactivated an employee", { "deactivated \($0.employee)" })
    case .employeeReactivated: ("Reactivated an employee", { "reactivated \($0.employee)" })
    case .reminderSent: ("Sent a reminder", { "reminded \($0.employee) to restore tracking" })
    case .dismissalUndone:
      (
        "Undid a dismissal",
        { "undid the dismissal of clock action \($0.target) of \($0.employee)" }
      )
    case .plannedShiftAdded: ("Planned a shift", { "planned a shift of \($0.employee)\($0.span)" })
    case .plannedShiftChanged:
      ("Changed a planned shift", { "changed the planned shift of \($0.employee)\($0.span)" })
    case .plannedShiftRemoved:
      ("Removed a planned shift", { "removed the planned shift of \($0.employee)\($0.span)" })
    case .absenceAdded:
      ("Added an absence", { "added an absence of \($0.employee)\($0.span)" })
    case .absenceRemoved:
      ("Removed an absence", { "removed an absence of \($0.employee)\($0.span)" })
    case .notificationsRetried:
      (
        "Made pending notifications due",
        { "made the pending notifications of \($0.employee) due at once" }
      )
    case .deadLettersRetried:
      (
        "Retried undelivered notifications",
        { "retried undelivered notifications of \($0.everybody)" }
      )
    case .testSent: ("Sent a test notification", { $0.testSent })
    case .trackViewed: ("Opened a track", { "opened the track of \($0.shift) of \($0.employee)" })
    case .mapViewed: ("Opened the map", { "opened the map with \($0.employee) in \($0.shift)" })
    case .trackExported:
      ("Exported a track", { "exported the track of \($0.shift) of \($0.employee)" })
    case .shiftOpened:
      ("Opened a shift for an employee", { "opened \($0.shift) for \($0.employee)" })
    case .shiftAdded:
      ("Added a past shift", { "added \($0.shift) for \($0.employee)\($0.span)" })
    case .timesAccepted:
      ("Accepted the times of a shift", { "accepted the times of \($0.shift) of \($0.employee)" })
    case .timesObjected:
      (
        "Objected to the times of a shift",
        { "objected to the times of \($0.shift) of \($0.employee)" }
      )
    case .timesApproved:
      ("Approved the times of a shift", { "approved the times of \($0.shift) of \($0.employee)" })
    case .timesReopened:
      ("Reopened an approved shift", { "reopened \($0.shift) of \($0.employee)" })
    case .shiftCorrected: ("Corrected a shift", { "corrected \($0.shift) of \($0.employee)" })
    case .correctionUndone:
      ("Undid a correction", { "undid correction \($0.target) of \($0.shift) of \($0.employee)" })
    case .clockActionAccepted:
      (
        "Accepted a clock action",
        { "accepted clock action \($0.target) of \($0.employee) for \($0.shift)" }
      )
    case .newer:
      (
        "An action of a newer version",
        { _ in "did something that only a newer version of ShiftGuard can describe" }
      )
    }
  }
}

/// What an entry's sentence is made of.
struct AuditSentence {
  var entry: AuditEntry
  var names: AuditNames
  var clock: TeamClock

  var html: HTML { entry.action.words.sentence(self) }

  fileprivate var employee: HTML {
    guard let employee = entry.employee else { return "an employee" }
    guard let name = names.employees[employee] else {
      return "deleted employee \(employee.rawValue)"
    }
    return "<a href=\"/employees/\(employee.rawValue)\">\(name)</a>"
  }

  fileprivate var shift: HTML {
    guard let shift = entry.shift else { return "a shift" }
    guard let employee = entry.employee, names.employees[employee] != nil else {
      return "shift \(shift)"
    }
    return "<a href=\"/employees/\(employee.rawValue)/shifts/\(shift)\">shift \(shift)</a>"
  }

  fileprivate var account: HTML {
    let number = entry.target ?? 0
    return names.accounts[AccountID(number)].map { "the account “\($0)”" }
      ?? "deleted account \(number)"
  }

  fileprivate var token: HTML {
    let number = entry.target ?? 0
    return names.tokens[number].map { "the API token “\($0)”" } ?? "deleted API token \(number)"
  }

  fileprivate var team: HTML {
    let number = entry.target ?? 0
    return names.teams[TeamID(number)].map { "the team “\($0)”" } ?? "deleted team \(number)"
  }

  fileprivate var target: HTML { "\(entry.target.map { "\($0)" as HTML })" }

  fileprivate var span: HTML {
    guard let span = entry.span else { return "" }
    return ", \(clock.short(span.start)) to \(clock.short(span.end))"
  }

  fileprivate var everybody: HTML { entry.employee == nil ? "all employees" : employee }

  fileprivate var testSent: HTML {
    guard entry.employee != nil else {
      guard entry.target != nil else { return "sent a test e-mail to their own account" }
      return "sent a test notification to the contacts of \(team)"
    }
    return entry.target == nil
      ? "sent a test notification to \(employee)"
      : "sent a test notification to phone \(target) of \(employee)"
  }
}
