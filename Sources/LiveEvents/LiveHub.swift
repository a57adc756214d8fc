internal import Lifecycle

/// Hands events to those who listen, and never waits for any of them: who leaves more unread than
/// fits is ended, and comes back for the rest with the number of what it read last.
public final class LiveHub<Topic: Hashable & Sendable, Event: Sendable>: Sendable {
  private typealias Queues = [ObjectIdentifier: LiveQueue<Event>]

  private let topics = Lock<[Topic: Queues]>([:])
  private let waitingMax: Int

  /// A hub that nobody listens to.
  /// - Parameter waitingMax: So many events may wait for one listener, from 1.
  public init(waitingMax: Int) {
    precondition(waitingMax >= 1)
    self.waitingMax = waitingMax
  }

  /// Listens to `topic` from now on, as long as the listener is kept.
  /// - Parameter ended: Called once, when it is over for whatever reason; must return quickly.
  public func listen(
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

  /// Hands `event` to all who listen to `topic`.
  /// - Returns: Whether it waits for everybody who does; `false` ended one that does not read, or
  ///   nobody listens.
  @discardableResult public func send(_ event: Event, to topic: Topic) -> Bool {
    let queues = topics.withLock { Array(($0[topic] ?? [:]).values) }
    return queues.reduce(!queues.isEmpty) { isTaken, queue in queue.put(event) && isTaken }
  }

  /// How many events still fit for everybody who listens to `topic`; 0 when nobody does.
  public func room(for topic: Topic) -> Int {
    topics.withLock { $0[topic]?.values.map(\.room).min() ?? 0 }
  }

  /// Hands `event` to everybody for whom nothing waits: a sign of life, which others need not have.
  public func sendToIdle(_ event: Event) {
    for queue in topics.withLock({ $0.values.flatMap(\.values) }) { queue.putIfIdle(event) }
  }

  /// Ends all who listen to `topic`.
  public func end(_ topic: Topic) {
    for queue in topics.withLock({ Array(($0[topic] ?? [:]).values) }) { queue.end() }
  }

  /// How many listen.
  public var listenerCount: Int {
    topics.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }
}

/// One who listens. When it is let go, or its waiting is cancelled, it listens no more.
public final class LiveListener<Event: Sendable>: Sendable {
  private let queue: LiveQueue<Event>
  private let leave: @Sendable () -> Void

  init(_ queue: LiveQueue<Event>, leave: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.leave = leave
  }

  deinit {
    queue.end()
    leave()
  }

  /// The next event; `nil` when it is over. One may wait at a time.
  public func next() async -> Event? { await queue.next() }
}
