import Glibc
import Lifecycle
import Testing

// R: W26
@Suite("A quiet thread") struct QuietThreadTests {
  @Test("runs a task's steps with a low share of the processor, also after its waits")
  func lowShare() async {
    let thread = QuietThread()
    #expect(!thread.isCurrent)
    await withTaskExecutorPreference(thread) {
      for _ in 0..<3 {
        #expect(thread.isCurrent && niceness() >= 10)
        await Task.yield()
      }
    }
    #expect(niceness() < 10)
  }

  @Test("runs its work in order")
  func order() async {
    let thread = QuietThread()
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    for count in 0..<100 { thread.run { number.yield(count) } }
    thread.run { number.finish() }
    var seen: [Int] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == Array(0..<100))
  }

  /// Of the thread that asks.
  private func niceness() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
}
