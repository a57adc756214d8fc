public import HTTPServing
public import ShiftDomain
public import ShiftOperations

extension OfficeDoor.Caller {
  /// Passes when they may what a route asks. What somebody may not see is not there for them,
  /// whether it is or not: both take one look-up, and both are told the same.
  /// - Parameter access: What is asked; of a route for anybody, or for a phone, there is nothing
  ///   to be asked here.
  /// - Throws: `AccessFault`; `OperationError`, `.notFound` for what is not theirs.
  public func check(
    _ access: Access, in request: HTTPRequest, _ operations: Operations
  ) async throws {
    switch access {
    case .anybody, .device:
      preconditionFailure("no route of the office's")
    case .office: break
    case .account:
      guard session != nil else { throw AccessFault.sessionNeeded }
    case .administrator:
      guard viewer.role == .administrator else { throw AccessFault.administratorNeeded }
    case .employee(let rights):
      try await operations.check(viewer, rights, of: EmployeeID(in: request.parameters))
    case .team(let rights):
      try viewer.check(rights, of: TeamID(in: request.parameters))
    case .listing(let rights):
      // What is no number names nobody, and the route says so in its own words.
      if let employee = request.queryValue("employee").flatMap({ Int32($0) }) {
        try await operations.check(viewer, rights, of: EmployeeID(employee))
      }
      if let team = request.queryValue("team").flatMap({ Int32($0) }) {
        try viewer.check(rights, of: TeamID(team))
      }
    }
  }
}

extension TeamID {
  /// The team that a path names.
  /// - Throws: `.notFound` for a number that no team can have.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["team"].flatMap({ Int32($0) }) else { throw .notFound("team") }
    self.init(number)
  }
}

extension EmployeeID {
  /// The employee that a path names.
  /// - Throws: `.notFound` for a number that nobody can have.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["employee"].flatMap({ Int32($0) }), number > 0 else {
      throw .notFound("employee")
    }
    self.init(number)
  }
}

extension AccountID {
  /// The account that a path names.
  /// - Throws: `.notFound` for a number that none can have.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["account"].flatMap({ Int32($0) }) else {
      throw .notFound("account")
    }
    self.init(number)
  }
}

extension SessionID {
  /// The session that a path names.
  /// - Throws: `.notFound` for a number that none can have.
  public init(in parameters: [String: String]) throws(OperationError) {
    guard let number = parameters["session"].flatMap({ Int64($0) }) else {
      throw .notFound("session")
    }
    self.init(number)
  }
}
