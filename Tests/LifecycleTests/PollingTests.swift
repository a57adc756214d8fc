import Testing

@testable import Lifecycle

@Suite("Polling", .timeLimit(.minutes(5))) struct PollingTests {
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
    var pace = PollingPace(interval: .seconds(1), jitter: 0, pauseMax: .zero)
    for _ in 0..<9 { #expect(pace.pause(before: .afterFailure, chance: 0.5) >= .seconds(1)) }
    #expect(
      await Polling(every: .milliseconds(1), pauseMax: .zero).untilThird { .afterFailure } == 3)
  }

  @Test("a wake-up ends a pause, and cancellation ends the loop")
  func wakeUp() async {
    let wakeSignal = WakeSignal()
    let woken = await Polling(every: .seconds(3_600), wakeSignal: wakeSignal).untilThird {
      wakeSignal.signal()
      return .atInterval
    }
    #expect(woken == 3)
    #expect(await Polling(every: .milliseconds(1)).untilThird { .after(.zero) } == 3)
  }
}

extension Polling {
  /// Polls until it has polled three times or ends by itself.
  /// - Returns: How often it has polled by then.
  fileprivate func untilThird(_ next: @escaping @Sendable () -> Next) async -> Int {
    let (polls, polled) = AsyncStream.makeStream(of: Void.self)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await run {
          polled.yield()
          return next()
        }
        polled.finish()
      }
      var count = 0
      for await _ in polls {
        count += 1
        if count == 3 { break }
      }
      group.cancelAll()
      return count
    }
  }
}
