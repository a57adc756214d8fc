/// Receives what a watch reports for log and metrics. Must return quickly.
public struct WatchObserver: Sendable {
  /// Work was done; how long it had been due at COMMIT.
  public var passed: @Sendable (Duration) -> Void
  /// A query, or the work for one employee, failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A poll has ended; whether the database was available.
  public var looked: @Sendable (Bool) -> Void

  /// An observer; by default events are ignored.
  public init(
    passed: @escaping @Sendable (Duration) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in },
    looked: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.passed = passed
    self.failed = failed
    self.looked = looked
  }
}
