import ManagerAPI
import Telemetry

/// Measures and logs the open boards.
func boardsObserver(metrics: Metrics, log: Log) -> BoardStreams.Observer {
  let looks = metrics.histogram(
    "shiftguard_board_poll_seconds", "Duration of a poll for changes on open boards.",
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1])
  let failures = metrics.counter(
    "shiftguard_board_poll_failures_total", "Failed polls for changes on open boards.")
  let failing = LastingFailure("boards failed", log)
  return BoardStreams.Observer(
    looked: { span in
      looks.observe(span)
      failing.endLook()
    },
    failed: { reason in
      failures.add()
      failing.report(reason)
    })
}
