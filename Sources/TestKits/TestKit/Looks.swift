import Lifecycle

/// Counts looks at the database, or anything else that a service reports as done. The next one
/// wakes everything that waits.
public final class Looks: Sendable {
  private struct State {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Lock(State())

  /// Starts at zero.
  public init() {}

  /// The number of looks so far.
  public var count: Int { state.withLock { $0.count } }

  /// Counts one more look and wakes everything that waits for it.
  public func add() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.count += 1
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until there have been more than `count` looks.
  public func wait(beyond count: Int) async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if state.count <= count { state.waiters.append(waiter) }
        return state.count > count
      }
      if isOver { waiter.resume() }
    }
  }
}
