internal import Glibc

/// Threads for blocking work. Swift has only as many as the processor has cores, Dispatch's global
/// queues share them, and blocking one of them stops other tasks.
public enum OwnThread {
  /// Runs `work` on a new thread with all signals blocked.
  /// - Returns: Whether the system provided a thread; otherwise `work` will not run.
  public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    // Signals go to the threads that expect them. SIGPIPE, which a write to a closed connection
    // raises, stays pending here and does no harm.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let job = unsafe Unmanaged.passRetained(ThreadJob(work))
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().work()
        }
        return nil
      }, job.toOpaque())
    guard result == 0 else {
      unsafe job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

private final class ThreadJob: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
