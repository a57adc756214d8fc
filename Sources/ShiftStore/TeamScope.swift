import ShiftDomain

/// The employees whose data a query may return: those of some teams, or all.
package struct TeamScope: Hashable, Sendable {
  /// The teams; `nil`: all of them.
  package var teams: Set<TeamID>?

  package static let everybody = TeamScope()

  package init(_ teams: Set<TeamID>? = nil) { self.teams = teams }

  package func contains(_ team: TeamID) -> Bool { teams?.contains(team) ?? true }

  /// The part of this in `team`; `nil` changes nothing.
  package func narrowed(to team: TeamID?) -> TeamScope {
    guard let team else { return self }
    return TeamScope(contains(team) ? [team] : [])
  }

  /// The teams' numbers, for `= ANY`; NULL: all of them.
  var numbers: [Int32]? { teams?.map(\.rawValue).sorted() }
}
