import Lifecycle
import OperationCore
import Telemetry

/// Queues the weekly digests of teams when they are due.
package struct DigestWatch: Service {
  private let queue: @Sendable () async throws(OperationError) -> Void
  private let interval: Duration
  private let meter: PollMeter

  /// - Parameter queue: Queues what is due; any number of instances may do so at once.
  package init(
    interval: Duration = .seconds(60), monitor: Monitor,
    queue: @escaping @Sendable () async throws(OperationError) -> Void
  ) {
    self.queue = queue
    self.interval = interval
    meter = PollMeter("digests", monitor)
  }

  package func run() async {
    await Polling(every: interval, jitter: 0.25, pauseMax: .seconds(300)).run {
      do throws(OperationError) {
        try await queue()
        meter.end(isWell: true)
        return .atInterval
      } catch {
        meter.fail("\(error)")
        meter.end(isWell: false)
        return .afterFailure
      }
    }
  }
}
