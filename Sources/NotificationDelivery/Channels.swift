public import NotificationSending
public import ShiftDomain
public import ShiftOperations

/// The transports out of the house, as the worker uses them.
public struct Channels: Sendable {
  /// Sends a message to one address. Answers within half a minute, whatever the peer does, and
  /// soon after its task is cancelled.
  public var send: @Sendable (OutgoingMessage, Address) async -> SendOutcome
  /// How long a channel is left alone after a try that failed for now.
  /// - Parameters: the channel; the number of the try, from 1; chance, 0…1.
  public var retryDelay: @Sendable (Channel, Int, Double) -> Duration

  /// Transports.
  public init(
    retryDelay: @escaping @Sendable (Channel, Int, Double) -> Duration = usualRetryDelay,
    send: @escaping @Sendable (OutgoingMessage, Address) async -> SendOutcome
  ) {
    self.send = send
    self.retryDelay = retryDelay
  }

  /// No transport at all: whatever needs one waits, and is said to.
  public static let none = Channels { _, address in
    .misconfigured(reason: "\(address.channel.code) is not set up")
  }
}

/// Doubling from the channel's first delay to its longest, of which up to a fifth is chance.
/// - Parameters:
///   - attempt: From 1.
///   - chance: 0…1.
public func usualRetryDelay(_ channel: Channel, attempt: Int, chance: Double) -> Duration {
  let (first, most): (Double, Double) =
    switch channel {
    case .apns: (1, 60)
    case .fcm: (10, 3_600)
    case .webPush: (30, 3_600)
    case .email: (300, 3_600)
    case .webhook: (5, 3_600)
    }
  var seconds = first
  for _ in 1..<max(2, min(attempt, 20)) where seconds < most && attempt > 1 { seconds *= 2 }
  return .seconds(min(seconds, most) * (0.8 + 0.2 * chance))
}
