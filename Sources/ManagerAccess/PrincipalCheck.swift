import HTTPAPI
import HTTPServing
import ManagerCore
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

extension Principal {
  /// Checks that they may use a route. An object outside their rights gets the same answer
  /// as one that does not exist, after the same look-up.
  /// - Throws: `AccessFault`; `OperationError`, `.notFound` for an object outside their rights.
  package func check(
    _ access: Access, in request: HTTPRequest, _ operations: ManagerOperations
  ) async throws {
    switch access {
    case .anybody, .device:
      preconditionFailure("not a route for managers")
    case .anyManager: break
    case .account:
      guard session != nil else { throw AccessFault.sessionRequired }
    case .administrator:
      guard role == .administrator else { throw AccessFault.administratorRequired }
    case .employee(let rights):
      try await operations.core.check(self, rights, of: request.pathEmployee)
    case .team(let rights):
      try check(rights, of: request.pathTeam)
    case .listing(let rights):
      // A value that is not a number is reported by the route itself.
      if let employee = request.queryValue("employee").flatMap({ Int32($0) }) {
        try await operations.core.check(self, rights, of: EmployeeID(employee))
      }
      if let team = request.queryValue("team").flatMap({ Int32($0) }) {
        try check(rights, of: TeamID(team))
      }
    }
  }
}
