import BackgroundOperations
import Lifecycle
import NotificationDelivery
import ShiftDomain
import Telemetry

/// Measures and logs the delivery of notifications.
func deliveryObserver(metrics: Metrics, log: Log) -> DeliveryObserver {
  let looks = metrics.counter(
    "shiftguard_delivery_polls_total", "Successful polls for due notifications.")
  let failures = metrics.counter(
    "shiftguard_delivery_failures_total",
    "Failed polls for notifications, and employees whose notifications failed.")
  let failing = LastingFailure("delivery failed", log)
  let load = Lock<OutboxLoad?>(nil)
  metrics.gauge("shiftguard_notifications_waiting", "Notifications in the outbox, due or not.") {
    Double(load.withLock { $0?.waiting ?? 0 })
  }
  metrics.gauge(
    "shiftguard_notifications_lag_seconds", "Time since the oldest due notification became due."
  ) {
    Double(load.withLock { $0?.lag.milliseconds ?? 0 }) / 1_000
  }
  metrics.gauge(
    "shiftguard_dead_letters", "Notifications of the last seven days that could not be delivered."
  ) {
    Double(load.withLock { $0?.dead ?? 0 })
  }
  return DeliveryObserver(
    // Channels and outcomes are few: no need to keep these counters.
    sent: { [metrics] channel, outcome in
      metrics.counter(
        "shiftguard_delivery_attempts_total", "Delivery attempts, by channel and outcome.",
        ["channel": channel.code, "outcome": outcome.code]
      ).add()
    },
    failed: { reason in
      failures.add()
      failing.report(reason)
    },
    looked: { isWell in
      if isWell { looks.add() }
      failing.endLook()
    },
    loaded: { present in load.withLock { $0 = present } })
}
