import DeviceAPI
import Telemetry

/// Measures and logs the event streams of phones.
func streamsObserver(metrics: Metrics, log: Log) -> NotificationStreams.Observer {
  let communicated = metrics.histogram(
    "shiftguard_communicated_seconds",
    "Time from the last byte of a report to the notification in a connected app, where this "
      + "instance received the report.",
    bounds: [0.1, 0.25, 0.5, 1, 2, 2.25, 2.5, 3, 4, 5, 10, 30])
  let failures = metrics.counter(
    "shiftguard_streams_failures_total", "Failed polls for the event streams of phones.")
  let failing = LastingFailure("streams failed", log)
  return NotificationStreams.Observer(
    communicated: { communicated.observe($0) },
    failed: { reason in
      failures.add()
      failing.report(reason)
    },
    looked: { failing.endLook() })
}
