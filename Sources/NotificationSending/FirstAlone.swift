import Lifecycle

/// Lets one caller go first while others wait: its result serves them all.
final class FirstAlone: Sendable {
  private typealias Waiting = CheckedContinuation<Bool, Never>
  private let state = Lock<(isSomebodyAhead: Bool, waiting: [Waiting])>((false, []))

  /// Whether the caller goes first, and must then call ``isBack()``; else another has finished.
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

  func isBack() {
    let waiting = state.withLock { state in
      defer { state = (false, []) }
      return state.waiting
    }
    for caller in waiting { caller.resume(returning: false) }
  }
}
