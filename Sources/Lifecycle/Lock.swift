// `Mutex` waits on a futex inside a library that ThreadSanitizer cannot see into, so it finds no
// order between the lock's users and reports false races. The sanitizer's runs are built
// with `-Xswiftc -DTSAN_LOCKS` and get a lock of pthreads, whose calls it knows.
#if TSAN_LOCKS
  internal import Glibc

  /// A value that one thread at a time may touch. Never held across an `await`.
  @safe public final class Lock<Value>: @unchecked Sendable {
    // SAFETY: `value` is read and written between lock and unlock of `mutex` only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// A lock around `value`, which the caller gives up.
    public init(_ value: consuming sending Value) {
      self.value = value
      unsafe mutex = .allocate(capacity: 1)
      unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
    }

    /// Runs `body` with the value, alone. Not recursive.
    public func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#else
  public import Synchronization

  /// A value that one thread at a time may touch. Never held across an `await`.
  public typealias Lock = Mutex
#endif
