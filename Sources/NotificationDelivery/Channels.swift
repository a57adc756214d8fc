import BackgroundOperations
import NotificationSending
import ShiftDomain

/// The external channels, as the worker uses them.
package struct Channels: Sendable {
  /// Sends a notification to one address. Returns within a minute, whatever the other side does,
  /// and soon after its task is cancelled.
  package var send: @Sendable (OutgoingNotification, Address) async -> SendOutcome
  /// The pause of a channel after a temporary failure.
  /// - Parameters: the channel; the number of the attempt, from 1; what the other side asked for;
  ///   chance, 0…1.
  package var retryDelay: @Sendable (Channel, Int, Duration?, Double) -> Duration
  /// The address of the pages for managers, such as `https://shifts.example.com`; `nil`: unknown.
  package var pages: @Sendable () -> String? = { nil }

  package init(
    retryDelay: @escaping @Sendable (Channel, Int, Duration?, Double) -> Duration,
    send: @escaping @Sendable (OutgoingNotification, Address) async -> SendOutcome
  ) {
    self.send = send
    self.retryDelay = retryDelay
  }
}
