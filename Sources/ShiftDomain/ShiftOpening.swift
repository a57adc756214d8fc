/// Who opened a shift. Raw values are stored; append-only.
public enum ShiftOpening: UInt8, Coded {
  case employee = 0
  /// A manager; it waits for the employee's confirmation before a phone tracks it.
  case manager = 1
  /// A planned shift, at its start; it waits in the same way.
  case plan = 2

  public var code: String {
    switch self {
    case .employee: "employee"
    case .manager: "manager"
    case .plan: "plan"
    }
  }
}
