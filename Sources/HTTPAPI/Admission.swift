public import HTTPServing
public import ShiftDomain
public import ShiftOperations

extension Authenticator.Requester {
  /// Checks that the principal may use a route. An object outside their rights gets the same answer
  /// as one that does not exist, after the same look-up.
  /// - Parameter access: The route's access rule; not `.anybody` or `.device`.
  /// - Throws: `AccessFault`; `OperationError`, `.notFound` for an object outside their rights.
  public func check(
    _ access: Access, in request: HTTPRequest, _ operations: Operations
  ) async throws {
    switch access {
    case .anybody, .device:
      preconditionFailure("not a route for managers")
    case .anyManager: break
    case .account:
      guard session != nil else { throw AccessFault.sessionRequired }
    case .administrator:
      guard principal.role == .administrator else { throw AccessFault.administratorRequired }
    case .employee(let rights):
      try await operations.check(principal, rights, of: EmployeeID(in: request.parameters))
    case .team(let rights):
      try principal.check(rights, of: TeamID(in: request.parameters))
    case .listing(let rights):
      // A value that is not a number is reported by the route itself.
      if let employee = request.queryValue("employee").flatMap({ Int32($0) }) {
        try await operations.check(principal, rights, of: EmployeeID(employee))
      }
      if let team = request.queryValue("team").flatMap({ Int32($0) }) {
        try principal.check(rights, of: TeamID(team))
      }
    }
  }
}

extension TeamID {
  /// The team in the path.
  /// - Throws: `.notFound` for an impossible number.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["team"].flatMap({ Int32($0) }) else { throw .notFound("team") }
    self.init(number)
  }
}

extension EmployeeID {
  /// The employee in the path.
  /// - Throws: `.notFound` for an impossible number.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["employee"].flatMap({ Int32($0) }), number > 0 else {
      throw .notFound("employee")
    }
    self.init(number)
  }
}

extension AccountID {
  /// The account in the path.
  /// - Throws: `.notFound` for an impossible number.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["account"].flatMap({ Int32($0) }) else {
      throw .notFound("account")
    }
    self.init(number)
  }
}

extension SessionID {
  /// The session in the path.
  /// - Throws: `.notFound` for an impossible number.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["session"].flatMap({ Int64($0) }) else {
      throw .notFound("session")
    }
    self.init(number)
  }
}
