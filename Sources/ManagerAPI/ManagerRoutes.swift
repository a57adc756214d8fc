public import APIMessages
import HTTPServing
public import ShiftDomain
public import ShiftOperations

/// The routes that the office calls: managers, administrators and their programs.
/// - Parameters:
///   - operations: The use cases behind them.
///   - now: The server's clock.
///   - observer: Told of failures.
///   - boards: Serves the boards that are open; by default one that nobody runs.
public func managerRoutes(
  _ operations: Operations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver(), boards: BoardStreams? = nil
) -> [Route] {
  let desk = ManagerDesk(
    operations: operations, observer: observer, door: OfficeDoor(operations),
    boards: boards ?? BoardStreams(operations: operations))
  return [
    desk.route(.get, "/v1/employees/{employee}/shifts/{shift}") { (request, _) in
      ManagerStatus.story(try await operations.story(of: ShiftID(in: request.parameters)))
    },
    desk.route(.get, "/v1/employees/{employee}/shifts/{shift}/coverage") { (request, _) in
      ManagerStatus.coverage(try await operations.coverage(of: ShiftID(in: request.parameters)))
    },
  ] + desk.boardRoutes + desk.coverageRoutes + desk.trackRoutes + desk.listRoutes
    + desk.policyRoutes
    + desk.figuresRoutes + desk.overrideRoutes
    + desk.attemptRoutes + desk.correctionRoutes + desk.sessionRoutes + desk.accountRoutes
    + desk.auditRoutes + desk.teamRoutes + desk.staffRoutes + desk.phoneRoutes
    + desk.planRoutes
}

/// Where the office's requests are let in and answered.
struct ManagerDesk: Sendable {
  typealias Caller = OfficeDoor.Caller

  let operations: Operations
  let observer: RouteObserver
  let door: OfficeDoor
  let boards: BoardStreams

  /// A route that lets in whom the table of access says.
  /// - Parameter bodyMax: The longest body in bytes.
  func route(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    _ handle: @escaping @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse
  ) -> Route {
    let access = Access.asked(method, pattern)
    return answering(method, pattern, bodyMax: bodyMax) { request in
      try await handle(request, try await admit(request, access))
    }
  }

  /// A route for whoever has still to be let in.
  func openRoute(
    _ method: HTTPMethod, _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    precondition(Access.asked(method, pattern) == .anybody, "\(pattern) is not for anybody")
    return answering(method, pattern, handle)
  }

  private func answering(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    let handler = OfficeDoor.renewing { request in
      do { return try await handle(request) } catch {
        if let failure = failure(behind: error) { observer.failed(failure) }
        return problem(for: error).response()
      }
    }
    return Route(method, pattern, bodyMax: bodyMax) { request in
      ManagerStatus.private(await handler(request))
    }
  }

  /// Lets in whoever has what is asked. What somebody may not see is not there for them, whether it
  /// is or not: both take one look-up, and both are told the same.
  private func admit(_ request: HTTPRequest, _ access: Access) async throws -> Caller {
    let caller = try await door.admit(request)
    let viewer = caller.viewer
    switch access {
    case .anybody, .device:
      preconditionFailure("no route of the office's")
    case .office: break
    case .account:
      guard caller.session != nil else { throw AccessFault.sessionNeeded }
    case .administrator:
      guard viewer.role == .administrator else { throw AccessFault.administratorNeeded }
    case .employee(let rights):
      try await operations.check(viewer, rights, of: EmployeeID(in: request.parameters))
    case .team(let rights):
      let isInPath = request.parameters["team"] != nil
      let team = isInPath ? try TeamID(in: request.parameters) : try request.requiredTeam()
      try viewer.check(rights, of: team)
    case .listing(let rights):
      if let employee = try request.employee() {
        try await operations.check(viewer, rights, of: employee)
      }
      if let team = try request.team() { try viewer.check(rights, of: team) }
    }
    return caller
  }
}

extension TeamID {
  /// The team that a path names; a number that no team can have is no team.
  init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["team"].flatMap({ Int32($0) }) else { throw .notFound("team") }
    self.init(number)
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
