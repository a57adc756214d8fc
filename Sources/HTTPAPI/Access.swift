import HTTPServing
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

/// Who may use a route of the API or of the pages.
package enum Access: Hashable, Sendable {
  /// Anybody, without credentials: supervisors, enrolment and login.
  case anybody
  /// A device token; the route shows only the device's own employee.
  case device
  /// Any manager or administrator; the route shows only their own data.
  case anyManager
  /// A logged-in account, not a token; the route shows only its own data.
  case account
  /// Rights for the team of the path's `{employee}`; everyone else gets 404.
  case employee(TeamRights)
  /// Rights for the team of the path's `{team}`; everyone else gets 404.
  case team(TeamRights)
  /// Any manager or administrator: the list shows what these rights allow. An employee or a team
  /// named in the query must be covered by them.
  case listing(TeamRights)
  /// An administrator; everyone else gets 404 for the page.
  case administrator

  /// Whether `Principal.check` can check it.
  package var isForManagers: Bool { self != .anybody && self != .device }
}

/// A route, who may use it and what it costs. Its handler and its admission check that.
package struct AccessRoute: Sendable {
  package let access: Access
  package let cost: Cost
  package let route: Route

  /// A route, described as for `Route`. Traps when it accepts long bodies from unauthenticated
  /// senders.
  package init(
    _ method: HTTPMethod, _ pattern: String, _ access: Access, cost: Cost = .light,
    bodyMax: Int = Route.unaskedBodyMax, deadline: Duration = .seconds(15), isBrief: Bool = false,
    isRaw: Bool = false, admission: Route.Admission? = nil, _ handler: @escaping Route.Handler
  ) {
    precondition(
      bodyMax <= Route.unaskedBodyMax || admission != nil,
      "\(pattern) accepts long bodies from anybody")
    self.access = access
    self.cost = cost
    route = Route(
      method, pattern, bodyMax: bodyMax, deadline: cost.deadline(deadline), isBrief: isBrief,
      endsWithClient: cost == .heavy, isRaw: isRaw, admission: admission,
      cost == .heavy ? Self.countingLeft(handler) : handler)
  }
}

extension AccessRoute {
  /// A request whose client did not wait for the answer is counted as such, not as our failure.
  private static func countingLeft(_ handler: @escaping Route.Handler) -> Route.Handler {
    { request in
      let response = await handler(request)
      return Task.isCancelled ? HTTPResponse(status: 499) : response
    }
  }
}

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
      try await operations.check(self, rights, of: request.pathEmployee)
    case .team(let rights):
      try check(rights, of: request.pathTeam)
    case .listing(let rights):
      // A value that is not a number is reported by the route itself.
      if let employee = request.queryValue("employee").flatMap({ Int32($0) }) {
        try await operations.check(self, rights, of: EmployeeID(employee))
      }
      if let team = request.queryValue("team").flatMap({ Int32($0) }) {
        try check(rights, of: TeamID(team))
      }
    }
  }
}
