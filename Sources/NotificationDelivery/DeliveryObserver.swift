public import ShiftDomain
public import ShiftOperations

/// What the delivery tells of itself, for log and metrics. Must return quickly.
public struct DeliveryObserver: Sendable {
  /// A transport answered a try.
  public var sent: @Sendable (Channel, TryOutcome) -> Void
  /// Reading, or the work for one employee, failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A look for what is due has ended; whether the database was there for it.
  public var looked: @Sendable (Bool) -> Void
  /// What there is in the outbox, every few seconds.
  public var loaded: @Sendable (OutboxLoad) -> Void

  /// An observer; by default nobody listens.
  public init(
    sent: @escaping @Sendable (Channel, TryOutcome) -> Void = { _, _ in },
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
