public import BackgroundOperations
public import ShiftDomain

/// Receives what the delivery reports for log and metrics. Must return quickly.
public struct DeliveryObserver: Sendable {
  /// A channel answered an attempt.
  public var sent: @Sendable (Channel, DeliveryOutcome) -> Void
  /// Reading, or the work for one employee, failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A query for due notifications has ended; whether the database was available.
  public var looked: @Sendable (Bool) -> Void
  /// The state of the outbox, every few seconds.
  public var loaded: @Sendable (OutboxLoad) -> Void

  /// An observer; by default events are ignored.
  public init(
    sent: @escaping @Sendable (Channel, DeliveryOutcome) -> Void = { _, _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in },
    looked: @escaping @Sendable (Bool) -> Void = { _ in },
    loaded: @escaping @Sendable (OutboxLoad) -> Void = { _ in }
  ) {
    self.sent = sent
    self.failed = failed
    self.looked = looked
    self.loaded = loaded
  }
}
