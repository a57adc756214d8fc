import ManagerOperations
import ReadModels
import ShiftDomain

/// What an actor did, as the end of a sentence that begins with their name.
struct AuditSentence {
  var entry: AuditEntry
  var names: AuditNames
  var clock: TeamClock

  var html: HTML {
    switch entry.action {
    case .loggedIn: "logged in"
    case .loggedOut: "logged out"
    case .sessionRevoked: "ended sessions of \(account)"
    case .passwordChanged: "changed their own password"
    case .passwordReset: "reset the password of \(account)"
    case .accountAdded: "added \(account)"
    case .accountChanged: "changed \(account)"
    case .accountDisabled: "disabled \(account)"
    case .accountEnabled: "enabled \(account)"
    case .tokenCreated: "created \(token)"
    case .tokenRevoked: "revoked \(token)"
    case .teamAdded: "added \(team)"
    case .teamChanged: "changed \(team)"
    case .policyChanged: "changed the policy of \(team)"
    case .policyRestored: "restored an earlier policy of \(team)"
    case .policyPlanned: "planned a policy of \(team) for a later time"
    case .plannedPolicyDiscarded: "discarded the planned policy of \(team)"
    case .contactAdded: "added a notification contact to \(team)"
    case .contactRemoved: "removed a notification contact of \(team)"
    case .contactDigestChanged: "changed who gets the weekly digest of \(team)"
    case .siteAdded: "added a site to \(team)"
    case .siteChanged: "changed a site of \(team)"
    case .siteRemoved: "removed a site of \(team)"
    case .webhookAdded: "added a webhook to \(team)"
    case .webhookRemoved: "removed a webhook of \(team)"
    case .retentionChanged: "changed how long data is kept"
    case .payrollChanged: "changed the settings for payroll"
    case .privacyNoticeChanged: "published version \(target) of the privacy notice"
    case .employeesImported: "imported employees from a file"
    case .plannedShiftsImported: "imported planned shifts from a file"
    default: aboutEmployee
    }
  }

  private var aboutEmployee: HTML {
    switch entry.action {
    case .employeeAdded: "added \(employee)"
    case .employeeChanged: "changed the data of \(employee)"
    case .employeeExported: "exported all data of \(employee)"
    case .rehearsalBegun: "began a rehearsal with practice employee \(target)"
    case .rehearsalEnded: "ended the rehearsal with practice employee \(target)"
    case .employeeErased: "erased employee \(target) with all data"
    case .deviceRevoked: "revoked phone \(target) of \(employee)"
    case .enrolmentCodeCreated: "created an enrolment code for \(employee)"
    case .phoneAppEnrolled: "set up an app as phone \(target) of \(employee)"
    case .quarantineReplayed: "read quarantined messages of phone \(target) of \(employee) again"
    case .overrideGiven: "allowed \(employee) one clock-in by override \(target)"
    case .overrideWithdrawn: "withdrew override \(target) of \(employee)"
    case .clockActionDismissed: "dismissed clock action \(target) of \(employee)"
    case .employeeDeactivated: "deactivated \(employee)"
    case .employeeReactivated: "reactivated \(employee)"
    case .reminderSent: "reminded \(employee) to restore tracking"
    case .dismissalUndone: "undid the dismissal of clock action \(target) of \(employee)"
    case .plannedShiftAdded: "planned a shift of \(employee)\(span)"
    case .plannedShiftChanged: "changed the planned shift of \(employee)\(span)"
    case .plannedShiftRemoved: "removed the planned shift of \(employee)\(span)"
    case .notificationsRetried: "made the pending notifications of \(employee) due at once"
    case .deadLettersRetried:
      "retried undelivered notifications of \(entry.employee == nil ? "all employees" : employee)"
    case .testSent:
      entry.employee == nil
        ? "sent a test notification to the contacts of \(team)"
        : entry.target == nil
          ? "sent a test notification to \(employee)"
          : "sent a test notification to phone \(target) of \(employee)"
    default: aboutShift
    }
  }

  private var aboutShift: HTML {
    switch entry.action {
    case .trackViewed: "opened the track of \(shift) of \(employee)"
    case .mapViewed: "opened the map with \(employee) in \(shift)"
    case .trackExported: "exported the track of \(shift) of \(employee)"
    case .shiftOpened: "opened \(shift) for \(employee)"
    case .timesAccepted: "accepted the times of \(shift) of \(employee)"
    case .timesObjected: "objected to the times of \(shift) of \(employee)"
    case .timesApproved: "approved the times of \(shift) of \(employee)"
    case .timesReopened: "reopened \(shift) of \(employee)"
    case .shiftCorrected: "corrected \(shift) of \(employee)"
    case .correctionUndone: "undid correction \(target) of \(shift) of \(employee)"
    case .clockActionAccepted: "accepted clock action \(target) of \(employee) for \(shift)"
    case .newer: "did something that only a newer version of ShiftGuard can describe"
    default: "\(entry.action.name)"
    }
  }

  private var employee: HTML {
    guard let employee = entry.employee else { return "an employee" }
    guard let name = names.employees[employee] else {
      return "deleted employee \(employee.rawValue)"
    }
    return "<a href=\"/employees/\(employee.rawValue)\">\(name)</a>"
  }

  private var shift: HTML {
    guard let shift = entry.shift else { return "a shift" }
    guard let employee = entry.employee, names.employees[employee] != nil else {
      return "shift \(shift)"
    }
    return "<a href=\"/employees/\(employee.rawValue)/shifts/\(shift)\">shift \(shift)</a>"
  }

  private var account: HTML {
    let number = entry.target ?? 0
    return names.accounts[AccountID(number)].map { "the account “\($0)”" }
      ?? "deleted account \(number)"
  }

  private var token: HTML {
    let number = entry.target ?? 0
    return names.tokens[number].map { "the API token “\($0)”" } ?? "deleted API token \(number)"
  }

  private var team: HTML {
    let number = entry.target ?? 0
    return names.teams[TeamID(number)].map { "the team “\($0)”" } ?? "deleted team \(number)"
  }

  private var target: HTML { "\(entry.target.map { "\($0)" as HTML })" }

  private var span: HTML {
    guard let span = entry.span else { return "" }
    return ", \(clock.short(span.start)) to \(clock.short(span.end))"
  }
}

extension AuditAction {
  /// The action in a list to choose from.
  var name: HTML {
    switch self {
    case .trackViewed: "Opened a track"
    case .mapViewed: "Opened the map"
    case .trackExported: "Exported a track"
    case .loggedIn: "Logged in"
    case .loggedOut: "Logged out"
    case .sessionRevoked: "Ended a session"
    case .passwordChanged: "Changed their own password"
    case .passwordReset: "Reset another account’s password"
    case .accountAdded: "Added an account"
    case .accountChanged: "Changed an account"
    case .accountDisabled: "Disabled an account"
    case .accountEnabled: "Enabled an account"
    case .tokenCreated: "Created an API token"
    case .tokenRevoked: "Revoked an API token"
    case .employeeAdded: "Added an employee"
    case .employeeChanged: "Changed an employee"
    case .employeesImported: "Imported employees"
    case .deviceRevoked: "Revoked a phone"
    case .enrolmentCodeCreated: "Created an enrolment code"
    case .phoneAppEnrolled: "Set up an app"
    case .quarantineReplayed: "Read quarantined messages again"
    case .teamAdded: "Added a team"
    case .teamChanged: "Changed a team"
    case .employeeExported: "Exported an employee’s data"
    case .employeeErased: "Erased an employee"
    case .retentionChanged: "Changed the data retention"
    case .privacyNoticeChanged: "Changed the privacy notice"
    case .policyChanged: "Changed a team’s policy"
    default: reviewName
    }
  }

  private var reviewName: HTML {
    switch self {
    case .shiftOpened: "Opened a shift for an employee"
    case .timesAccepted: "Accepted the times of a shift"
    case .timesObjected: "Objected to the times of a shift"
    case .timesApproved: "Approved the times of a shift"
    case .timesReopened: "Reopened an approved shift"
    case .payrollChanged: "Changed the settings for payroll"
    case .overrideGiven: "Allowed one clock-in"
    case .overrideWithdrawn: "Withdrew an override"
    case .shiftCorrected: "Corrected a shift"
    case .correctionUndone: "Undid a correction"
    case .clockActionAccepted: "Accepted a clock action"
    case .clockActionDismissed: "Dismissed a clock action"
    case .employeeDeactivated: "Deactivated an employee"
    case .employeeReactivated: "Reactivated an employee"
    case .reminderSent: "Sent a reminder"
    case .dismissalUndone: "Undid a dismissal"
    case .plannedShiftAdded: "Planned a shift"
    case .plannedShiftChanged: "Changed a planned shift"
    case .plannedShiftRemoved: "Removed a planned shift"
    case .plannedShiftsImported: "Imported planned shifts"
    case .contactAdded: "Added a notification contact"
    case .contactRemoved: "Removed a notification contact"
    case .siteAdded: "Added a site"
    case .siteChanged: "Changed a site"
    case .siteRemoved: "Removed a site"
    case .webhookAdded: "Added a webhook"
    case .webhookRemoved: "Removed a webhook"
    case .deadLettersRetried: "Retried undelivered notifications"
    case .notificationsRetried: "Made pending notifications due"
    case .testSent: "Sent a test notification"
    case .rehearsalBegun: "Began a rehearsal"
    case .rehearsalEnded: "Ended a rehearsal"
    case .policyRestored: "Restored a team’s policy"
    case .policyPlanned: "Planned a team’s policy"
    case .plannedPolicyDiscarded: "Discarded a planned policy"
    case .contactDigestChanged: "Changed who gets the weekly digest"
    case .newer: "An action of a newer version"
    default: "\(code)"
    }
  }
}
