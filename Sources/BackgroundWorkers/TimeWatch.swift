import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Does what time alone makes due for employees on shift: reminds of a forgotten clock-out, asks
/// after a long break, ends a shift at its limit.
package struct TimeWatch: Service {
  var rounds: Rounds

  /// - Parameter interval: The interval between polls, approximately; longer after a failure.
  package init(operations: BackgroundOperations, interval: Duration = .seconds(1), monitor: Monitor)
  {
    rounds = Rounds(
      due: { last, limit throws(OperationError) in
        try await operations.due(after: last, limit: limit)
      },
      pass: { employees throws(OperationError) in
        var lags: [Duration] = []
        for employee in employees {
          if let lag = try await operations.passTime(of: employee) { lags.append(lag) }
        }
        return lags
      },
      interval: interval, meter: PollMeter("watch", monitor),
      lag: monitor.lag("watch"))
  }

  package func run() async { await rounds.run() }

  package func poll() async -> Bool { await rounds.poll() }
}
