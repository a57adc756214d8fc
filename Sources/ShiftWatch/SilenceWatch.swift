public import Lifecycle
public import ShiftOperations

/// Notices phones on shift that fall silent, and those that are heard of again. It alone opens and
/// closes `no_contact` and `no_fix`, which no phone can report.
///
/// It judges by heartbeats, so it needs a `Heartbeat` beside it, here or in another instance.
public struct SilenceWatch: Service {
  var rounds: Rounds

  /// - Parameters:
  ///   - interval: From one look to the next, about.
  ///   - observer: Told of silences noticed and of failures.
  public init(
    operations: Operations, interval: Duration = .seconds(1),
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
      // What fell due in an outage is due in the seconds after it, and to be noticed within five.
      interval: interval, pauseMax: interval, observer: observer)
  }

  /// Looks again and again until its task is cancelled.
  public func run() async throws { try await rounds.run() }

  /// One look; answers whether the database was there for it.
  func look() async -> Bool { await rounds.look() }
}
