import Guidance
import NotificationQueue
import ReadModels
import ShiftDomain

/// A notification to deliver to one address now. The attempt is already stored.
package struct Sending: Hashable, Sendable {
  package var attempt: DeliveryAttempt
  /// The number of the lease under which it is made.
  package var lease: Int32
  package var address: Address
  /// The notification, with the current state.
  package var notification: ShiftNotification
  package var report: PermissionState?
  /// The device for which the steps are written.
  package var device: DeviceDescription
  package var language: Language
  /// To managers: one or more names of the employees concerned. Empty for the employee.
  package var names: [String]
  /// To managers: whether the employee was notified on any channel.
  package var isEmployeeNotified: Bool
  /// The figures of the team's week, if it is about them.
  package var digest: TeamDigest?
  /// Not sent after this time.
  package var expiresAt: Instant

  package var isForManagers: Bool { attempt.step == .managers }
}

package struct SendingResult: Hashable, Sendable {
  package var sending: Sending
  package var outcome: DeliveryOutcome
  /// Why it failed; safe to show.
  package var reason: String?
  /// The provider's id for it.
  package var reference: String?
  /// The pause before the next attempt; `nil`: no further attempt.
  package var retryAfter: TimeSpan?
  /// For an address that is gone: since when, if the provider says so.
  package var goneAt: Instant?

  package init(
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
