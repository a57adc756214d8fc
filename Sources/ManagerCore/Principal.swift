import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An authenticated manager or administrator, with their rights.
package struct Principal: Hashable, Sendable {
  package var actor: AuditActor
  /// An administrator has all rights.
  package var role: AccessRole
  /// A manager's rights; not used for an administrator.
  package var teams: [TeamID: TeamRights]
  /// Their account; `nil` for a token and for the command line.
  package var account: AccountID?
  /// Their session; `nil` for a token and for the command line.
  package var session: SessionID?
  /// The number of their API token; `nil` for an account and for the command line.
  package var token: Int32?

  package init(
    actor: AuditActor, role: AccessRole, teams: [TeamID: TeamRights] = [:],
    account: AccountID? = nil, session: SessionID? = nil, token: Int32? = nil
  ) {
    self.actor = actor
    self.role = role
    self.teams = teams
    self.account = account
    self.session = session
    self.token = token
  }

  /// How they authenticated; `nil` for the command line.
  package var credential: ManagerCredential? {
    session.map { .session($0) } ?? token.map { .token($0) }
  }

  /// The teams for which they have all of `rights`, by number; `nil`: every team.
  package func teams(with rights: TeamRights) -> [TeamID]? {
    switch role {
    case .administrator: nil
    case .manager:
      teams.filter { $0.value.isSuperset(of: rights) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
  }

  package func may(_ rights: TeamRights, of team: TeamID) -> Bool {
    switch role {
    case .administrator: true
    case .manager: teams[team]?.isSuperset(of: rights) ?? false
    }
  }
}

extension Principal {
  /// - Throws: `.notFound` without these rights, whether there is such a team or not.
  package func check(_ rights: TeamRights, of team: TeamID) throws(OperationError) {
    guard may(rights, of: team) else { throw .notFound("team \(team.rawValue)") }
  }
}

extension Principal {
  package func scope(_ rights: TeamRights) -> TeamScope {
    TeamScope(teams(with: rights).map { Set($0) })
  }
}

package enum ManagerCredential: Hashable, Sendable {
  case session(SessionID)
  /// An API token, by its number.
  case token(Int32)
}
