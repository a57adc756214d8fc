public import GuardRules
public import Lifecycle
public import ShiftDomain
public import ShiftOperations

/// Writes down once a second when phones were last heard of, and that this instance is there to
/// hear them; so it finds out when none was.
public struct Heartbeat: Service {
  private let operations: Operations
  private let interval: Duration
  private let observer: HeartbeatObserver
  /// This instance among those that share the database, from this start to its end.
  private let instance = Int64.random(in: 1...Int64.max)

  /// - Parameters:
  ///   - operations: Shares its `pulse` with those that serve phones. With connections of its own:
  ///     a crowd of requests is no outage.
  ///   - interval: From one beat to the next. What is written, and the watch over silence, lag
  ///     behind by as much.
  public init(
    operations: Operations, interval: Duration = .seconds(1),
    observer: HeartbeatObserver = HeartbeatObserver()
  ) {
    self.operations = operations
    self.interval = interval
    self.observer = observer
  }

  /// Beats until its task is cancelled. Nothing is lost by a failure: the next beat writes it.
  public func run() async throws {
    while true {
      await beat()
      try await Task.sleep(for: interval)
    }
  }

  /// One beat. For the last one too, when everybody who could note something has stopped: a
  /// cancelled task can no longer write.
  public func beat() async {
    do throws(OperationError) {
      observer.compared(try await operations.compareClocks())
      if let outage = try await operations.beat(as: instance) { observer.ended(outage) }
      observer.beaten(true)
    } catch {
      if !Task.isCancelled { observer.failed("\(error)") }
      observer.beaten(false)
    }
  }
}

/// What a heartbeat tells of itself, for log and metrics. Must return quickly.
public struct HeartbeatObserver: Sendable {
  /// Nobody had listened for this long until now.
  public var ended: @Sendable (Interval) -> Void
  /// Our clock is so far ahead of the database's; negative: behind.
  public var compared: @Sendable (TimeSpan) -> Void
  /// A beat failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A beat is over; whether it was written.
  public var beaten: @Sendable (Bool) -> Void

  /// An observer; by default nobody listens.
  public init(
    ended: @escaping @Sendable (Interval) -> Void = { _ in },
    compared: @escaping @Sendable (TimeSpan) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in },
    beaten: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.ended = ended
    self.compared = compared
    self.failed = failed
    self.beaten = beaten
  }
}
