/// Who or what ended a shift. Raw values are stored; append-only.
public enum ShiftEnding: UInt8, Coded {
  case employee = 0
  /// The shift reached its maximum length; it needs review.
  case limit = 1
  case manager = 2
  /// The employee declined a shift that a manager or a plan had opened; it needs review.
  case declined = 3

  public var needsReview: Bool { self == .limit || self == .declined }

  public var code: String {
    switch self {
    case .employee: "employee"
    case .limit: "limit"
    case .manager: "manager"
    case .declined: "declined"
    }
  }
}
