import Lifecycle

/// A lookup whose result all concurrent callers share, and which is reused for a while: only one
/// lookup runs at a time, however many callers there are.
final class SharedLook<Result: Sendable>: Sendable {
  private typealias Caller = CheckedContinuation<Turn, Never>

  private enum Turn: Sendable {
    case look
    case known(Result)
  }

  private struct State {
    var isUnderWay = false
    var last: (result: Result, end: ContinuousClock.Instant)?
    var waiting: [Caller] = []
  }

  private let lasts: Duration
  private let state = Lock(State())

  init(lasts: Duration) { self.lasts = lasts }

  /// The last result, or that of `look`; cancelling the caller does not cancel `look`.
  func result(_ look: @escaping @Sendable () async -> Result) async -> Result {
    if case .known(let result) = await turn() { return result }
    let result = await shielded(look)
    let waiting = state.withLock { state in
      defer { state = State(last: (result, .now)) }
      return state.waiting
    }
    for caller in waiting { caller.resume(returning: .known(result)) }
    return result
  }

  private func turn() async -> Turn {
    await withCheckedContinuation { caller in
      let turn = state.withLock { state -> Turn? in
        if state.isUnderWay {
          state.waiting.append(caller)
          return nil
        }
        if let last = state.last, ContinuousClock.now - last.end < lasts {
          return .known(last.result)
        }
        state.isUnderWay = true
        return .look
      }
      if let turn { caller.resume(returning: turn) }
    }
  }
}
