import Lifecycle
import ShiftWatch
import Telemetry

/// Measures and logs the watch over open shifts. A failure that lasts is logged once, and counted
/// every time.
func watchObserver(metrics: Metrics, log: Log) -> WatchObserver {
  let lag = metrics.histogram(
    "shiftguard_watch_lag_seconds",
    "From when time alone made something due for an employee to its COMMIT.",
    bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600])
  let looks = metrics.counter(
    "shiftguard_watch_looks_total", "Looks for what is due that found the database.")
  let failures = metrics.counter(
    "shiftguard_watch_failures_total",
    "Looks for what is due, and employees for whom it could not be done, that failed.")
  let told = Told()
  return WatchObserver(
    passed: { lag.observe($0) },
    failed: { reason in
      failures.add()
      if told.isNew(reason) { log.warning("watch failed", ["reason": reason]) }
    },
    looked: { isWell in
      if isWell { looks.add() }
      told.endLook()
    })
}

/// The failure that was told last, until a look passes without one.
private final class Told: Sendable {
  private let state = Lock<(last: String?, isQuiet: Bool)>((nil, true))

  func isNew(_ reason: String) -> Bool {
    state.withLock { state in
      defer { state = (reason, false) }
      return state.last != reason
    }
  }

  func endLook() {
    state.withLock { state in
      if state.isQuiet { state.last = nil }
      state.isQuiet = true
    }
  }
}
