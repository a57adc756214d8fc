import Dispatch
import Lifecycle
import Testing

/// Work that goes on until it is let go, and is counted.
private final class Work: Sendable {
  let gate = DispatchSemaphore(value: 0)
  let counts = Lock((now: 0, most: 0, all: 0))

  func run() {
    counts.withLock { counts in
      counts.now += 1
      counts.most = max(counts.most, counts.now)
    }
    gate.wait()
    counts.withLock { counts in
      counts.now -= 1
      counts.all += 1
    }
  }
}

@Suite("Threads of their own") struct ThreadExecutorTests {
  @Test("run as many tasks at once as they may, and the others after these")
  func bounded() async {
    let executor = ThreadExecutor(threadsMax: 2)
    let work = Work()
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask(executorPreference: executor) { work.run() } }
      for _ in 0..<8 { work.gate.signal() }
    }
    let counts = work.counts.withLock { $0 }
    #expect(counts.all == 8 && counts.most <= 2)
  }

  @Test("resume a task on them after it has waited for something else")
  func resumed() async {
    let executor = ThreadExecutor(threadsMax: 1)
    let results = await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask(executorPreference: executor) {
          await Task.yield()
          return number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(results == 4_950)
  }
}
