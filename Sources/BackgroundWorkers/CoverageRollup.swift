import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Rolls up new pings, so that a day's coverage is read without them: each instance what it has
/// stored itself, and the shifts that are marked to be rolled up again.
final class CoverageRollup: Sendable {
  private let operations: BackgroundOperations
  private let rolledUp: Counter
  private let rolledUpFromAllPings: Counter
  private let doubtsDue = Lock(ContinuousClock.now)

  /// How often shifts are read that another instance may have left without a rollup when it ended.
  private static let doubtInterval = Duration.seconds(3_600)

  init(_ operations: BackgroundOperations, _ metrics: Metrics) {
    self.operations = operations
    rolledUp = metrics.counter(
      "shiftguard_shifts_rolled_up_total", "Shifts whose pings were rolled up for coverage.")
    rolledUpFromAllPings = metrics.counter(
      "shiftguard_shifts_rolled_up_from_all_pings_total",
      "Shifts that were rolled up from all their pings.")
  }

  func run() async throws(OperationError) {
    if doubtsDue.withLock({ $0 }) <= .now {
      try await rollUpDoubts()
      doubtsDue.withLock { $0 = .now + Self.doubtInterval }
    }
    count(try await operations.rollUpPings())
  }

  private func rollUpDoubts() async throws(OperationError) {
    count(try await operations.rollUpShiftsInDoubt())
    while case let outcome = try await operations.computeMissingDurations(),
      outcome.durationsOnly + outcome.rolledUp > 0
    {
      count(outcome)
    }
  }

  private func count(_ outcome: RollupOutcome) {
    rolledUp.add(UInt64(outcome.rolledUp))
    rolledUpFromAllPings.add(UInt64(outcome.fromAllPings))
  }
}
