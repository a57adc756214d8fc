// ThreadSanitizer cannot see the ordering a `Mutex` gives, for it is a futex inside a library that
// is not instrumented. Sanitizer builds (-Xswiftc -DTSAN_LOCKS) therefore take a pthread mutex.

#if TSAN_LOCKS
  import Glibc

  /// A value that one thread at a time may touch.
  // SAFETY: `value` is touched between lock and unlock of `mutex` only.
  @safe final class Lock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: sending Value) {
      self.value = value
      unsafe mutex = .allocate(capacity: 1)
      unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
    }

    func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#else
  import Synchronization

  /// A value that one thread at a time may touch.
  typealias Lock = Mutex
#endif
