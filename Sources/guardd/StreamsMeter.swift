import DeviceAPI
import Telemetry

/// Measures and logs the streams that phones have open.
func streamsObserver(metrics: Metrics, log: Log) -> MessageStreams.Observer {
  let communicated = metrics.histogram(
    "shiftguard_communicated_seconds",
    "From the last byte of a report to a connected app's having the message of it, where this "
      + "instance read the report.",
    bounds: [0.1, 0.25, 0.5, 1, 2, 2.25, 2.5, 3, 4, 5, 10, 30])
  let failures = metrics.counter(
    "shiftguard_streams_failures_total", "Looks for the streams that phones have open that failed.")
  let failing = LastingFailure("streams failed", log)
  return MessageStreams.Observer(
    communicated: { communicated.observe($0) },
    failed: { reason in
      failures.add()
      failing.tell(reason)
    },
    looked: { failing.endLook() })
}
