import Lifecycle

/// A look that all share who ask while it is under way, and whose result is answered with for a
/// while: however often somebody asks, one at a time looks.
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

  /// - Parameter lasts: For how long a result is answered with.
  init(lasts: Duration) { self.lasts = lasts }

  /// The last result, or that of `look`, which the cancellation of its caller does not end.
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
