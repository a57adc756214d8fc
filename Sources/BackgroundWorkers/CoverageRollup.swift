import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Rolls up new pings every few seconds, so that a day's coverage is read without them.
///
/// Any number of instances may roll up on one database: each what it has stored itself, and the
/// shifts that are marked to be rolled up again.
package struct CoverageRollup: Service {
  private let operations: BackgroundOperations
  private let interval: Duration
  private let meter: PollMeter
  private let rolledUp: Counter
  private let rolledUpFromAllPings: Counter

  /// How often shifts are read that another instance may have left without a rollup when it ended.
  private static let doubtInterval = Duration.seconds(3_600)

  /// - Parameter interval: From one run to the next; a day's coverage may be as much behind.
  package init(operations: BackgroundOperations, interval: Duration = .seconds(3), monitor: Monitor)
  {
    self.operations = operations
    self.interval = interval
    meter = PollMeter("rollup", monitor)
    rolledUp = monitor.metrics.counter(
      "shiftguard_shifts_rolled_up_total", "Shifts whose pings were rolled up for coverage.")
    rolledUpFromAllPings = monitor.metrics.counter(
      "shiftguard_shifts_rolled_up_from_all_pings_total",
      "Shifts that were rolled up from all their pings.")
  }

  package func run() async {
    var doubtsDue = ContinuousClock.now
    await Polling(every: interval, pauseMax: .seconds(10)).run {
      do throws(OperationError) {
        if doubtsDue <= .now {
          try await rollUpDoubts()
          doubtsDue = .now + Self.doubtInterval
        }
        count(try await operations.rollUpPings())
        meter.end(isWell: true)
        return .atInterval
      } catch {
        meter.fail("\(error)")
        meter.end(isWell: false)
        return .afterFailure
      }
    }
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
