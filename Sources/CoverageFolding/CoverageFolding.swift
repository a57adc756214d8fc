public import Lifecycle
public import ShiftOperations

/// Rolls up new pings every few seconds, so that a day's coverage is read without them; and stores
/// this instance's measurements.
///
/// Any number of instances may roll up on one database: each what it has stored itself, and the
/// shifts that are marked to be rolled up again.
public struct CoverageFolding: Service {
  private let operations: Operations
  private let interval: Duration
  private let observer: FoldingObserver

  /// How often shifts are read that another instance may have left without a rollup when it ended.
  private static let doubtInterval = Duration.seconds(3_600)

  private static let pauseAfterFailure = Duration.seconds(10)

  /// - Parameters:
  ///   - interval: From one run to the next; a day's coverage may be as much behind.
  ///   - observer: Receives results and failures.
  public init(
    operations: Operations, interval: Duration = .seconds(3),
    observer: FoldingObserver = FoldingObserver()
  ) {
    self.operations = operations
    self.interval = interval
    self.observer = observer
  }

  /// Rolls up repeatedly until its task is cancelled.
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
        // Cancelled work has not failed.
        if !Task.isCancelled { observer.failed("\(error)") }
        pause = max(interval, Self.pauseAfterFailure)
      }
      try await Task.sleep(for: pause)
    }
  }
}

/// Receives what the rollup reports for log and metrics. Must return quickly.
public struct FoldingObserver: Sendable {
  /// The result of a run.
  public var folded: @Sendable (FoldingOutcome) -> Void
  /// A run failed, and is repeated later; the text is safe to log.
  public var failed: @Sendable (String) -> Void

  /// An observer; by default events are ignored.
  public init(
    folded: @escaping @Sendable (FoldingOutcome) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.folded = folded
    self.failed = failed
  }
}
