public import ShiftDomain
public import ShiftStore

/// What somebody of the office may see of a team. Raw values are stored; append-only.
public struct TeamRights: OptionSet, Hashable, Sendable {
  /// Bit by bit, as stored.
  public let rawValue: UInt8

  /// Rights by their bits; bits that nobody knows are kept.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// States, reasons and times of the team's shifts; never where anybody was.
  public static let coverage = TeamRights(rawValue: 1 << 0)
  /// Where its people were during their shifts, for a purpose that is told and logged.
  public static let track = TeamRights(rawValue: 1 << 1)
}

/// Somebody of the office who was let in: who they are, and what they may see.
public struct Viewer: Hashable, Sendable {
  /// How they are named in what they do.
  public var officer: Officer
  /// An administrator may everything.
  public var role: AccessRole
  /// What a manager may see, team by team; nothing is said here of an administrator.
  public var teams: [TeamID: TeamRights]

  /// Somebody who was let in.
  public init(officer: Officer, role: AccessRole, teams: [TeamID: TeamRights] = [:]) {
    self.officer = officer
    self.role = role
    self.teams = teams
  }

  /// Whether they have all of `rights` for `team`.
  public func may(_ rights: TeamRights, of team: TeamID) -> Bool {
    switch role {
    case .administrator: true
    case .manager: teams[team]?.isSuperset(of: rights) ?? false
    }
  }
}
