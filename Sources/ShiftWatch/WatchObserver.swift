/// What a watch tells of itself, for log and metrics. Must return quickly.
public struct WatchObserver: Sendable {
  /// Something was done, and so long it had been due when it was committed.
  public var passed: @Sendable (Duration) -> Void
  /// A reading, or the work for one employee, failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A look has ended; whether the database was there for it.
  public var looked: @Sendable (Bool) -> Void

  /// An observer; by default nobody listens.
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
