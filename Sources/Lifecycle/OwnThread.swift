internal import Glibc

/// Threads for work that blocks. Swift's own are as few as the processor's cores, Dispatch's global
/// queues share them, and one that blocks stops everybody's tasks.
public enum OwnThread {
  /// Runs `work` on a new thread, which no signal disturbs.
  /// - Returns: Whether the system gave a thread; otherwise `work` will not run.
  public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    // Signals are for the threads that expect them. SIGPIPE, which a write to a closed connection
    // raises, stays pending here and harms nobody.
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

/// Carries a closure through `pthread_create`'s pointer.
private final class ThreadJob: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
