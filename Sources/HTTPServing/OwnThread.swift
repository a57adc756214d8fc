internal import Glibc

/// Runs something that blocks on a thread of its own and waits for it without blocking one of
/// Swift's: those are as few as the processor's cores, and Dispatch's global queues share them.
/// - Throws: what `work` throws, or `ServingError.cannotServe` when there is no thread to be had.
func onOwnThread(
  _ work: @escaping @Sendable () throws(ServingError) -> Void
) async throws(ServingError) {
  let result = await withCheckedContinuation { continuation in
    let job = ThreadJob {
      do throws(ServingError) {
        try work()
        continuation.resume(returning: Result<Void, ServingError>.success(()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    guard !job.start() else { return }
    continuation.resume(returning: .failure(.cannotServe(detail: "no thread")))
  }
  try result.get()
}

/// Carries a closure through `pthread_create`'s pointer.
private final class ThreadJob: Sendable {
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  /// Whether the thread began.
  func start() -> Bool {
    // Signals are for the threads that expect them. SIGPIPE, which libevent's writes would raise,
    // stays pending here and harms nobody.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self)
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().work()
        }
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      unsafe argument.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
