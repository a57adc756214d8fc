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
  private let due = Lock(Due())

  private struct Due {
    var all = ContinuousClock.now
    var doubts = ContinuousClock.now
  }

  /// It rests ten times as long as the last run took, but no longer than this: while many shifts
  /// send much, each is rolled up less often.
  private static let pauseMax = Duration.seconds(3)
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
    let began = ContinuousClock.now
    let due = self.due.withLock(\.self)
    guard due.all <= began else { return }
    if due.doubts <= began {
      try await rollUpDoubts()
      self.due.withLock { $0.doubts = .now + Self.doubtInterval }
    }
    count(try await operations.rollUpPings())
    let end = ContinuousClock.now
    self.due.withLock { $0.all = end + min((end - began) * 10, Self.pauseMax) }
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
