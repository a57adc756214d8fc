import GuardRules

/// A notification with its delivery attempts, in order.
package struct NotificationEntry: Hashable, Sendable {
  package var row: NotificationRow
  package var attempts: [DeliveryAttempt]

  package init(row: NotificationRow, attempts: [DeliveryAttempt]) {
    (self.row, self.attempts) = (row, attempts)
  }
}
