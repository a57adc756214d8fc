internal import Dispatch
internal import Glibc

/// A thread that runs its work in order and may be blocked by it. It exists while there is
/// something to do, and a while longer.
public final class SerialThread: TaskExecutor {
  private typealias Work = @Sendable () -> Void

  private struct State {
    var waiting: [Work] = []
    var hasThread = false
    var thread: pthread_t?
  }

  /// A process of niceness 0 gets nine times as much of a busy processor.
  private static let niceness: Int32 = 10
  private static let idleMax = DispatchTimeInterval.seconds(10)

  private let isQuiet: Bool
  private let state = Lock(State())
  private let arrived = DispatchSemaphore(value: 0)

  /// - Parameter isQuiet: Whether it gets a low share of the processor, for long computations: on
  ///   Swift's own threads, which are as few as the processors, they would delay everything else.
  public init(isQuiet: Bool = false) { self.isQuiet = isQuiet }

  public func run(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.waiting.append(work)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    arrived.signal()
    guard needsThread else { return }
    if !OwnThread.start({ self.begin() }) {
      // The system has no thread to give; Dispatch has one in reserve.
      DispatchQueue(label: "shiftguard.serial").async { self.work() }
    }
  }

  /// Whether the caller runs on it.
  public var isCurrent: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    run { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  private func begin() {
    // For this thread alone: Linux keeps a niceness for each. Where it is refused, the work is done
    // at the usual share.
    if isQuiet { setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness) }
    work()
  }

  private func work() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      let isWoken = arrived.wait(timeout: .now() + Self.idleMax) == .success
      let next = state.withLock { state -> Work? in
        guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
        if !isWoken { (state.hasThread, state.thread) = (false, nil) }
        return nil
      }
      if let next { next() } else if !isWoken { return }
    }
  }
}
