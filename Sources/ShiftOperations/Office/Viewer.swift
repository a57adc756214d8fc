import Postgres
public import ShiftDomain
public import ShiftStore

/// What somebody of the office may see of a team.
public typealias TeamRights = ShiftStore.TeamRights

/// Somebody of the office who was let in: who they are, and what they may see.
public struct Viewer: Hashable, Sendable {
  /// How they are named in what they do.
  public var officer: Officer
  /// An administrator may everything.
  public var role: AccessRole
  /// What a manager may see, team by team; nothing is said here of an administrator.
  public var teams: [TeamID: TeamRights]
  /// Their account; `nil` for the holder of a token and for the command line.
  public var account: AccountID?
  /// The number of their access token; `nil` for everybody else.
  public var token: Int32?

  /// Somebody who was let in.
  public init(
    officer: Officer, role: AccessRole, teams: [TeamID: TeamRights] = [:],
    account: AccountID? = nil, token: Int32? = nil
  ) {
    self.officer = officer
    self.role = role
    self.teams = teams
    self.account = account
    self.token = token
  }

  /// The teams of which they have all of `rights`, by number; `nil`: every team there is.
  public func teams(with rights: TeamRights) -> [TeamID]? {
    switch role {
    case .administrator: nil
    case .manager:
      teams.filter { $0.value.isSuperset(of: rights) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// Whether they have all of `rights` for `team`.
  public func may(_ rights: TeamRights, of team: TeamID) -> Bool {
    switch role {
    case .administrator: true
    case .manager: teams[team]?.isSuperset(of: rights) ?? false
    }
  }
}

extension Viewer {
  /// Passes when they have these rights for `team`.
  /// - Throws: `.notFound` otherwise, whether there is such a team or not.
  public func check(_ rights: TeamRights, of team: TeamID) throws(OperationError) {
    guard may(rights, of: team) else { throw .notFound("team \(team.rawValue)") }
  }
}

extension Operations {
  /// Passes when `viewer` has these rights for the team of `employee`. An administrator always has:
  /// whether there is such an employee, the use case says.
  /// - Throws: `.notFound` otherwise, whether there is such an employee or not; `.unavailable`,
  ///   `.broken`.
  public func check(_ viewer: Viewer, _ rights: TeamRights, of employee: EmployeeID)
    async throws(OperationError)
  {
    guard viewer.role == .manager else { return }
    let team = try await read { (session) throws(PostgresError) in
      try ShiftStore.team(of: employee, on: &session)
    }
    guard let team, viewer.may(rights, of: team) else { throw .employeeNotFound(employee) }
  }
}
