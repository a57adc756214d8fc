import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Notifies managers of employees who are late for a planned shift or have not come, in the teams
/// whose policy says so.
package struct AttendanceWatch: Service {
  var rounds: Rounds

  /// - Parameter interval: The interval between polls, approximately; longer after a failure.
  package init(
    operations: BackgroundOperations, interval: Duration = .seconds(10), monitor: Monitor
  ) {
    rounds = Rounds(
      due: { last, limit throws(OperationError) in
        try await operations.missedShiftsDue(after: last, limit: limit)
      },
      pass: { employees throws(OperationError) in
        for employee in try await operations.missing(among: employees) {
          try await operations.notifyOfMissedShifts(of: employee)
        }
        return []
      },
      batchSize: 500, interval: interval, meter: PollMeter("attendance", monitor),
      lag: monitor.lag("attendance"))
  }

  package func run() async { await rounds.run() }

  package func poll() async -> Bool { await rounds.poll() }
}
