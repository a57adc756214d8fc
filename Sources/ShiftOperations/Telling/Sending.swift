public import Guidance
public import NotificationQueue
public import ShiftDomain

/// Where a message goes.
public enum Address: Hashable, Sendable {
  /// A device's push service.
  case push(PushTarget)
  /// A mailbox.
  case email(String)
  /// A team's program.
  case webhook(Webhook)

  /// The transport it takes.
  public var channel: Channel {
    switch self {
    case .push(let target): target.channel
    case .email: .email
    case .webhook: .webhook
    }
  }
}

/// A message that is to leave for one address now. That it was tried is written down already.
public struct Sending: Hashable, Sendable {
  /// The try.
  public var attempt: Attempt
  /// The number of the lease that it is made under.
  public var lease: Int32
  /// Where to.
  public var address: Address
  /// What to tell: of what holds now.
  public var notice: Notice
  /// The newest report of the device; `nil` when it never reported.
  public var report: PermissionState?
  /// The device that the steps lead through.
  public var device: DeviceDescription
  /// What the recipient reads.
  public var language: Language
  /// To managers: whom it is about, one name or more. Empty for the employee.
  public var names: [String]
  /// To managers: whether the employee was told of it by any way.
  public var isEmployeeTold: Bool
  /// Nothing is sent from then on.
  public var expiresAt: Instant

  /// Whether managers are to read it.
  public var isForManagers: Bool { attempt.rung == .managers }
}

/// What became of a sending.
public struct SendingResult: Hashable, Sendable {
  /// The sending.
  public var sending: Sending
  /// What became of it.
  public var outcome: TryOutcome
  /// Why not; safe to show.
  public var reason: String?
  /// The provider's own name for it.
  public var reference: String?
  /// Not tried again for this long; `nil`: not to be tried again.
  public var retryAfter: TimeSpan?
  /// Of an address that is gone: since when, if the provider told.
  public var goneAt: Instant?

  /// A result.
  public init(
    of sending: Sending, _ outcome: TryOutcome, reason: String? = nil, reference: String? = nil,
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
