import Lifecycle
import OperationCore
import Telemetry

/// Does what the clock makes due apart from single employees on shift: queues weekly digests, puts
/// planned policies in force, ends rehearsals, decides on arrivals that waited too long, counts.
package struct TeamWatch: Service {
  private let act: @Sendable () async throws(OperationError) -> Void
  private let polling: Polling
  private let meter: PollMeter

  /// - Parameters:
  ///   - worker: Its name in metrics and in the log.
  ///   - pauseMax: The longest pause while the database is away.
  ///   - act: Does what is due; any number of instances may do so at once.
  package init(
    _ worker: String, interval: Duration, pauseMax: Duration, monitor: Monitor,
    act: @escaping @Sendable () async throws(OperationError) -> Void
  ) {
    self.act = act
    polling = Polling(every: interval, jitter: 0.25, pauseMax: pauseMax)
    meter = PollMeter(worker, monitor)
  }

  package func run() async {
    await polling.run {
      do throws(OperationError) {
        try await act()
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
