import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Opens planned shifts at their start, in the teams whose policy says so.
package struct PlannedShiftWatch: Service {
  var rounds: Rounds

  /// - Parameter interval: The interval between polls, approximately; longer after a failure.
  package init(operations: BackgroundOperations, interval: Duration = .seconds(2), monitor: Monitor)
  {
    rounds = Rounds(
      due: { last, limit throws(OperationError) in
        try await operations.openingsDue(after: last, limit: limit)
      },
      pass: { employees throws(OperationError) in
        var lags: [Duration] = []
        for employee in employees {
          if let lag = try await operations.openPlannedShift(of: employee) { lags.append(lag) }
        }
        return lags
      },
      interval: interval, meter: PollMeter("opening", monitor),
      lag: monitor.lag("opening"))
  }

  package func run() async { await rounds.run() }

  package func poll() async -> Bool { await rounds.poll() }
}
