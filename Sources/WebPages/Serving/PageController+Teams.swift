import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// The teams of which the viewer has this right.
  /// - Throws: `PageNotFound` if the viewer may not see `team`.
  func teams(
    for principal: Principal, with right: TeamRights = .coverage, including team: TeamID? = nil
  ) async throws -> [TeamRow] {
    let teams = try await operations.people.teams().filter { principal.may(right, of: $0.team) }
    guard team == nil || teams.contains(where: { $0.team == team }) else { throw PageNotFound() }
    return teams
  }
}
