import CoverageFolding
import Telemetry

/// Measures and logs the rollup of pings for coverage.
func foldingObserver(metrics: Metrics, log: Log) -> FoldingObserver {
  let folded = metrics.counter(
    "shiftguard_shifts_folded_total", "Shifts whose pings were rolled up for coverage.")
  let fromAll = metrics.counter(
    "shiftguard_shifts_folded_anew_total", "Shifts that were rolled up from all their pings.")
  let failures = metrics.counter(
    "shiftguard_folding_failures_total", "Failed coverage rollups.")
  return FoldingObserver(
    folded: { outcome in
      folded.add(UInt64(outcome.folded))
      fromAll.add(UInt64(outcome.fromAllPings))
    },
    failed: { reason in
      failures.add()
      log.warning("pings not folded", ["reason": reason])
    })
}
