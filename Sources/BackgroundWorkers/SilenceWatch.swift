import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Detects phones on shift that fall silent, and those with contact again. Only it opens and closes
/// `no_contact` and `no_fix`, which no phone can report.
///
/// It judges by heartbeats, so it needs a `Heartbeat` in this or another instance.
package struct SilenceWatch: Service {
  var rounds: Rounds

  package init(operations: BackgroundOperations, interval: Duration = .seconds(1), monitor: Monitor)
  {
    rounds = Rounds(
      due: { last, limit throws(OperationError) in
        try await operations.silent(after: last, limit: limit)
      },
      pass: { employees throws(OperationError) in
        try await operations.passSilence(of: employees)
      },
      batchSize: 50, lanes: 2,
      // Silences due in an outage become due in the seconds after it, and must be detected within
      // five.
      interval: interval, pauseMax: interval,
      meter: PollMeter("silence", monitor),
      lag: monitor.lag("silence"))
  }

  package func run() async { await rounds.run() }

  package func poll() async -> Bool { await rounds.poll() }
}
