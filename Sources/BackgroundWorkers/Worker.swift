import Lifecycle
import OperationCore
import Telemetry

/// Does one kind of work at an interval until its task is cancelled. Any number of instances may do
/// it on one database at once.
package struct Worker: Service {
  /// In metrics and in the log.
  package let name: String
  private let polling: Polling
  private let retryAfter: Duration?
  private let meter: PollMeter
  private let work: @Sendable () async throws(OperationError) -> Void

  /// - Parameters:
  ///   - name: Lower-case words joined by `_`.
  ///   - interval: From one poll to the next, approximately.
  ///   - pauseMax: The longest pause while the database is away.
  ///   - retryAfter: The pause after a failure, instead of one that grows up to `pauseMax`.
  package init(
    _ name: String, every interval: Duration, pauseMax: Duration = .zero,
    retryAfter: Duration? = nil, _ monitor: Monitor,
    work: @escaping @Sendable () async throws(OperationError) -> Void
  ) {
    self.init(
      name, every: interval, pauseMax: pauseMax, retryAfter: retryAfter, PollMeter(name, monitor),
      work: work)
  }

  /// - Parameter meter: That of the worker, if the work records failures for single employees.
  init(
    _ name: String, every interval: Duration, pauseMax: Duration, retryAfter: Duration? = nil,
    _ meter: PollMeter, work: @escaping @Sendable () async throws(OperationError) -> Void
  ) {
    (self.name, self.retryAfter, self.meter, self.work) = (name, retryAfter, meter, work)
    polling = Polling(every: interval, jitter: 0.25, pauseMax: pauseMax)
  }

  package func run() async {
    await polling.run {
      if await poll() { return .atInterval }
      return retryAfter.map(Polling.Next.after) ?? .afterFailure
    }
  }

  /// Works once; returns whether the database was available.
  @discardableResult
  package func poll() async -> Bool {
    do throws(OperationError) {
      try await work()
      meter.end(isWell: true)
      return true
    } catch {
      meter.fail("\(error)")
      meter.end(isWell: false)
      return false
    }
  }
}
