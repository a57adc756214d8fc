/// Where workers report: metrics, log lines, and what the health check needs to know.
public struct Monitor: Sendable {
  public let metrics: Metrics
  public let log: Log
  let observe: @Sendable (PollEvent) -> Void

  /// - Parameter observe: Receives the polls of all workers; must return quickly.
  public init(
    metrics: Metrics, log: Log, observe: @escaping @Sendable (PollEvent) -> Void = { _ in }
  ) {
    self.metrics = metrics
    self.log = log
    self.observe = observe
  }

  /// A monitor whose reports nobody reads, for tests and for workers that do not run.
  public static var unread: Monitor {
    Monitor(metrics: Metrics(), log: Log(least: .error, to: LogWriter(.logfmt) { _ in }))
  }
}

public enum PollEvent: Sendable {
  case failed(worker: String, reason: String)
  /// The poll has ended; whether the worker could do its work.
  case ended(worker: String, isWell: Bool)
}
