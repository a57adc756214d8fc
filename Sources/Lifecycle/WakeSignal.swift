/// Wakes the one waiting task early. Without one the wake-up is kept; several count as one.
public final class WakeSignal: Sendable {
  private struct State {
    var isSignalled = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  public init() {}

  /// Wakes the waiting task, or the next one.
  public func signal() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      state.isSignalled = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a wake-up, however long it takes and although the task is cancelled.
  public func wait() async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        guard state.isSignalled else {
          state.waiter = waiter
          return false
        }
        state.isSignalled = false
        return true
      }
      if isOver { waiter.resume() }
    }
  }

  public func wait(atMost span: Duration) async {
    async let _: Void = signal(after: span)
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      signal()
    }
  }

  private func signal(after span: Duration) async {
    do { try await Task.sleep(for: span) } catch { return }
    signal()
  }
}

/// Runs `body`, which must end soon, although the caller is cancelled: for results to be stored.
public func shielded<Result: Sendable>(
  _ body: @escaping @Sendable () async -> Result
) async -> Result {
  await Task { await body() }.value
}
