import ShiftDomain

/// The outcome of one attempt, sorted by what the caller can do about it. A reason is safe to log
/// and to store: it contains no token, no address and no text of the notification.
package enum SendOutcome: Hashable, Sendable {
  /// The provider accepted it, which is not yet delivery.
  /// - Parameter reference: The provider's id for it, at most 200 characters.
  case accepted(reference: String?)
  /// A temporary failure. Retry with the same key.
  /// - Parameter after: The delay the provider asks for, bounded; `nil` uses the ``RetryCurve``.
  case retry(reason: String, after: Duration?)
  /// It may have been accepted. Retry with the same key.
  case unknown(reason: String)
  /// The address no longer exists. Remove it.
  /// - Parameter at: Since when, by the provider; an address registered later is kept.
  case addressGone(reason: String, at: Instant?)
  case refused(reason: String)
  /// Our settings are at fault: every notification would fail, so keep them and count no attempt.
  case misconfigured(reason: String)
}
