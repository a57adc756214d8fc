import ShiftDomain

/// What an administrator sets of an account.
package struct AccountSettings: Hashable, Sendable {
  /// The name shown for their actions; 1…100 characters.
  package var name: String
  package var role: AccessRole
  /// What a manager may see; empty for an administrator.
  package var teams: [TeamID: TeamRights]
  /// Their own employee number; `nil`: none.
  package var employee: EmployeeID?

  package init(
    name: String, role: AccessRole, teams: [TeamID: TeamRights] = [:],
    employee: EmployeeID? = nil
  ) {
    self.name = name
    self.role = role
    self.teams = teams
    self.employee = employee
  }
}

extension AccountSettings {
  /// The teams whose coverage it may see; `nil`: all of them.
  package var seenTeams: Set<TeamID>? {
    role == .administrator ? nil : Set(teams.filter { $0.value.contains(.coverage) }.keys)
  }
}

extension AccountRow {
  /// Whether it can log in and see the coverage of `team`.
  package func maySee(_ team: TeamID) -> Bool {
    disabledAt == nil && settings.seenTeams?.contains(team) ?? true
  }
}

/// An account as listed, without its password.
package struct AccountRow: Hashable, Sendable {
  package var account: AccountID
  /// The e-mail address used to log in, in lower case.
  package var email: String
  package var settings: AccountSettings
  package var createdAt: Instant
  /// When it was disabled; `nil` while login is allowed.
  package var disabledAt: Instant?

  package init(
    _ account: AccountID, email: String, _ settings: AccountSettings, createdAt: Instant,
    disabledAt: Instant? = nil
  ) {
    self.account = account
    self.email = email
    self.settings = settings
    self.createdAt = createdAt
    self.disabledAt = disabledAt
  }
}
