/// The author of an override.
public enum OverrideAuthor: UInt8, Coded {
  /// A manager, or an operator in their place; never for themselves.
  case manager = 0
  /// The employee, where the policy allows it, with a reason.
  case employee = 1

  /// Its code in JSON and SQL.
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
  /// The findings that it allows.
  public var findings: FindingSet
  /// Its author.
  public var author: OverrideAuthor

  /// An override.
  public init(number: Int32?, findings: FindingSet, author: OverrideAuthor) {
    self.number = number
    self.findings = findings
    self.author = author
  }
}
