import Lifecycle
import Testing

@Suite("Lock") struct LockTests {
  @Test func `ten tasks that count to a thousand each reach ten thousand`() async {
    final class Tally: Sendable { let count = Lock(0) }
    let tally = Tally()
    await withTaskGroup { tasks in
      for _ in 0..<10 {
        tasks.addTask { for _ in 0..<1_000 { tally.count.withLock { $0 += 1 } } }
      }
    }
    #expect(tally.count.withLock { $0 } == 10_000)
  }

  @Test func `an error thrown inside releases the lock`() {
    struct Mishap: Error {}
    let lock = Lock(0)
    #expect(throws: Mishap.self) { try lock.withLock { _ in throw Mishap() } }
    #expect(lock.withLock { $0 } == 0)
  }
}
