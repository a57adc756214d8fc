/// Runs tasks that compute for long on threads of their own, so that they delay nobody else: not an
/// event loop, and none of Swift's few threads. A thread starts with work and ends without.
public final class ThreadExecutor: TaskExecutor {
  private struct State: Sendable {
    var waiting: [UnownedJob] = []
    var threads = 0
  }

  private let threadsMax: Int
  private let state = Lock(State())

  /// - Parameter threadsMax: How many of its tasks compute at the same time; others wait.
  public init(threadsMax: Int) {
    precondition(threadsMax > 0, "a thread at least")
    self.threadsMax = threadsMax
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wantsThread = state.withLock { state in
      state.waiting.append(job)
      guard state.threads < threadsMax else { return false }
      state.threads += 1
      return true
    }
    guard wantsThread, !OwnThread.start({ self.runWaiting() }) else { return }
    // A task that never runs would never be answered.
    for job in giveUpThread() { globalConcurrentExecutor.enqueue(job) }
  }

  private func runWaiting() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// `nil`: the thread ends.
  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// The system provides no thread.
  /// - Returns: The jobs that no other thread will run.
  private func giveUpThread() -> [UnownedJob] {
    state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
