internal import Lifecycle

/// Lets one go ahead while others wait: what it brings, or finds out, serves them all.
final class FirstAlone: Sendable {
  private typealias Waiting = CheckedContinuation<Bool, Never>
  private let state = Lock<(isSomebodyAhead: Bool, waiting: [Waiting])>((false, []))

  /// Whether the caller goes ahead, and must call ``isBack()`` in the end. Otherwise somebody else
  /// did, and was awaited.
  func goesAhead() async -> Bool {
    await withCheckedContinuation { caller in
      let isAhead = state.withLock { state in
        if state.isSomebodyAhead {
          state.waiting.append(caller)
          return false
        }
        state.isSomebodyAhead = true
        return true
      }
      if isAhead { caller.resume(returning: true) }
    }
  }

  /// Lets go whoever waits.
  func isBack() {
    let waiting = state.withLock { state in
      defer { state = (false, []) }
      return state.waiting
    }
    for caller in waiting { caller.resume(returning: false) }
  }
}
