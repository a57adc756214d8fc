import Lifecycle
import NotificationDelivery
import ShiftDomain
import ShiftOperations
import Telemetry

/// Measures and logs the delivery of messages.
func deliveryObserver(metrics: Metrics, log: Log) -> DeliveryObserver {
  let looks = metrics.counter(
    "shiftguard_delivery_looks_total", "Looks for messages due that found the database.")
  let failures = metrics.counter(
    "shiftguard_delivery_failures_total",
    "Looks for messages, and employees whose messages could not be worked at, that failed.")
  let failing = LastingFailure("delivery failed", log)
  let load = Lock<OutboxLoad?>(nil)
  metrics.gauge("shiftguard_messages_waiting", "Messages in the outbox, due or not.") {
    Double(load.withLock { $0?.waiting ?? 0 })
  }
  metrics.gauge(
    "shiftguard_messages_lag_seconds", "Since when the message that is due longest has been due."
  ) {
    Double(load.withLock { $0?.lag.milliseconds ?? 0 }) / 1_000
  }
  metrics.gauge(
    "shiftguard_dead_letters", "Messages of the last seven days that could be told to nobody."
  ) {
    Double(load.withLock { $0?.dead ?? 0 })
  }
  return DeliveryObserver(
    // Channels and outcomes are few: no need to keep these counters.
    sent: { [metrics] channel, outcome in
      metrics.counter(
        "shiftguard_messages_tried_total", "Tries to send a message, by what became of them.",
        ["channel": channel.code, "outcome": outcome.code]
      ).add()
    },
    failed: { reason in
      failures.add()
      failing.tell(reason)
    },
    looked: { isWell in
      if isWell { looks.add() }
      failing.endLook()
    },
    loaded: { present in load.withLock { $0 = present } })
}
