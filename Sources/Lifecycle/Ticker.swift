internal import Dispatch

/// Calls a function at an interval on a thread of its own, so also while Swift's threads are busy.
/// Only a process that does not run is late.
public final class Ticker: Sendable {
  private let end = DispatchSemaphore(value: 0)

  /// If the system provides no thread, nothing is called.
  public init(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let pause = DispatchTimeInterval.milliseconds(max(1, Int(interval / .milliseconds(1))))
    _ = OwnThread.start { [end] in
      repeat { tick() } while end.wait(timeout: .now() + pause) == .timedOut
    }
  }

  /// At most one more call follows.
  public func stop() { end.signal() }
}
