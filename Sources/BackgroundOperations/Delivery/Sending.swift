public import Guidance
public import NotificationQueue
public import ShiftDomain

/// The destination of a notification.
public enum Address: Hashable, Sendable {
  /// A device's push target.
  case push(PushTarget)
  /// An e-mail address.
  case email(String)
  /// A team's webhook.
  case webhook(Webhook)

  /// Its channel.
  public var channel: Channel {
    switch self {
    case .push(let target): target.channel
    case .email: .email
    case .webhook: .webhook
    }
  }
}

/// A notification to deliver to one address now. The attempt is already stored.
public struct Sending: Hashable, Sendable {
  /// The delivery attempt.
  public var attempt: DeliveryAttempt
  /// The number of the lease under which it is made.
  public var lease: Int32
  /// The destination.
  public var address: Address
  /// The notification, with the current state.
  public var notification: ShiftNotification
  /// The newest report of the device; `nil` without any.
  public var report: PermissionState?
  /// The device for which the steps are written.
  public var device: DeviceDescription
  /// The recipient's language.
  public var language: Language
  /// To managers: one or more names of the employees concerned. Empty for the employee.
  public var names: [String]
  /// To managers: whether the employee was notified on any channel.
  public var isEmployeeNotified: Bool
  /// Not sent after this time.
  public var expiresAt: Instant

  /// Whether it goes to managers.
  public var isForManagers: Bool { attempt.step == .managers }
}

/// The result of a delivery.
public struct SendingResult: Hashable, Sendable {
  /// The delivery.
  public var sending: Sending
  /// The outcome.
  public var outcome: DeliveryOutcome
  /// Why it failed; safe to show.
  public var reason: String?
  /// The provider's id for it.
  public var reference: String?
  /// The pause before the next attempt; `nil`: no further attempt.
  public var retryAfter: TimeSpan?
  /// For an address that is gone: since when, if the provider says so.
  public var goneAt: Instant?

  /// A result.
  public init(
    of sending: Sending, _ outcome: DeliveryOutcome, reason: String? = nil,
    reference: String? = nil,
    retryAfter: TimeSpan? = nil, goneAt: Instant? = nil
  ) {
    self.sending = sending
    self.outcome = outcome
    self.reason = reason
    self.reference = reference
    self.retryAfter = retryAfter
    self.goneAt = goneAt
  }
}
