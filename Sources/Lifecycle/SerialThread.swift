internal import Dispatch
internal import Glibc

/// A thread that runs its work in order and may be blocked by it. It exists while there is
/// something to do, and a while longer.
public final class SerialThread: TaskExecutor {
  private typealias Work = @Sendable () -> Void

  private struct State {
    var waiting: [Work] = []
    /// By time.
    var later: [(instant: ContinuousClock.Instant, work: Work)] = []
    var hasThread = false
    var thread: pthread_t?

    mutating func add(_ work: @escaping Work, at instant: ContinuousClock.Instant) {
      let place = later.firstIndex { $0.instant > instant } ?? later.endIndex
      later.insert((instant, work), at: place)
    }

    mutating func takeNext() -> Work? {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard let next = later.first, next.instant <= .now else { return nil }
      return later.removeFirst().work
    }
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
      // The system has no thread to give; Dispatch may have one in reserve.
      DispatchQueue(label: "shiftguard.serial").async { self.work() }
    }
  }

  /// Runs `work` at that time, or later: once nothing else waits for the thread.
  public func run(at instant: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) {
    // On the thread, which then computes again how long it may wait.
    run { self.state.withLock { $0.add(work, at: instant) } }
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
      let isWoken = arrived.wait(timeout: .now() + pause) == .success
      let (next, isOver) = state.withLock { state -> (Work?, Bool) in
        if let next = state.takeNext() { return (next, false) }
        guard !isWoken, state.later.isEmpty else { return (nil, false) }
        (state.hasThread, state.thread) = (false, nil)
        return (nil, true)
      }
      next?()
      if isOver { return }
    }
  }

  private var pause: DispatchTimeInterval {
    guard let first = state.withLock({ $0.later.first?.instant }) else {
      return Self.idleMax
    }
    return .microseconds(Int(max(.zero, first - .now) / .microseconds(1)) + 1)
  }
}
