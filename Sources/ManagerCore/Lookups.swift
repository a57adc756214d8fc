import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension OperationCore {
  /// Checks that `principal` has these rights for the team of `employee`. An administrator always
  /// has; whether the employee exists is checked by the use case.
  /// - Throws: `.notFound` otherwise, whether there is such an employee or not.
  package func check(_ principal: Principal, _ rights: TeamRights, of employee: EmployeeID)
    async throws(OperationError)
  {
    guard principal.role == .manager else { return }
    guard principal.may(rights, of: try await team(of: employee)) else {
      throw .employeeNotFound(employee)
    }
  }

  /// Reads rows of `employee`, or of all employees. An empty list for an unknown employee would be
  /// misleading.
  package func list<Row: Sendable>(
    of employee: EmployeeID?, _ body: @Sendable (inout Session) throws(PostgresError) -> [Row]
  ) async throws(OperationError) -> [Row] {
    let rows = try await read(body)
    if rows.isEmpty, let employee { _ = try await team(of: employee) }
    return rows
  }

  /// - Throws: `.notFound` for an unknown employee.
  package func team(of employee: EmployeeID) async throws(OperationError) -> TeamID {
    let team = try await read { (session) throws(PostgresError) in
      try ShiftStore.team(of: employee, on: &session)
    }
    guard let team else { throw .employeeNotFound(employee) }
    return team
  }

  package func team(_ team: TeamID) async throws(OperationError) -> TeamRow {
    let row = try await read { (session) throws(PostgresError) in
      try ShiftStore.team(team, on: &session)
    }
    guard let row else { throw .teamNotFound(team) }
    return row
  }
}

extension OperationError {
  package static func teamNotFound(_ team: TeamID) -> OperationError {
    .notFound("team \(team.rawValue)")
  }
}

/// The first of these teams, by number, that does not exist.
package func unknownTeam(among teams: [TeamID: TeamRights], on session: inout Session)
  throws(PostgresError) -> TeamID?
{
  guard !teams.isEmpty else { return nil }
  let known = Set(try ShiftStore.teams(on: &session).map(\.team))
  return teams.keys.filter { !known.contains($0) }.min { $0.rawValue < $1.rawValue }
}
