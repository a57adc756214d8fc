import GuardRules
import Lifecycle
import ShiftDomain
import ShiftOperations
import ShiftWatch
import Telemetry

/// Measures and logs the watch over what time makes due.
func watchObserver(metrics: Metrics, log: Log) -> WatchObserver {
  observer(
    metrics.histogram(
      "shiftguard_watch_lag_seconds",
      "From when time alone made something due for an employee to its COMMIT.", bounds: lags),
    metrics.counter(
      "shiftguard_watch_looks_total", "Looks for what is due that found the database."),
    metrics.counter(
      "shiftguard_watch_failures_total",
      "Looks for what is due, and employees for whom it could not be done, that failed."),
    LastingFailure("watch failed", log))
}

/// Measures and logs the watch over silence.
func silenceObserver(metrics: Metrics, log: Log) -> WatchObserver {
  observer(
    metrics.histogram(
      "shiftguard_silence_lag_seconds",
      "From when a phone's silence became too long to COMMIT of the incident.", bounds: lags),
    metrics.counter(
      "shiftguard_silence_looks_total", "Looks for silent phones that found the database."),
    metrics.counter(
      "shiftguard_silence_failures_total",
      "Looks for silent phones, and employees for whom it could not be written, that failed."),
    LastingFailure("silence watch failed", log))
}

/// Measures and logs the heartbeat.
func heartbeatObserver(metrics: Metrics, log: Log) -> HeartbeatObserver {
  let beats = metrics.counter(
    "shiftguard_heartbeats_total",
    "Heartbeats written, and with each when phones were last heard of.")
  let failures = metrics.counter(
    "shiftguard_heartbeat_failures_total", "Heartbeats that could not be written.")
  let outages = metrics.counter(
    "shiftguard_outages_total", "Times without any instance's heartbeat that this one recorded.")
  let failing = LastingFailure("heartbeat failed", log)
  let differing = LastingFailure("clock differs", log)
  let ahead = Lock(TimeSpan.zero)
  metrics.gauge(
    "shiftguard_clock_ahead_seconds",
    "How far this instance's clock is ahead of the database's; negative: behind."
  ) {
    Double(ahead.withLock { $0.milliseconds }) / 1_000
  }
  return HeartbeatObserver(
    ended: { outage in
      outages.add()
      log.warning("nobody listened", ["milliseconds": outage.length.milliseconds])
    },
    compared: { difference in
      ahead.withLock { $0 = difference }
      let size = difference < .zero ? .zero - difference : difference
      if size > ClockWatch.bearable {
        differing.tell("over 2 s: nothing is answered until it is right")
      } else if size > ClockWatch.noticeable {
        differing.tell("over 0.5 s from the database's")
      }
      differing.endLook()
    },
    failed: { reason in
      failures.add()
      failing.tell(reason)
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
      failing.tell(reason)
    },
    looked: { isWell in
      if isWell { looks.add() }
      failing.endLook()
    })
}

/// A failure that lasts is logged once: until a look passes without one, or it is another.
final class LastingFailure: Sendable {
  private let event: String
  private let log: Log
  private let state = Lock<(last: String?, isQuiet: Bool)>((nil, true))

  init(_ event: String, _ log: Log) {
    self.event = event
    self.log = log
  }

  func tell(_ reason: String) {
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
