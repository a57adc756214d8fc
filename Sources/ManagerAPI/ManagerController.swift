public import HTTPAPI
import HTTPServing
public import ShiftDomain
public import ShiftOperations

/// The routes for managers, administrators and their programs.
/// - Parameters:
///   - operations: The use cases behind them.
///   - now: The server's clock.
///   - observer: Receives failures.
///   - boards: Serves the open boards; by default an instance that is not running.
public func managerRoutes(
  _ operations: Operations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver(), boards: BoardStreams? = nil
) -> [Route] {
  let controller = ManagerController(
    operations: operations, observer: observer, authenticator: Authenticator(operations),
    boards: boards ?? BoardStreams(operations: operations))
  return [
    controller.route(.get, "/v1/employees/{employee}/shifts/{shift}") { (request, _) in
      ManagerStatus.shift(try await operations.shiftDetails(of: ShiftID(in: request.parameters)))
    },
    controller.route(.get, "/v1/employees/{employee}/shifts/{shift}/coverage") { (request, _) in
      ManagerStatus.coverage(try await operations.coverage(of: ShiftID(in: request.parameters)))
    },
  ] + controller.boardRoutes + controller.coverageRoutes + controller.trackRoutes
    + controller.listRoutes
    + controller.policyRoutes
    + controller.statisticsRoutes + controller.overrideRoutes
    + controller.clockActionRoutes + controller.correctionRoutes + controller.sessionRoutes
    + controller.accountRoutes
    + controller.auditRoutes + controller.teamRoutes + controller.employeeRoutes
    + controller.deviceRoutes
    + controller.plannedShiftRoutes + controller.retentionRoutes
}

/// Authenticates and answers the requests of managers and administrators.
struct ManagerController: Sendable {
  typealias Requester = Authenticator.Requester

  let operations: Operations
  let observer: RouteObserver
  let authenticator: Authenticator
  let boards: BoardStreams

  /// A route with the access rule from the table.
  /// - Parameters:
  ///   - bodyMax: The maximum body size in bytes.
  ///   - deadline: The maximum time for the response.
  func route(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    deadline: Duration = .seconds(15),
    _ handle: @escaping @Sendable (HTTPRequest, Requester) async throws -> HTTPResponse
  ) -> Route {
    let access = Access.asked(method, pattern)
    return answering(
      method, pattern, bodyMax: bodyMax, deadline: deadline,
      admission: { _ = try await admit($0, access) }
    ) { request in
      try await handle(request, try await admit(request, access))
    }
  }

  /// A route that reads a whole file, which may have a hundred thousand lines and take a while.
  func importRoute(
    _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, Requester) async throws -> HTTPResponse
  ) -> Route {
    route(.post, pattern, bodyMax: importBytesMax, deadline: .seconds(120), handle)
  }

  /// A route without authentication, such as login.
  func openRoute(
    _ method: HTTPMethod, _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    precondition(Access.asked(method, pattern) == .anybody, "\(pattern) is not for anybody")
    return answering(method, pattern, handle)
  }

  private func answering(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    deadline: Duration = .seconds(15),
    admission: (@Sendable (HTTPRequest) async throws -> Void)? = nil,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    let handler = Authenticator.renewing { request in
      do { return try await handle(request) } catch { return answer(to: error) }
    }
    var route = Route(method, pattern, bodyMax: bodyMax, deadline: deadline) { request in
      ManagerStatus.private(await handler(request))
    }
    if let admission {
      route.admission = { request in
        do {
          try await admission(request)
          return nil
        } catch { return ManagerStatus.private(answer(to: error)) }
      }
    }
    return route
  }

  private func answer(to error: any Error) -> HTTPResponse {
    if let failure = failure(behind: error) { observer.failed(failure) }
    return problem(for: error).response()
  }

  /// Authenticates the request and checks its access rule.
  private func admit(_ request: HTTPRequest, _ access: Access) async throws -> Requester {
    let requester = try await authenticator.admit(request)
    if case .listing = access {
      // An unreadable query is an error, even when the route does not use it.
      _ = (try request.employee(), try request.team())
    }
    try await requester.check(access, in: request, operations)
    return requester
  }
}

extension ShiftID {
  /// The shift in the path; `.notFound` for an impossible number.
  init(in parameters: [String: String]) throws(OperationError) {
    guard let employee = parameters["employee"].flatMap({ Int32($0) }),
      let number = parameters["shift"].flatMap({ Int32($0) })
    else { throw .notFound("shift") }
    self.init(employee: EmployeeID(employee), number: number)
  }
}

/// The number of the `thing` in the path; `.notFound` when it is not a number.
func number(of thing: String, in parameters: [String: String]) throws(OperationError) -> Int32 {
  guard let number = parameters[thing].flatMap({ Int32($0) }) else { throw .notFound(thing) }
  return number
}
