public import BackgroundOperations
public import GuardRules
public import Lifecycle
import OperationCore
public import ShiftDomain

/// Stores the last contacts of phones once a second, and that this instance is alive; so it notices
/// when no instance was.
public struct Heartbeat: Service {
  private let operations: BackgroundOperations
  private let interval: Duration
  private let observer: HeartbeatObserver
  /// The number of this instance, from this start to its end.
  private let instance = Int64.random(in: 1...Int64.max)

  /// - Parameters:
  ///   - operations: Shares its `pulse` with those that serve phones. With its own connections,
  ///     because heavy request traffic is not an outage.
  ///   - interval: From one heartbeat to the next. Stored contacts, and the watch over silence, are
  ///     as much behind.
  public init(
    operations: BackgroundOperations, interval: Duration = .seconds(1),
    observer: HeartbeatObserver = HeartbeatObserver()
  ) {
    self.operations = operations
    self.interval = interval
    self.observer = observer
  }

  /// Runs until its task is cancelled. Nothing is lost by a failure: the next heartbeat stores it.
  public func run() async throws {
    while true {
      await beat()
      try await Task.sleep(for: interval)
    }
  }

  /// One heartbeat. Also for the last one, after everything that could record contacts has stopped,
  /// because a cancelled task can no longer write.
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

/// Receives what a heartbeat reports for log and metrics. Must return quickly.
public struct HeartbeatObserver: Sendable {
  /// An outage has ended; its span.
  public var ended: @Sendable (Interval) -> Void
  /// How far our clock is ahead of the database's; negative if behind.
  public var compared: @Sendable (TimeSpan) -> Void
  /// A heartbeat failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A heartbeat has ended; whether it was stored.
  public var beaten: @Sendable (Bool) -> Void

  /// An observer; by default events are ignored.
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
