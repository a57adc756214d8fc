import Lifecycle
public import Telemetry

/// What workers report to its monitor.
public final class RecordedPolls: Sendable {
  private let reasons = Lock<[String]>([])
  private let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
  /// The metrics of the workers.
  public let metrics = Metrics()
  /// The polls that have ended.
  public let ended = Looks()

  /// Nothing yet.
  public init() {}

  /// For the workers under test.
  public var monitor: Monitor {
    Monitor(metrics: metrics, log: Log(least: .error, to: LogWriter(.logfmt) { _ in })) { event in
      switch event {
      case .failed(_, let reason): self.reasons.withLock { $0.append(reason) }
      case .ended(_, let isWell):
        self.ended.add()
        self.continuation.yield(isWell)
      }
    }
  }

  /// The reasons of all failures so far.
  public var failures: [String] { reasons.withLock { $0 } }

  /// Waits for the end of the next poll.
  public func next() async { for await _ in stream { return } }

  /// Waits for the end of a poll with this result.
  public func next(isWell: Bool) async { for await poll in stream where poll == isWell { return } }
}
