public import APIMessages
import HTTPServing
public import ShiftDomain
public import ShiftOperations

/// The routes that managers call.
/// - Parameters:
///   - operations: The use cases behind them.
///   - now: The server's clock.
///   - observer: Told of failures.
public func managerRoutes(
  _ operations: Operations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver()
) -> [Route] {
  let desk = ManagerDesk(operations: operations, observer: observer)
  return [
    desk.route(.get, "/v1/board") { _ in
      let asOf = now()
      return ManagerStatus.board(try await operations.board(), asOf: asOf)
    },
    desk.route(.get, "/v1/employees/{employee}/shifts/{shift}") { request in
      ManagerStatus.story(try await operations.story(of: ShiftID(in: request.parameters)))
    },
    desk.route(.get, "/v1/employees/{employee}/shifts/{shift}/coverage") { request in
      ManagerStatus.coverage(try await operations.coverage(of: ShiftID(in: request.parameters)))
    },
  ] + desk.dayRoutes + desk.policyRoutes + desk.overrideRoutes + desk.attemptRoutes
    + desk.correctionRoutes
}

/// Where managers' requests are let in and answered.
struct ManagerDesk: Sendable {
  let operations: Operations
  let observer: RouteObserver

  /// A route that wants an access token.
  func route(
    _ method: HTTPMethod, _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    signedRoute(method, pattern) { (request, _) in try await handle(request) }
  }

  /// A route that wants an access token, and names its holder in what is done.
  func signedRoute(
    _ method: HTTPMethod, _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, Officer) async throws -> HTTPResponse
  ) -> Route {
    Route(method, pattern) { request in
      do {
        guard let token = request.bearerToken else { throw OperationError.unauthorized }
        let holder = try await operations.authenticate(accessToken: token)
        switch holder.role {
        case .administrator: return try await handle(request, holder.officer)
        // No token is a manager's yet.
        case .manager: throw OperationError.unauthorized
        }
      } catch {
        if let failure = failure(behind: error) { observer.failed(failure) }
        return problem(for: error).response()
      }
    }
  }
}

extension ShiftID {
  /// The shift that a path names; a number that no shift can have is no shift.
  init(in parameters: [String: String]) throws(OperationError) {
    guard let employee = parameters["employee"].flatMap({ Int32($0) }),
      let number = parameters["shift"].flatMap({ Int32($0) })
    else { throw .notFound("shift") }
    self.init(employee: EmployeeID(employee), number: number)
  }
}

extension EmployeeID {
  /// The employee that a path names; a number that nobody can have is nobody.
  init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["employee"].flatMap({ Int32($0) }) else {
      throw .notFound("employee")
    }
    self.init(number)
  }
}

/// The number of the `thing` that a path names; what is no number is no such thing.
func number(of thing: String, in parameters: [String: String]) throws(OperationError) -> Int32 {
  guard let number = parameters[thing].flatMap({ Int32($0) }) else { throw .notFound(thing) }
  return number
}
