import ManagerAPI
import Telemetry

/// Measures and logs the boards that managers have open.
func boardsObserver(metrics: Metrics, log: Log) -> BoardStreams.Observer {
  let looks = metrics.histogram(
    "shiftguard_board_look_seconds", "A look for what changed on the boards that are open.",
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1])
  let failures = metrics.counter(
    "shiftguard_board_look_failures_total", "Looks for what changed on boards that failed.")
  let failing = LastingFailure("boards failed", log)
  return BoardStreams.Observer(
    looked: { span in
      looks.observe(span)
      failing.endLook()
    },
    failed: { reason in
      failures.add()
      failing.tell(reason)
    })
}
