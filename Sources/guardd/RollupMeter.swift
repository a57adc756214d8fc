import CoverageRollup
import Telemetry

/// Measures and logs the rollup of pings for coverage.
func rollupObserver(metrics: Metrics, log: Log) -> RollupObserver {
  let rolledUp = metrics.counter(
    "shiftguard_shifts_rolled_up_total", "Shifts whose pings were rolled up for coverage.")
  let fromAll = metrics.counter(
    "shiftguard_shifts_rolled_up_from_all_pings_total",
    "Shifts that were rolled up from all their pings.")
  let failures = metrics.counter(
    "shiftguard_rollup_failures_total", "Failed coverage rollups.")
  return RollupObserver(
    rolledUp: { outcome in
      rolledUp.add(UInt64(outcome.rolledUp))
      fromAll.add(UInt64(outcome.fromAllPings))
    },
    failed: { reason in
      failures.add()
      log.warning("rollup failed", ["reason": reason])
    })
}
