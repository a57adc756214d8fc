internal import Lifecycle

/// Which threads compute the response to a request.
enum RunningPlace {
  /// The thread of the connection's loop: no other has to be woken, but it serves nobody meanwhile.
  case loop(LoopExecutor)
  /// Swift's threads.
  case pool
  /// Threads for requests that take long to read.
  case own(ThreadExecutor)

  func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    switch self {
    case .loop(let executor): Task.immediate(executorPreference: executor, operation: work)
    case .pool: Task(operation: work)
    case .own(let executor): Task(executorPreference: executor, operation: work)
    }
  }
}

/// The threads that read long bodies. Those of brief routes wait for no others.
struct LongBodyThreads: Sendable {
  let ofBriefRoutes = ThreadExecutor(threadsMax: 2)
  let ofOthers = ThreadExecutor(threadsMax: 2)
}

extension EventLoop {
  /// Where a request with a body of `bodyBytes` is handled: reading a long one takes longer than
  /// other clients should wait.
  func place(for route: Route, bodyBytes: Int) -> RunningPlace {
    guard bodyBytes > Route.unaskedBodyMax else { return route.isBrief ? .loop(executor) : .pool }
    return .own(route.isBrief ? longBodyThreads.ofBriefRoutes : longBodyThreads.ofOthers)
  }
}
