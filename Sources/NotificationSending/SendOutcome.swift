public import ShiftDomain

/// What became of one try to send one message, sorted by what the caller can do about it. A reason
/// is safe to log and to keep: it holds no token, no address and no text of the message.
public enum SendOutcome: Hashable, Sendable {
  /// The provider took it, which is not yet delivery.
  /// - Parameter reference: The provider's own name for it, at most 200 characters.
  case accepted(reference: String?)
  /// Not now. Try again with the same key.
  /// - Parameter after: The provider's word, bounded; `nil` leaves it to the ``RetryCurve``.
  case retry(reason: String, after: Duration?)
  /// It may have been taken. Try again with the same key.
  case unknown(reason: String)
  /// Nobody is at this address any more. Forget it.
  /// - Parameter at: Since when, by the provider; an address registered later is kept.
  case addressGone(reason: String, at: Instant?)
  /// Never, for this message to this address. Try the next channel.
  case refused(reason: String)
  /// Our settings are at fault, so every message would fare alike: keep them all, and count no
  /// attempt.
  case misconfigured(reason: String)
}
