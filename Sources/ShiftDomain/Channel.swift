/// An external channel. Raw values are stored; append-only.
public enum Channel: UInt8, Coded {
  case apns = 0
  case fcm = 1
  /// A browser's push service.
  case webPush = 2
  /// SMTP.
  case email = 3
  case webhook = 4
  /// A webhook that posts a text into a chat, in the shape that Slack began.
  case chat = 5

  public var code: String {
    switch self {
    case .apns: "apns"
    case .fcm: "fcm"
    case .webPush: "web_push"
    case .email: "email"
    case .webhook: "webhook"
    case .chat: "chat"
    }
  }

  /// Whether each address is a receiver of its own: it needs no settings, and one that is down says
  /// nothing about the others.
  public var hasOwnReceivers: Bool { self == .webhook || self == .chat }

  /// Whether a contact reads what is sent, in a language and with a weekly digest if it wants one;
  /// otherwise a program does, in English.
  public var hasReaders: Bool { self == .email || self == .chat }
}
