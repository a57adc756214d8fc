public import BackgroundOperations
public import Lifecycle
import OperationCore

/// Does what time alone makes due for employees on shift: reminds of a forgotten clock-out, asks
/// after a long break, ends a shift at its limit.
public struct ShiftWatch: Service {
  var rounds: Rounds

  /// - Parameters:
  ///   - interval: The interval between polls, approximately; longer after a failure.
  ///   - observer: Receives work done and failures.
  public init(
    operations: BackgroundOperations, interval: Duration = .seconds(1),
    observer: WatchObserver = WatchObserver()
  ) {
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
      interval: interval, observer: observer)
  }

  /// Polls until its task is cancelled.
  public func run() async throws { try await rounds.run() }

  /// One poll; returns whether the database was available.
  func look() async -> Bool { await rounds.look() }
}
