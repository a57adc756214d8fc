import GuardRules
import Lifecycle
import OperationCore
import ShiftDomain
import ShiftWatch
import Telemetry

/// Measures and logs the watch over due work.
func watchObserver(metrics: Metrics, log: Log) -> WatchObserver {
  observer(
    metrics.histogram(
      "shiftguard_watch_lag_seconds",
      "Time from when work became due for an employee to its COMMIT.", bounds: lags),
    metrics.counter(
      "shiftguard_watch_polls_total", "Successful polls for due work."),
    metrics.counter(
      "shiftguard_watch_failures_total",
      "Failed polls for due work, and employees whose work failed."),
    LastingFailure("watch failed", log))
}

/// Measures and logs the watch over silence.
func silenceObserver(metrics: Metrics, log: Log) -> WatchObserver {
  observer(
    metrics.histogram(
      "shiftguard_silence_lag_seconds",
      "Time from when a phone was silent for too long to COMMIT of the incident.", bounds: lags),
    metrics.counter(
      "shiftguard_silence_polls_total", "Successful polls for silent phones."),
    metrics.counter(
      "shiftguard_silence_failures_total",
      "Failed polls for silent phones, and employees whose incident was not written."),
    LastingFailure("silence watch failed", log))
}

/// Measures and logs the heartbeat.
func heartbeatObserver(metrics: Metrics, log: Log) -> HeartbeatObserver {
  let beats = metrics.counter(
    "shiftguard_heartbeats_total",
    "Heartbeats written, each with the last contacts of phones.")
  let failures = metrics.counter(
    "shiftguard_heartbeat_failures_total", "Failed writes of a heartbeat.")
  let outages = metrics.counter(
    "shiftguard_outages_total",
    "Outages recorded by this instance: no instance wrote a heartbeat.")
  let failing = LastingFailure("heartbeat failed", log)
  let differing = LastingFailure("clock differs", log)
  let ahead = Lock(TimeSpan.zero)
  metrics.gauge(
    "shiftguard_clock_ahead_seconds",
    "Seconds by which this instance's clock is ahead of the database clock; negative: behind."
  ) {
    Double(ahead.withLock { $0.milliseconds }) / 1_000
  }
  return HeartbeatObserver(
    ended: { outage in
      outages.add()
      log.warning("outage recorded", ["milliseconds": outage.length.milliseconds])
    },
    compared: { difference in
      ahead.withLock { $0 = difference }
      let size = difference < .zero ? .zero - difference : difference
      if size > ClockWatch.bearable {
        differing.report("over 2 s from the database clock: requests are refused until it is right")
      } else if size > ClockWatch.noticeable {
        differing.report("over 0.5 s from the database clock")
      }
      differing.endLook()
    },
    failed: { reason in
      failures.add()
      failing.report(reason)
    },
    beaten: { isWritten in
      if isWritten { beats.add() }
      failing.endLook()
    })
}

private let lags = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600]

private func observer(
  _ lag: Histogram, _ looks: Counter, _ failures: Counter, _ failing: LastingFailure
) -> WatchObserver {
  WatchObserver(
    passed: { lag.observe($0) },
    failed: { reason in
      failures.add()
      failing.report(reason)
    },
    looked: { isWell in
      if isWell { looks.add() }
      failing.endLook()
    })
}

/// Logs a lasting failure once: again only after a poll without failure, or for another reason.
final class LastingFailure: Sendable {
  private let event: String
  private let log: Log
  private let state = Lock<(last: String?, isQuiet: Bool)>((nil, true))

  init(_ event: String, _ log: Log) {
    self.event = event
    self.log = log
  }

  func report(_ reason: String) {
    let isNew = state.withLock { state in
      defer { state = (reason, false) }
      return state.last != reason
    }
    if isNew { log.warning(event, ["reason": reason]) }
  }

  func endLook() {
    state.withLock { state in
      if state.isQuiet { state.last = nil }
      state.isQuiet = true
    }
  }
}
