public import ShiftDomain

/// Whose facts a reading may show: those of some teams, or everybody's.
public struct TeamScope: Hashable, Sendable {
  /// The teams; `nil`: all of them.
  public var teams: Set<TeamID>?

  /// Everybody.
  public static let everybody = TeamScope()

  /// The people of `teams`; `nil`: everybody.
  public init(_ teams: Set<TeamID>? = nil) { self.teams = teams }

  /// Whether the people of `team` are in it.
  public func contains(_ team: TeamID) -> Bool { teams?.contains(team) ?? true }

  /// What of this is in `team`, too; `nil` changes nothing.
  public func narrowed(to team: TeamID?) -> TeamScope {
    guard let team else { return self }
    return TeamScope(contains(team) ? [team] : [])
  }

  /// The teams' numbers, for `= ANY`; NULL: all of them.
  var numbers: [Int32]? { teams?.map(\.rawValue).sorted() }
}
