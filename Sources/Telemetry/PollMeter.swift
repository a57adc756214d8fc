internal import Lifecycle
internal import SystemCalls

/// Counts a worker's polls and failures, with its name as the label `worker`, and logs
/// `<worker> failed` once for a lasting failure.
public final class PollMeter: Sendable {
  private let worker: String
  private let monitor: Monitor
  private let polls: Counter
  private let failures: Counter
  private let lastSuccess: Gauge
  private let failing: LastingFailure

  /// `worker` is lower-case words joined by `_`.
  public init(_ worker: String, _ monitor: Monitor) {
    self.worker = worker
    self.monitor = monitor
    polls = monitor.metrics.counter(
      "shiftguard_worker_polls_total", "Successful polls, by worker.", ["worker": worker])
    failures = monitor.metrics.counter(
      "shiftguard_worker_failures_total",
      "Failed polls, and failures for single employees, by worker.", ["worker": worker])
    lastSuccess = monitor.metrics.gauge(
      "shiftguard_worker_last_success_timestamp_seconds",
      "Unix time of the last successful poll, by worker; 0 before the first.", ["worker": worker])
    failing = LastingFailure("\(worker) failed", monitor.log)
  }

  /// Records a failure; cancelled work has not failed. `reason` must be safe to log.
  public func fail(_ reason: String) {
    guard !Task.isCancelled else { return }
    failures.add()
    failing.report(reason)
    monitor.observe(.failed(worker: worker, reason: reason))
  }

  /// Ends a poll; `isWell`: the worker could do its work.
  public func end(isWell: Bool) {
    if isWell {
      polls.add()
      lastSuccess.set(Double(calendarMilliseconds()) / 1_000)
    }
    failing.endPoll()
    monitor.observe(.ended(worker: worker, isWell: isWell))
  }
}

/// Logs a lasting failure once: again only after a poll without failure, or for another reason than
/// those that it had.
public final class LastingFailure: Sendable {
  private struct State {
    var reasons: Set<String> = []
    var isQuiet = true
  }

  /// Of one failure, more reasons than these are not logged.
  private static let reasonsMax = 8

  private let event: String
  private let log: Log
  private let state = Lock(State())

  public init(_ event: String, _ log: Log) {
    self.event = event
    self.log = log
  }

  public func report(_ reason: String) {
    let isNew = state.withLock { state in
      state.isQuiet = false
      return state.reasons.count < Self.reasonsMax
        && state.reasons.insert(Self.kind(of: reason)).inserted
    }
    if isNew { log.warning(event, ["reason": reason]) }
  }

  /// Ends a poll; the failure is over if the poll reported none.
  public func endPoll() {
    state.withLock { state in
      if state.isQuiet { state.reasons = [] }
      state.isQuiet = true
    }
  }

  /// What is away refuses, is late or closes the connection, at each poll another: one reason.
  private static func kind(of reason: String) -> String {
    guard let end = reason.firstRange(of: "unavailable: ")?.upperBound else { return reason }
    return String(reason[..<end])
  }
}
