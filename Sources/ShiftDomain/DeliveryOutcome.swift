/// Why a notification left the outbox. Raw values are stored; append-only.
public enum NotificationEnding: UInt8, Coded {
  /// It was delivered, and nobody else needs to be notified.
  case delivered = 0
  case restored = 1
  case shiftEnded = 2
  /// A newer notification replaces it.
  case superseded = 3
  /// The requested action was taken.
  case resolved = 4
  /// It ends an alarm that nobody received.
  case notNeeded = 5
  case expired = 6
  /// Every available channel rejected it: a dead letter.
  case unreachable = 7
  /// Processing failed repeatedly: a dead letter.
  case failed = 8
  /// What it is about ended with a break.
  case breakStarted = 9
  /// A reason that this version does not know.
  case newer = 255

  public static let allCases = knownCases
  public static let standIn: NotificationEnding? = .newer

  public var code: String {
    switch self {
    case .delivered: "delivered"
    case .restored: "restored"
    case .shiftEnded: "shift_ended"
    case .superseded: "superseded"
    case .resolved: "resolved"
    case .notNeeded: "not_needed"
    case .expired: "expired"
    case .unreachable: "unreachable"
    case .failed: "failed"
    case .breakStarted: "break_started"
    case .newer: "newer_version"
    }
  }

  /// Whether it should have been delivered and was not, so that an operator should check it.
  public var isDeadLetter: Bool {
    switch self {
    case .unreachable, .failed: true
    case .delivered, .restored, .shiftEnded, .superseded, .resolved, .notNeeded, .expired,
      .breakStarted, .newer:
      false
    }
  }
}

/// The outcome of one delivery attempt. Raw values are stored; append-only. If none is stored, it
/// is unknown because the instance stopped during the attempt.
public enum DeliveryOutcome: UInt8, Coded {
  case accepted = 0
  case retry = 1
  /// The provider may have accepted it.
  case unknown = 2
  case addressGone = 3
  case refused = 4
  /// Our settings are at fault.
  case misconfigured = 5
  /// Included in another notification to the same managers.
  case inDigest = 6

  public static let standIn: DeliveryOutcome? = .unknown

  public var code: String {
    switch self {
    case .accepted: "accepted"
    case .retry: "retry"
    case .unknown: "unknown"
    case .addressGone: "address_gone"
    case .refused: "refused"
    case .misconfigured: "misconfigured"
    case .inDigest: "in_digest"
    }
  }
}
