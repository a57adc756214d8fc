/// Who or what ended a shift. Raw values are stored; append-only.
public enum ShiftEnding: UInt8, Coded {
  case employee = 0
  /// The shift reached its maximum length; it needs review.
  case limit = 1
  case manager = 2

  public var code: String {
    switch self {
    case .employee: "employee"
    case .limit: "limit"
    case .manager: "manager"
    }
  }
}
