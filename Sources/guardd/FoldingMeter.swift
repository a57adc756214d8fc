import CoverageFolding
import Telemetry

/// Measures and logs the folding of pings.
func foldingObserver(metrics: Metrics, log: Log) -> FoldingObserver {
  let folded = metrics.counter(
    "shiftguard_shifts_folded_total", "Shifts whose pings were folded for coverage.")
  let fromAll = metrics.counter(
    "shiftguard_shifts_folded_anew_total", "Those of them that took all their pings.")
  let failures = metrics.counter(
    "shiftguard_folding_failures_total", "Times that pings could not be folded.")
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
