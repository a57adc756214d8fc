public enum OverrideAuthor: UInt8, Coded {
  /// A manager, or an operator in their place; never for themselves.
  case manager = 0
  /// The employee, where the policy allows it, with a reason.
  case employee = 1

  public var code: String {
    switch self {
    case .manager: "manager"
    case .employee: "employee"
    }
  }
}

/// Permission for one clock-in in spite of the given findings.
public struct Override: Hashable, Sendable {
  /// Its number within the employee; `nil` for one that comes with the clock-in itself.
  public var number: Int32?
  public var findings: FindingSet
  public var author: OverrideAuthor

  public init(number: Int32?, findings: FindingSet, author: OverrideAuthor) {
    self.number = number
    self.findings = findings
    self.author = author
  }
}
