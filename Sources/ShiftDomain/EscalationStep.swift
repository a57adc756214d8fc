/// A step of the escalation of a notification. Raw values are stored; append-only.
public enum EscalationStep: UInt8, Coded {
  case inApp = 0
  case push = 1
  case email = 2
  /// The managers of the employee's team, by the channels of its contacts.
  case managers = 3

  public var code: String {
    switch self {
    case .inApp: "in_app"
    case .push: "push"
    case .email: "email"
    case .managers: "managers"
    }
  }
}
