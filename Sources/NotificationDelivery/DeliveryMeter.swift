import BackgroundOperations
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

struct DeliveryMeter: Sendable {
  let polls: PollMeter
  private let attempts: CounterTable<Channel, DeliveryOutcome>
  private let waiting, lag, dead: Gauge
  private let log: Log

  init(_ monitor: Monitor) {
    let metrics = monitor.metrics
    log = monitor.log
    polls = PollMeter(NotificationDelivery.worker, monitor)
    waiting = metrics.gauge(
      "shiftguard_notifications_waiting", "Notifications in the outbox, due or not.")
    lag = metrics.gauge(
      "shiftguard_notifications_lag_seconds",
      "Time since the oldest due notification became due.")
    dead = metrics.gauge(
      "shiftguard_dead_letters",
      "Notifications of the last seven days that could not be delivered.")
    attempts = CounterTable(
      "shiftguard_delivery_attempts_total", "Delivery attempts, by channel and outcome.",
      labels: ("channel", "outcome"), metrics)
  }

  /// A channel answered an attempt.
  func sent(_ channel: Channel, _ outcome: DeliveryOutcome) {
    attempts.add(channel, outcome)
  }

  /// A channel has begun to fail, or to work again.
  func log(_ change: ChannelChange, of channel: Channel, _ result: SendingResult) {
    switch change {
    case .failing:
      log.warning(
        "channel failing",
        [
          "channel": channel.code, "outcome": result.outcome.code,
          "reason": withoutAddresses(result.reason ?? "-"),
        ])
    case .working: log.info("channel works again", ["channel": channel.code])
    }
  }

  /// The state of the outbox, every few seconds.
  func loaded(_ load: OutboxLoad) {
    waiting.set(Double(load.waiting))
    lag.set(Double(load.lag.milliseconds) / 1_000)
    dead.set(Double(load.dead))
  }
}

/// The other side may quote an e-mail address, and the log has none.
private func withoutAddresses(_ reason: String) -> String {
  reason.split(separator: " ").map { $0.contains("@") ? "…" : $0 }.joined(separator: " ")
}
