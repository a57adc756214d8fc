import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Stores how long this instance took to detect incidents, for the page about detection.
package struct DetectionRecorder: Service {
  private let operations: BackgroundOperations
  private let interval: Duration
  private let meter: PollMeter

  /// - Parameter operations: Those that serve phones: they hold the measurements.
  package init(operations: BackgroundOperations, interval: Duration = .seconds(3), monitor: Monitor)
  {
    self.operations = operations
    self.interval = interval
    meter = PollMeter("detection_recorder", monitor)
  }

  package func run() async {
    await Polling(every: interval, pauseMax: .seconds(10)).run {
      do throws(OperationError) {
        try await operations.storeDetections()
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
