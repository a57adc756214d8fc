public import Lifecycle
public import ShiftOperations

/// Folds the pings that came in, every few seconds, so that a day's coverage is read without them;
/// and writes down what this instance has measured meanwhile.
///
/// Any number of instances may fold on one database: each what it has stored itself, and whatever a
/// shift's own row says is to be folded anew.
public struct CoverageFolding: Service {
  private let operations: Operations
  private let interval: Duration
  private let observer: FoldingObserver

  /// Shifts that another instance may have left unfolded when it ended are read this often.
  private static let doubtInterval = Duration.seconds(3_600)

  private static let pauseAfterFailure = Duration.seconds(10)

  /// - Parameters:
  ///   - interval: From one time to the next; so much a day's coverage may lag behind.
  ///   - observer: Told of what was done and of failures.
  public init(
    operations: Operations, interval: Duration = .seconds(3),
    observer: FoldingObserver = FoldingObserver()
  ) {
    self.operations = operations
    self.interval = interval
    self.observer = observer
  }

  /// Folds again and again until its task is cancelled.
  public func run() async throws {
    var doubtsDue = ContinuousClock.now
    while true {
      var pause = interval
      do throws(OperationError) {
        if doubtsDue <= .now {
          observer.folded(try await operations.foldShiftsInDoubt())
          while case let outcome = try await operations.sumShifts(),
            outcome.summed + outcome.folded > 0
          {
            observer.folded(outcome)
          }
          doubtsDue = .now + Self.doubtInterval
        }
        observer.folded(try await operations.foldPings())
        try await operations.storeDetections()
      } catch {
        // Work that was stopped has not failed.
        if !Task.isCancelled { observer.failed("\(error)") }
        pause = max(interval, Self.pauseAfterFailure)
      }
      try await Task.sleep(for: pause)
    }
  }
}

/// What folding tells of itself, for log and metrics. Must return quickly.
public struct FoldingObserver: Sendable {
  /// So much was done.
  public var folded: @Sendable (FoldingOutcome) -> Void
  /// It could not be done, and is kept for the next time; the text is safe to log.
  public var failed: @Sendable (String) -> Void

  /// An observer; by default nobody listens.
  public init(
    folded: @escaping @Sendable (FoldingOutcome) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.folded = folded
    self.failed = failed
  }
}
