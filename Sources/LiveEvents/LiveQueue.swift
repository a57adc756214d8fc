import Lifecycle

/// The queue of one subscriber, oldest first. Bounded.
final class LiveQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiter: CheckedContinuation<Event?, Never>?
    var isEnded = false
  }

  private let state = Lock(State())
  private let waitingMax: Int

  init(waitingMax: Int) { self.waitingMax = waitingMax }

  func put(_ event: Event) -> Bool {
    let (waiter, isTaken) = state.withLock { state in
      guard !state.isEnded else { return (nil as CheckedContinuation<Event?, Never>?, false) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, true)
      }
      guard state.events.count < waitingMax else { return (nil, false) }
      state.events.append(event)
      return (nil, true)
    }
    waiter?.resume(returning: event)
    if !isTaken { end() }
    return isTaken
  }

  var room: Int {
    state.withLock { $0.isEnded ? 0 : waitingMax - $0.events.count + ($0.waiter == nil ? 0 : 1) }
  }

  func putIfIdle(_ event: Event) {
    if state.withLock({ $0.events.isEmpty }) { _ = put(event) }
  }

  /// Ends the queue: waiting events are not read any more.
  func end() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state = State(isEnded: true)
      return waiter
    }
    waiter?.resume(returning: nil)
  }

  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Event?, Never>) in
        let (event, mustWait) = state.withLock { state in
          precondition(state.waiter == nil, "one may wait at a time")
          guard !state.isEnded else { return (nil as Event?, false) }
          guard state.events.isEmpty else { return (state.events.removeFirst(), false) }
          state.waiter = waiter
          return (nil, true)
        }
        if !mustWait { waiter.resume(returning: event) }
      }
    } onCancel: {
      end()
    }
  }
}
