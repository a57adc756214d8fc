/// A worker's loop: polls at an interval, less often after failures, earlier after a wake-up.
public struct Polling: Sendable {
  public enum Next: Sendable {
    case atInterval
    /// After the poll failed: later with each failure in a row.
    case afterFailure
    /// After this time, without jitter.
    case after(Duration)
  }

  private let pace: PollingPace
  private let wakeSignal: WakeSignal?

  /// `jitter` is the share, 0…1, by which the time varies in each direction, so that instances do
  /// not stay in step. `pauseMax` is the longest time between two polls after failures; at least
  /// `interval` is used. `wakeSignal` ends a pause early.
  public init(
    every interval: Duration, jitter: Double = 0, pauseMax: Duration = .zero,
    wakeSignal: WakeSignal? = nil
  ) {
    pace = PollingPace(interval: interval, jitter: jitter, pauseMax: pauseMax)
    self.wakeSignal = wakeSignal
  }

  public func run(_ poll: () async -> Next) async {
    var pace = pace
    while !Task.isCancelled {
      let pause = pace.pause(before: await poll(), chance: .random(in: 0...1))
      if let wakeSignal {
        await wakeSignal.wait(atMost: pause)
      } else {
        try? await Task.sleep(for: pause)
      }
    }
  }
}

/// The pauses between polls. Pure: the random value is an argument.
struct PollingPace: Sendable {
  let interval: Duration
  let jitter: Double
  let pauseMax: Duration
  private var failures = 0

  init(interval: Duration, jitter: Double, pauseMax: Duration) {
    (self.interval, self.jitter) = (interval, jitter)
    self.pauseMax = max(pauseMax, interval)
  }

  /// - Parameter chance: 0…1.
  mutating func pause(before next: Polling.Next, chance: Double) -> Duration {
    let factor = 1 - jitter + 2 * jitter * chance
    switch next {
    case .atInterval:
      failures = 0
      return interval * factor
    case .afterFailure:
      failures = min(failures + 1, 10)
      return min(interval * Double(1 << failures), pauseMax) * factor
    case .after(let pause):
      failures = 0
      return pause
    }
  }
}
