/// Who or what ended a shift. Raw values are stored; append-only.
public enum ShiftEnding: UInt8, Coded {
  /// The employee clocked out.
  case employee = 0
  /// The shift reached its maximum length; it needs review.
  case limit = 1
  /// A manager set the end.
  case manager = 2

  /// Its code in JSON and SQL.
  public var code: String {
    switch self {
    case .employee: "employee"
    case .limit: "limit"
    case .manager: "manager"
    }
  }
}
