public import BackgroundOperations
public import Lifecycle
import OperationCore

/// Rolls up new pings every few seconds, so that a day's coverage is read without them; and stores
/// this instance's measurements.
///
/// Any number of instances may roll up on one database: each what it has stored itself, and the
/// shifts that are marked to be rolled up again.
public struct CoverageRollup: Service {
  private let operations: BackgroundOperations
  private let interval: Duration
  private let observer: RollupObserver

  /// How often shifts are read that another instance may have left without a rollup when it ended.
  private static let doubtInterval = Duration.seconds(3_600)

  private static let pauseAfterFailure = Duration.seconds(10)

  /// - Parameters:
  ///   - interval: From one run to the next; a day's coverage may be as much behind.
  ///   - observer: Receives results and failures.
  public init(
    operations: BackgroundOperations, interval: Duration = .seconds(3),
    observer: RollupObserver = RollupObserver()
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
          observer.rolledUp(try await operations.rollUpShiftsInDoubt())
          while case let outcome = try await operations.computeMissingDurations(),
            outcome.durationsOnly + outcome.rolledUp > 0
          {
            observer.rolledUp(outcome)
          }
          doubtsDue = .now + Self.doubtInterval
        }
        observer.rolledUp(try await operations.rollUpPings())
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
public struct RollupObserver: Sendable {
  /// The result of a run.
  public var rolledUp: @Sendable (RollupOutcome) -> Void
  /// A run failed, and is repeated later; the text is safe to log.
  public var failed: @Sendable (String) -> Void

  /// An observer; by default events are ignored.
  public init(
    rolledUp: @escaping @Sendable (RollupOutcome) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.rolledUp = rolledUp
    self.failed = failed
  }
}
