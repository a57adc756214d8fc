import Glibc
import Lifecycle
import Testing

// R: W26
@Suite("A serial thread") struct SerialThreadTests {
  @Test("runs a task's steps, also after its waits; a quiet one with a low share of the processor")
  func steps() async {
    for isQuiet in [false, true] { await steps(on: SerialThread(isQuiet: isQuiet), isQuiet) }
  }

  private func steps(on thread: SerialThread, _ isQuiet: Bool) async {
    #expect(!thread.isCurrent)
    await withTaskExecutorPreference(thread) {
      for _ in 0..<3 {
        #expect(thread.isCurrent && (niceness() >= 10) == isQuiet)
        await Task.yield()
      }
    }
    #expect(niceness() < 10)
  }

  @Test("runs its work in order")
  func order() async {
    let thread = SerialThread()
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    for count in 0..<100 { thread.run { number.yield(count) } }
    thread.run { number.finish() }
    var seen: [Int] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == Array(0..<100))
  }

  @Test("runs work at its time, in the order of the times, after what waits")
  func later() async {
    let thread = SerialThread()
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    // On the thread, so that none of them runs before all are known.
    thread.run {
      let start = ContinuousClock.now
      thread.run(at: start + .milliseconds(60)) {
        #expect(thread.isCurrent && .now >= start + .milliseconds(60))
        number.yield(3)
        number.finish()
      }
      thread.run(at: start + .milliseconds(30)) { number.yield(2) }
      thread.run { number.yield(1) }
    }
    var seen: [Int] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == [1, 2, 3])
  }

  /// Of the thread that asks.
  private func niceness() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
}
