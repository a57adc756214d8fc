public import BackgroundOperations
public import Lifecycle
import OperationCore

/// Detects phones on shift that fall silent, and those with contact again. Only it opens and closes
/// `no_contact` and `no_fix`, which no phone can report.
///
/// It judges by heartbeats, so it needs a `Heartbeat` in this or another instance.
public struct SilenceWatch: Service {
  var rounds: Rounds

  /// - Parameters:
  ///   - interval: The interval between polls, approximately.
  ///   - observer: Receives detected silences and failures.
  public init(
    operations: BackgroundOperations, interval: Duration = .seconds(1),
    observer: WatchObserver = WatchObserver()
  ) {
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
      interval: interval, pauseMax: interval, observer: observer)
  }

  /// Polls until its task is cancelled.
  public func run() async throws { try await rounds.run() }

  /// One poll; returns whether the database was available.
  func look() async -> Bool { await rounds.look() }
}
