/// Wakes the one who waits, before their time. A nudge while nobody waits is kept for the next who
/// does; several are one. One may wait at a time.
public final class Nudge: Sendable {
  private struct State {
    var isNudged = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// A bell that nobody has rung.
  public init() {}

  /// Wakes the one who waits, or the next one.
  public func nudge() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      state.isNudged = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a nudge, for `span` at the most, or until its task is cancelled.
  public func wait(atMost span: Duration) async {
    async let _: Void = ring(after: span)
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
        let isOver = state.withLock { state in
          guard state.isNudged else {
            state.waiter = waiter
            return false
          }
          state.isNudged = false
          return true
        }
        if isOver { waiter.resume() }
      }
    } onCancel: {
      nudge()
    }
  }

  private func ring(after span: Duration) async {
    do { try await Task.sleep(for: span) } catch { return }
    nudge()
  }
}

/// Runs `body` to its end although the caller's task is cancelled: for work that must be written
/// down. It must end by itself soon.
public func shielded<Result: Sendable>(
  _ body: @escaping @Sendable () async -> Result
) async -> Result {
  await Task { await body() }.value
}
