import Lifecycle

/// Delivers events to subscribers without waiting for any of them: a subscriber with too many
/// unread events is ended, and reconnects with the number of the last event it read.
package final class LiveHub<Topic: Hashable & Sendable, Event: Sendable>: Sendable {
  private typealias Queues = [ObjectIdentifier: LiveQueue<Event>]

  private let topics = Lock<[Topic: Queues]>([:])
  private let waitingMax: Int

  /// `waitingMax`: how many events may wait for one subscriber, from 1.
  package init(waitingMax: Int) {
    precondition(waitingMax >= 1)
    self.waitingMax = waitingMax
  }

  /// Subscribes while the subscription is kept. `ended` is called once and must return quickly.
  package func listen(
    to topic: Topic, ended: @escaping @Sendable () -> Void = {}
  ) -> LiveListener<Event> {
    let queue = LiveQueue<Event>(waitingMax: waitingMax)
    let id = ObjectIdentifier(queue)
    topics.withLock { $0[topic, default: [:]][id] = queue }
    return LiveListener(queue) { [weak self] in
      self?.topics.withLock { topics in
        topics[topic]?[id] = nil
        if topics[topic]?.isEmpty == true { topics[topic] = nil }
      }
      ended()
    }
  }

  /// `false` if there are no subscribers, or if one was ended because it does not read.
  @discardableResult package func send(_ event: Event, to topic: Topic) -> Bool {
    let queues = topics.withLock { Array(($0[topic] ?? [:]).values) }
    return queues.reduce(!queues.isEmpty) { isTaken, queue in queue.put(event) && isTaken }
  }

  /// How many more events fit for all subscribers of `topic`; 0 without any.
  package func room(for topic: Topic) -> Int {
    topics.withLock { $0[topic]?.values.map(\.room).min() ?? 0 }
  }

  /// Delivers a sign of life to all subscribers with an empty queue; others do not need it.
  package func sendToIdle(_ event: Event) {
    for queue in topics.withLock({ $0.values.flatMap(\.values) }) { queue.putIfIdle(event) }
  }

  package func end(_ topic: Topic) {
    for queue in topics.withLock({ Array(($0[topic] ?? [:]).values) }) { queue.end() }
  }

  package var listenerCount: Int {
    topics.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }
}

/// A subscription. It ends when it is released, or when its waiting is cancelled.
package final class LiveListener<Event: Sendable>: Sendable {
  private let queue: LiveQueue<Event>
  private let close: @Sendable () -> Void

  init(_ queue: LiveQueue<Event>, close: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.close = close
  }

  deinit {
    queue.end()
    close()
  }

  /// The next event; `nil` when it has ended. Only one task may wait at a time.
  package func next() async -> Event? { await queue.next() }
}
