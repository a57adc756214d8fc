internal import CLibpq
import Glibc
import Lifecycle

/// Wakes a connection's thread from its wait for an answer that is not needed any more. Each loan
/// has a number, because a late cancellation must not interrupt the next one.
final class Interrupt: Sendable {
  private struct State {
    var loan: UInt64 = 0
    var isRaised = false
  }

  /// Readable while raised; -1 without a free descriptor: then cancellation waits for the deadline.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let state = Lock(State())

  deinit { if descriptor >= 0 { close(descriptor) } }

  func begin() -> UInt64 {
    state.withLock { state in
      state.loan += 1
      lower(&state)
      return state.loan
    }
  }

  /// Ends the loan: from now on it cannot be interrupted.
  func end() {
    state.withLock { state in
      state.loan += 1
      lower(&state)
    }
  }

  func raise(_ loan: UInt64) {
    state.withLock { state in
      guard state.loan == loan, !state.isRaised else { return }
      state.isRaised = true
      eventfd_write(descriptor, 1)
    }
  }

  var isRaised: Bool { state.withLock { $0.isRaised } }

  private func lower(_ state: inout State) {
    guard state.isRaised else { return }
    state.isRaised = false
    var count: eventfd_t = 0
    unsafe eventfd_read(descriptor, &count)
  }
}
