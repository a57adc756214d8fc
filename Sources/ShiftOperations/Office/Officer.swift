public import ShiftDomain

/// Who acts for the office, and is named in what they do: the holder of an access token, or the
/// operator at the command line.
public struct Officer: Hashable, Sendable {
  /// The token's name, or what the operator is called; 1…100 characters, no U+0000.
  public var name: String
  /// The employee that they are themselves, who is given no leave by themselves. `nil` for
  /// everybody so far: neither a token nor an operator is an employee yet.
  public var employee: EmployeeID?

  /// Somebody called `name`.
  public init(name: String, employee: EmployeeID? = nil) {
    self.name = name
    self.employee = employee
  }

  /// - Parameter reason: What they say; `nil`: nothing.
  /// - Throws: `.invalid` for a name or a reason that cannot be kept.
  func check(reason: String?) throws(OperationError) {
    guard isKept(name, max: 100) else {
      throw .invalid("whoever acts has a name of 1 to 100 characters, and not only spaces")
    }
    if let reason, !isKept(reason, max: 500) {
      throw .invalid("a reason has 1 to 500 characters, and not only spaces")
    }
  }
}

private func isKept(_ text: String, max: Int) -> Bool {
  !text.allSatisfy { $0.isWhitespace } && !text.contains("\0") && text.unicodeScalars.count <= max
}

extension OperationError {
  static func employeeNotFound(_ employee: EmployeeID) -> OperationError {
    .notFound("employee \(employee.rawValue)")
  }
}
