import Testing

@testable import Lifecycle

@Suite("Polling", .timeLimit(.minutes(1))) struct PollingTests {
  @Test("keeps its interval, and doubles its pauses up to the maximum while all polls fail")
  func pauses() {
    var pace = PollingPace(interval: .seconds(1), jitter: 0.25, pauseMax: .seconds(5))
    #expect(pace.pause(before: .atInterval, chance: 0) == .milliseconds(750))
    #expect(pace.pause(before: .atInterval, chance: 1) == .milliseconds(1_250))
    let failing = (0..<12).map { _ in pace.pause(before: .afterFailure, chance: 0.5) }
    #expect(failing.prefix(4) == [.seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    #expect(failing.last == .seconds(5))
    #expect(pace.pause(before: .atInterval, chance: 0.5) == .seconds(1))
    #expect(pace.pause(before: .after(.seconds(7)), chance: 1) == .seconds(7))
    var steady = PollingPace(interval: .seconds(1), jitter: 0.25, pauseMax: .seconds(1))
    for _ in 0..<9 { #expect(steady.pause(before: .afterFailure, chance: 0.5) == .seconds(1)) }
  }

  @Test("a pause after failures is never shorter than the interval")
  func shortPauseMax() async {
    await Polling(every: .milliseconds(1), pauseMax: .zero).untilThird { .afterFailure }
  }

  @Test("a wake-up ends a pause, and cancellation ends the loop")
  func wakeUp() async {
    let wakeSignal = WakeSignal()
    await Polling(every: .seconds(3_600), wakeSignal: wakeSignal).untilThird {
      wakeSignal.signal()
      return .atInterval
    }
    await Polling(every: .milliseconds(1)).untilThird { .after(.zero) }
  }
}

extension Polling {
  /// Polls three times.
  fileprivate func untilThird(_ next: @escaping @Sendable () -> Next) async {
    let (polls, polled) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await run {
          polled.yield()
          return next()
        }
      }
      var left = 3
      for await _ in polls {
        left -= 1
        if left == 0 { break }
      }
      group.cancelAll()
    }
  }
}
