import APIMessages
import Guidance
public import Lifecycle
import LiveEvents
public import ShiftDomain
public import ShiftOperations

/// The streams of events that phones have open at this instance, and the round that serves them:
/// one look for all, at least once a second, and at once after a nudge.
///
/// A message is read from the database whenever its number is above what the stream was given last,
/// so none is lost and none is said twice, however it was learnt that there is one.
public final class MessageStreams: Service {
  /// How the streams are served.
  public struct Pace: Sendable {
    /// From one look to the next at the most. A revoked phone's stream ends within it.
    public var poll: Duration = .seconds(1)
    /// From one sign of life to the next.
    public var heartbeat: Duration = .seconds(15)
    /// How long a phone counts as connected when this instance dies.
    public var lease = TimeSpan.seconds(10)
    /// From one renewal of the leases to the next.
    public var renewal: Duration = .seconds(3)
    /// So many messages may wait for one stream.
    public var waitingMax = 32

    /// The usual pace.
    public init() {}
  }

  /// What streams tell of themselves. Must return quickly.
  public struct Observer: Sendable {
    /// A message was handed to a phone's connection so long after its evidence was read here.
    public var communicated: @Sendable (Duration) -> Void
    /// A round failed; the text is safe to log.
    public var failed: @Sendable (String) -> Void
    /// A round has ended.
    public var looked: @Sendable () -> Void

    /// An observer; by default nobody listens.
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

  /// What log lines call it.
  public let name = "message-streams"
  /// Brings the next round forward: somebody has put a message into an inbox.
  public let nudge: Nudge

  private let operations: Operations
  private let pace: Pace
  private let observer: Observer
  private let hub: LiveHub<LiveStream, StreamPiece>
  private let state = Lock(StreamsState())

  /// - Parameters:
  ///   - operations: On connections of their own: a crowd of requests delays no message.
  ///   - nudge: Brings the next round forward.
  ///   - observer: Told of messages and failures.
  public init(
    operations: Operations, pace: Pace = Pace(), nudge: Nudge = Nudge(),
    observer: Observer = Observer()
  ) {
    self.operations = operations
    self.pace = pace
    self.nudge = nudge
    self.observer = observer
    hub = LiveHub(waitingMax: pace.waitingMax)
  }

  /// How many are open.
  public var count: Int { hub.listenerCount }

  /// Serves until its task is cancelled; then it ends all streams and writes down what is left.
  public func run() async {
    var clock = Clock()
    while !Task.isCancelled {
      await round(renewing: clock.renews(every: pace.renewal))
      if clock.beats(every: pace.heartbeat) { hub.sendToIdle(.heartbeat) }
      observer.looked()
      await nudge.wait(atMost: pace.poll)
    }
    // Those who read them notice in their own time; nobody would write it down any more.
    for stream in state.withLock({ $0.endAll() }) { hub.end(stream) }
    await shielded { await self.writeDown(renewing: false) }
  }

  // MARK: Streams

  /// How long a phone counts as connected after it was said to be.
  var lease: TimeSpan { pace.lease }

  /// The stream that begins at `position`, in place of the one that the phone had here.
  /// - Parameter language: What the request asks for; `nil`: what the phone asked for last.
  func open(_ position: StreamPosition, in language: Language?) -> AsyncStream<[UInt8]> {
    let stream = position.stream
    let listener = hub.listen(to: stream) { [weak self] in self?.ended(stream) }
    let former = state.withLock { $0.open(position, in: language) }
    if let former { hub.end(former) }
    nudge.nudge()
    let body = StreamBody(listener) { [weak self] in self?.shown($0) }
    return AsyncStream { await body.next() }
  }

  private func ended(_ stream: LiveStream) {
    state.withLock { $0.end(stream) }
    nudge.nudge()
  }

  private func shown(_ message: StreamMessage) {
    let shown = operations.shown(message)
    state.withLock { $0.shown.append(shown) }
    if let span = shown.communicated { observer.communicated(span) }
    nudge.nudge()
  }

  // MARK: Rounds

  private func round(renewing: Bool) async {
    await writeDown(renewing: renewing)
    let positions = state.withLock { $0.positions }
    guard !positions.isEmpty else { return }
    do throws(OperationError) {
      let news = try await operations.news(for: positions)
      for stream in news.lost { hub.end(stream) }
      for mail in news.mail { deliver(mail) }
    } catch {
      note(error)
    }
  }

  private func deliver(_ mail: StreamMail) {
    guard let open = state.withLock({ $0.open[mail.stream.device] }),
      open.position.stream == mail.stream
    else { return }
    let language = open.language ?? mail.language ?? .english
    // Whoever reads one asks for the next round, which brings the rest: neither a phone that was
    // away long nor one that reads late is ended for it.
    for message in mail.messages.prefix(hub.room(for: mail.stream)) {
      let event = EventText.event("notice", id: message.number, mail.event(message, in: language))
      guard hub.send(.message(message, event), to: mail.stream) else { return }
      state.withLock { $0.advance(mail.stream, to: message.number) }
    }
  }

  /// Writes down what has ended and what was shown; what cannot be written is kept for later.
  private func writeDown(renewing: Bool) async {
    let (ended, shown, streams) = state.withLock { state in
      defer { (state.ended, state.shown) = ([], []) }
      return (state.ended, state.shown, renewing ? state.streams : [])
    }
    guard !ended.isEmpty || !shown.isEmpty || !streams.isEmpty else { return }
    do throws(OperationError) {
      try await operations.attend(streams, lease: pace.lease, ended: ended, shown: shown)
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

/// What a stream is handed.
enum StreamPiece: Sendable {
  case heartbeat
  case message(StreamMessage, [UInt8])
}

/// The streams of an instance, and what is still to be written down of them.
private struct StreamsState: Sendable {
  var open: [DeviceID: (position: StreamPosition, language: Language?)] = [:]
  var ended: [LiveStream] = []
  var shown: [ShownMessage] = []

  var positions: [StreamPosition] { open.values.map(\.position) }
  var streams: [LiveStream] { open.values.map(\.position.stream) }

  /// - Returns: The stream that it takes the place of.
  mutating func open(_ position: StreamPosition, in language: Language?) -> LiveStream? {
    open.updateValue((position, language), forKey: position.stream.device)?.position.stream
  }

  mutating func end(_ stream: LiveStream) {
    if open[stream.device]?.position.stream == stream { open[stream.device] = nil }
    ended.append(stream)
  }

  /// - Returns: Those that were open.
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

/// When a round has to do more than look.
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
