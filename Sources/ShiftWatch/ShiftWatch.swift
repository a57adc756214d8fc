public import Lifecycle
public import ShiftOperations

/// Does what time alone makes due for people on shift: reminds of a forgotten clock-out, asks after
/// a long break, ends a shift at its limit.
public struct ShiftWatch: Service {
  private let rounds: Rounds

  /// - Parameters:
  ///   - interval: From one look to the next, about; more after a failure.
  ///   - observer: Told of what was done and of failures.
  public init(
    operations: Operations, interval: Duration = .seconds(1),
    observer: WatchObserver = WatchObserver()
  ) {
    rounds = Rounds(
      due: { last, limit throws(OperationError) in
        try await operations.due(after: last, limit: limit)
      },
      pass: { employee throws(OperationError) in try await operations.passTime(of: employee) },
      interval: interval, observer: observer)
  }

  /// Looks again and again until its task is cancelled.
  public func run() async throws { try await rounds.run() }

  /// One look; answers whether the database was there for it.
  func look() async -> Bool { await rounds.look() }
}
