/// Who lets an employee begin although the guard says no.
public enum OverrideAuthor: UInt8, Coded {
  /// A manager, or an operator in their place; never for oneself.
  case manager = 0
  /// The employee, where the policy allows it, with a reason.
  case employee = 1

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .manager: "manager"
    case .employee: "employee"
    }
  }
}

/// A leave to begin one shift in spite of named findings.
public struct Override: Hashable, Sendable {
  /// Its number within the employee; `nil` for one that the tap itself brings.
  public var number: Int32?
  /// What it excuses.
  public var findings: FindingSet
  /// Who gave it.
  public var author: OverrideAuthor

  /// A leave.
  public init(number: Int32?, findings: FindingSet, author: OverrideAuthor) {
    self.number = number
    self.findings = findings
    self.author = author
  }
}
