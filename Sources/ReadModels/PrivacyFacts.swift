import GuardRules
import ShiftDomain

/// What the report for a works council is made of, as it is set now.
package struct PrivacyFacts: Hashable, Sendable {
  package struct Team: Hashable, Sendable {
    package var row: TeamRow
    /// In force.
    package var policy: Policy
    package var contacts: [TeamContact]

    package init(row: TeamRow, policy: Policy, contacts: [TeamContact]) {
      (self.row, self.policy, self.contacts) = (row, policy, contacts)
    }
  }

  /// An account or an API token that is in use.
  package struct Reader: Hashable, Sendable {
    package var name: String
    package var role: AccessRole
    package var teams: [TeamID: TeamRights]

    package init(name: String, role: AccessRole, teams: [TeamID: TeamRights]) {
      (self.name, self.role, self.teams) = (name, role, teams)
    }
  }

  package var teams: [Team]
  package var accounts: [Reader]
  package var tokens: [Reader]
  package var retention: Retention
  /// `nil`: there is no privacy notice.
  package var privacyNotice: Int32?

  package init(
    teams: [Team], accounts: [Reader], tokens: [Reader], retention: Retention,
    privacyNotice: Int32?
  ) {
    (self.teams, self.accounts, self.tokens) = (teams, accounts, tokens)
    (self.retention, self.privacyNotice) = (retention, privacyNotice)
  }
}

/// What only the settings of the service say about who gets something.
package struct OutsideParties: Hashable, Sendable {
  /// The channels that are set up; `nil`: not known.
  package var channels: Set<Channel>?
  /// Host and port of the mail server, or more about it.
  package var mailServer: String?
  /// The origin of the map's tiles.
  package var map: String?

  package init(channels: Set<Channel>?, mailServer: String?, map: String?) {
    (self.channels, self.mailServer, self.map) = (channels, mailServer, map)
  }
}
