import ShiftDomain

/// The role of a manager, administrator or API token. Raw values are stored; append-only.
package enum AccessRole: UInt8, Coded {
  /// All rights.
  case administrator = 0
  /// The rights for their teams.
  case manager = 1

  /// Its code on the command line and in JSON.
  package var code: String {
    switch self {
    case .administrator: "admin"
    case .manager: "manager"
    }
  }
}

/// The rights for a team. Raw values are stored; append-only.
package struct TeamRights: OptionSet, Hashable, Sendable {
  /// One bit per right, as stored.
  package let rawValue: UInt8

  /// Rights by their bits; unknown bits are kept.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// States, reasons and times of the team's shifts; no positions.
  package static let coverage = TeamRights(rawValue: 1 << 0)
  /// Positions of its employees during their shifts, for a stated purpose that is recorded in the
  /// audit log.
  package static let track = TeamRights(rawValue: 1 << 1)
  /// Both.
  package static let all: TeamRights = [.coverage, .track]

  private static let words: [(String, TeamRights)] = [("coverage", .coverage), ("track", .track)]

  /// The codes of the rights, in JSON and on the command line.
  package var codes: [String] { Self.words.filter { contains($0.1) }.map(\.0) }

  /// The right with this code; `nil` for an unknown one.
  package init?(code: String) {
    guard let known = Self.words.first(where: { $0.0 == code }) else { return nil }
    self = known.1
  }
}

/// The employees whose data a query may return: those of some teams, or all.
package struct TeamScope: Hashable, Sendable {
  /// The teams; `nil`: all of them.
  package var teams: Set<TeamID>?

  /// The employees of `teams`; `nil`: all.
  package init(_ teams: Set<TeamID>? = nil) { self.teams = teams }

  /// The numbers of `teams`, for `= ANY`; `nil`: all.
  package var numbers: [Int32]? { teams?.map(\.rawValue).sorted() }

  /// Whether the employees of `team` are included.
  package func contains(_ team: TeamID) -> Bool { teams?.contains(team) ?? true }

  /// The part of this in `team`; `nil` changes nothing.
  package func narrowed(to team: TeamID?) -> TeamScope {
    guard let team else { return self }
    return TeamScope(contains(team) ? [team] : [])
  }
}

/// The lifetime of a session and its secret.
package enum SessionLife {
  /// After this long without use, it ends.
  package static let idleMax = TimeSpan.hours(8)
  /// After this long, it ends in any case.
  package static let max = TimeSpan.hours(7 * 24)
  /// How often its secret changes.
  package static let secretMax = TimeSpan.hours(1)
  /// How long the previous secret stays valid after the first use of the new one, for requests in
  /// progress.
  package static let formerMax = TimeSpan.minutes(1)
  /// How often its use is recorded.
  package static let noteEvery = TimeSpan.minutes(1)
}

/// A session as listed.
package struct LoginSession: Hashable, Sendable {
  package var session: SessionID
  package var account: AccountID
  package var createdAt: Instant
  /// When it was last used, to the minute.
  package var usedAt: Instant
  /// When it ends without further use.
  package var endsAt: Instant
  /// The IP address of the login; empty if unknown.
  package var address: String
  /// The browser's user agent; up to 300 characters.
  package var userAgent: String

  package init(
    session: SessionID, account: AccountID, createdAt: Instant, usedAt: Instant, endsAt: Instant,
    address: String, userAgent: String
  ) {
    self.session = session
    self.account = account
    self.createdAt = createdAt
    self.usedAt = usedAt
    self.endsAt = endsAt
    self.address = address
    self.userAgent = userAgent
  }
}

/// An API token as listed, without its secret.
package struct APITokenRow: Hashable, Sendable {
  package var number: Int32
  /// Its purpose.
  package var name: String
  package var role: AccessRole
  /// The rights of a manager's token.
  package var teams: [TeamID: TeamRights]
  package var createdAt: Instant
  package var expiresAt: Instant
  /// When it was revoked; `nil` while it is valid.
  package var revokedAt: Instant?

  package init(
    number: Int32, name: String, role: AccessRole, teams: [TeamID: TeamRights], createdAt: Instant,
    expiresAt: Instant, revokedAt: Instant?
  ) {
    self.number = number
    self.name = name
    self.role = role
    self.teams = teams
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
  }
}
