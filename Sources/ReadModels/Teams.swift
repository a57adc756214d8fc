import GuardRules
import ShiftDomain

/// A team as stored and listed.
package struct TeamRow: Hashable, Sendable {
  package var team: TeamID
  package var name: String
  /// Its IANA time zone.
  package var timeZone: String
  /// The version of its policy in force.
  package var policyVersion: Int32
  /// The preset that the policy is based on.
  package var preset: Preset
  /// Whether the policy differs from its preset.
  package var isChanged: Bool
  /// Whether somebody is notified about its employees.
  package var hasContact: Bool
  /// The number of employees.
  package var employees: Int64
  package var payRule: PayRule

  package init(
    team: TeamID, name: String, timeZone: String, policyVersion: Int32, preset: Preset,
    isChanged: Bool = false, hasContact: Bool = true, employees: Int64,
    payRule: PayRule = PayRule()
  ) {
    self.team = team
    self.name = name
    self.timeZone = timeZone
    self.policyVersion = policyVersion
    self.preset = preset
    self.isChanged = isChanged
    self.hasContact = hasContact
    self.employees = employees
    self.payRule = payRule
  }
}

/// A team and its current day.
package struct TeamDay: Hashable, Sendable {
  package var team: TeamID
  package var name: String
  /// Its IANA time zone.
  package var timeZone: String
  /// From the day's first instant to that of the next day.
  package var span = Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 0))

  /// A team whose day is not set yet.
  package init(team: TeamID, name: String, timeZone: String) {
    self.team = team
    self.name = name
    self.timeZone = timeZone
  }
}

/// A version of a team's policy as stored and listed.
package struct PolicyRow: Hashable, Sendable {
  package var team: TeamID
  /// Its number within the team, from 1.
  package var version: Int32
  package var createdAt: Instant
  /// When it was put in force, or was to be if it was planned; nobody may have been there to do it.
  package var validFrom: Instant
  /// Whether it is the one in force.
  package var isInForce: Bool
  package var policy: Policy
  /// The name of who saved it, at that time; `nil` for a team's first version, and if unknown.
  package var savedBy: String?

  package init(
    team: TeamID, version: Int32, createdAt: Instant, validFrom: Instant? = nil, isInForce: Bool,
    policy: Policy, savedBy: String? = nil
  ) {
    self.team = team
    self.version = version
    self.createdAt = createdAt
    self.validFrom = validFrom ?? createdAt
    self.isInForce = isInForce
    self.policy = policy
    self.savedBy = savedBy
  }
}

/// A policy that becomes the next version of the team's policy at its time.
package struct PlannedPolicy: Hashable, Sendable {
  package var team: TeamID
  /// The version that was in force when it was planned.
  package var former: Int32
  package var createdAt: Instant
  package var validFrom: Instant
  /// The name of who planned it, at that time.
  package var savedBy: String
  package var policy: Policy

  package init(
    team: TeamID, former: Int32, createdAt: Instant, validFrom: Instant, savedBy: String,
    policy: Policy
  ) {
    self.team = team
    self.former = former
    self.createdAt = createdAt
    self.validFrom = validFrom
    self.savedBy = savedBy
    self.policy = policy
  }
}

/// A version of a team's policy, and what differs from the version before it.
package struct PolicyVersion: Hashable, Sendable {
  package var row: PolicyRow
  /// Empty for a team's first version.
  package var differences: [PolicyDifference]

  package init(_ row: PolicyRow, after former: PolicyRow?) {
    self.row = row
    differences = former.map { row.policy.differences(from: $0.policy) } ?? []
  }
}
