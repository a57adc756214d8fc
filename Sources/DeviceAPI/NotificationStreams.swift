import Guidance
import HTTPAPI
public import Lifecycle
import LiveEvents
public import ShiftDomain
public import ShiftOperations

/// The streams of events that phones have open at this instance, and the poll that serves them: one
/// query for all of them, at least once a second, and at once after a wake-up.
///
/// A notification is read from the database when its number is above the last one sent on the
/// stream, so none is lost and none is sent twice, whatever woke the poll.
public final class NotificationStreams: Service {
  /// Intervals and limits of the streams.
  public struct Pace: Sendable {
    /// The longest time between two queries. A revoked phone's stream ends within it.
    public var poll: Duration = .seconds(1)
    /// From one sign of life to the next.
    public var heartbeat: Duration = .seconds(15)
    /// How long a phone counts as connected after this instance has crashed.
    public var lease = TimeSpan.seconds(10)
    /// From one renewal of the leases to the next.
    public var renewal: Duration = .seconds(3)
    /// The maximum number of notifications that wait for one stream.
    public var waitingMax = 32

    /// The default intervals and limits.
    public init() {}
  }

  /// Receives what streams report. Must return quickly.
  public struct Observer: Sendable {
    /// A notification was written to a phone's connection; the time since its evidence was read
    /// here.
    public var communicated: @Sendable (Duration) -> Void
    /// A poll failed; the text is safe to log.
    public var failed: @Sendable (String) -> Void
    /// A poll has ended.
    public var looked: @Sendable () -> Void

    /// An observer; by default events are ignored.
    public init(
      communicated: @escaping @Sendable (Duration) -> Void = { _ in },
      failed: @escaping @Sendable (String) -> Void = { _ in },
      looked: @escaping @Sendable () -> Void = {}
    ) {
      self.communicated = communicated
      self.failed = failed
      self.looked = looked
    }
  }

  /// Its name in log lines.
  public let name = "notification-streams"
  /// Brings the next poll forward, for a new notification in an inbox.
  public let wakeSignal: WakeSignal

  private let operations: Operations
  private let pace: Pace
  private let observer: Observer
  private let hub: LiveHub<LiveStream, StreamPiece>
  private let state = Lock(StreamsState())

  /// - Parameters:
  ///   - operations: On their own connections, so that heavy request traffic does not delay them.
  ///   - wakeSignal: Brings the next poll forward.
  ///   - observer: Receives notifications and failures.
  public init(
    operations: Operations, pace: Pace = Pace(), wakeSignal: WakeSignal = WakeSignal(),
    observer: Observer = Observer()
  ) {
    self.operations = operations
    self.pace = pace
    self.wakeSignal = wakeSignal
    self.observer = observer
    hub = LiveHub(waitingMax: pace.waitingMax)
  }

  /// How many streams are open.
  public var count: Int { hub.listenerCount }

  /// Serves until its task is cancelled; then it closes all streams and records what is left.
  public func run() async {
    var clock = Clock()
    while !Task.isCancelled {
      await round(renewing: clock.renews(every: pace.renewal))
      if clock.beats(every: pace.heartbeat) { hub.sendToIdle(.heartbeat) }
      observer.looked()
      await wakeSignal.wait(atMost: pace.poll)
    }
    // Their readers may notice later, when nothing would record it any more.
    for stream in state.withLock({ $0.endAll() }) { hub.end(stream) }
    await shielded { await self.writeDown(renewing: false) }
  }

  // MARK: Streams

  /// How long a phone counts as connected after the last renewal.
  var lease: TimeSpan { pace.lease }

  /// A new stream from `position`, which replaces the phone's earlier stream at this instance.
  /// - Parameter language: The request's language; `nil`: the last language the phone asked for.
  func open(_ position: StreamPosition, in language: Language?) -> AsyncStream<[UInt8]> {
    let stream = position.stream
    let listener = hub.listen(to: stream) { [weak self] in self?.ended(stream) }
    let former = state.withLock { $0.open(position, in: language) }
    if let former { hub.end(former) }
    wakeSignal.signal()
    let body = StreamBody(listener) { [weak self] in self?.shown($0) }
    return AsyncStream { await body.next() }
  }

  private func ended(_ stream: LiveStream) {
    state.withLock { $0.end(stream) }
    wakeSignal.signal()
  }

  private func shown(_ streamEvent: StreamEvent) {
    let shown = operations.shown(streamEvent)
    state.withLock { $0.shown.append(shown) }
    if let span = shown.communicated { observer.communicated(span) }
    wakeSignal.signal()
  }

  // MARK: Rounds

  private func round(renewing: Bool) async {
    await writeDown(renewing: renewing)
    let positions = state.withLock { $0.positions }
    guard !positions.isEmpty else { return }
    do throws(OperationError) {
      let news = try await operations.news(for: positions)
      for stream in news.lost { hub.end(stream) }
      for batch in news.batches { deliver(batch) }
    } catch {
      note(error)
    }
  }

  private func deliver(_ batch: StreamEvents) {
    guard let open = state.withLock({ $0.open[batch.stream.device] }),
      open.position.stream == batch.stream
    else { return }
    let language = open.language ?? batch.language ?? .english
    // Reading a notification triggers the next poll, which brings the rest, so neither a phone that
    // was away for long nor a slow reader is disconnected.
    for streamEvent in batch.events.prefix(hub.room(for: batch.stream)) {
      let event = EventText.event(
        "notification", id: streamEvent.number, batch.event(streamEvent, in: language))
      guard hub.send(.event(streamEvent, event), to: batch.stream) else { return }
      state.withLock { $0.advance(batch.stream, to: streamEvent.number) }
    }
  }

  /// Records streams that ended and notifications that were shown; on failure, retries later.
  private func writeDown(renewing: Bool) async {
    let (ended, shown, streams) = state.withLock { state in
      defer { (state.ended, state.shown) = ([], []) }
      return (state.ended, state.shown, renewing ? state.streams : [])
    }
    guard !ended.isEmpty || !shown.isEmpty || !streams.isEmpty else { return }
    do throws(OperationError) {
      try await operations.updateStreams(streams, lease: pace.lease, ended: ended, shown: shown)
    } catch {
      state.withLock { state in
        state.ended += ended
        state.shown += shown
      }
      note(error)
    }
  }

  private func note(_ error: OperationError) {
    if !Task.isCancelled { observer.failed("\(error)") }
  }
}

/// An element of a stream.
enum StreamPiece: Sendable {
  case heartbeat
  case event(StreamEvent, [UInt8])
}

/// The streams of an instance, and what remains to be recorded about them.
private struct StreamsState: Sendable {
  var open: [DeviceID: (position: StreamPosition, language: Language?)] = [:]
  var ended: [LiveStream] = []
  var shown: [ShownEvent] = []

  var positions: [StreamPosition] { open.values.map(\.position) }
  var streams: [LiveStream] { open.values.map(\.position.stream) }

  /// - Returns: The stream that it replaces.
  mutating func open(_ position: StreamPosition, in language: Language?) -> LiveStream? {
    open.updateValue((position, language), forKey: position.stream.device)?.position.stream
  }

  mutating func end(_ stream: LiveStream) {
    if open[stream.device]?.position.stream == stream { open[stream.device] = nil }
    ended.append(stream)
  }

  /// - Returns: The streams that were open.
  mutating func endAll() -> [LiveStream] {
    let all = streams
    open = [:]
    ended += all
    return all
  }

  mutating func advance(_ stream: LiveStream, to number: Int32) {
    guard open[stream.device]?.position.stream == stream else { return }
    open[stream.device]?.position.last = number
  }
}

/// Decides when a poll has to do more than query.
private struct Clock {
  private var beatenAt = ContinuousClock.now
  private var renewedAt = ContinuousClock.now

  mutating func beats(every span: Duration) -> Bool { Self.passed(span, since: &beatenAt) }
  mutating func renews(every span: Duration) -> Bool { Self.passed(span, since: &renewedAt) }

  private static func passed(_ span: Duration, since last: inout ContinuousClock.Instant) -> Bool {
    guard ContinuousClock.now - last >= span else { return false }
    last = .now
    return true
  }
}
