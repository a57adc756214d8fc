import APIJSON
import DeviceOperations
import Guidance
import HTTPAPI
import Lifecycle
import LiveEvents
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// The streams of events that phones have open at this instance, and the poll that serves them: one
/// query for all of them, at least once a second, and at once after a wake-up.
///
/// A notification is read from the database when its number is above the last one sent on the
/// stream, so none is lost and none is sent twice, whatever woke the poll.
package final class NotificationStreams: Service {
  package struct Pace: Sendable {
    /// The longest time between two queries. A revoked phone's stream ends within it.
    package var poll: Duration = .seconds(1)
    /// From one sign of life to the next.
    package var heartbeat: Duration = .seconds(15)
    /// How long a phone counts as connected after this instance has crashed.
    package var lease = TimeSpan.seconds(10)
    /// From one renewal of the leases to the next.
    package var renewal: Duration = .seconds(3)
    /// The maximum number of notifications that wait for one stream.
    package var waitingMax = 32

    package init() {}
  }

  package let name = "notification-streams"
  package let wakeSignal: WakeSignal

  private let operations: DeviceOperations
  private let pace: Pace
  private let meter: PollMeter
  private let communicated: Histogram
  private let hub: LiveHub<LiveStream, StreamPiece>
  private let state = Lock(StreamsState())

  /// - Parameter operations: On their own connections, so that heavy request traffic does not delay
  ///   them.
  package init(
    operations: DeviceOperations, pace: Pace = Pace(), wakeSignal: WakeSignal = WakeSignal(),
    monitor: Monitor
  ) {
    self.operations = operations
    self.pace = pace
    self.wakeSignal = wakeSignal
    meter = PollMeter("streams", monitor)
    communicated = monitor.metrics.histogram(
      "shiftguard_communicated_seconds",
      "Time from the last byte of a report to the notification in a connected app, where this "
        + "instance received the report.",
      bounds: [0.1, 0.25, 0.5, 1, 2, 2.25, 2.5, 3, 4, 5, 10, 30])
    hub = LiveHub(waitingMax: pace.waitingMax)
    monitor.metrics.gauge("shiftguard_streams_open", "Open event streams of phones.") { [hub] in
      Double(hub.listenerCount)
    }
  }

  package var count: Int { hub.listenerCount }

  /// Serves until its task is cancelled; then it closes all streams and records what is left.
  package func run() async {
    var clock = Clock()
    await Polling(every: pace.poll, wakeSignal: wakeSignal).run {
      let isWell = await round(renewing: clock.renews(every: pace.renewal))
      if clock.beats(every: pace.heartbeat) { hub.sendToIdle(.heartbeat) }
      meter.end(isWell: isWell)
      return .atInterval
    }
    // Their readers may notice later, when nothing would record it any more.
    for stream in state.withLock({ $0.endAll() }) { hub.end(stream) }
    _ = await shielded { await self.writeDown(renewing: false) }
  }

  var lease: TimeSpan { pace.lease }

  /// A new stream from `position`, which replaces the phone's earlier stream at this instance.
  /// - Parameter language: The request's language; `nil`: the last language the phone asked for.
  func open(_ position: StreamPosition, in language: Language?) -> AsyncStream<[UInt8]> {
    let stream = position.stream
    let listener = hub.listen(to: stream) { [weak self] in self?.ended(stream) }
    let former = state.withLock { $0.open(position, in: language) }
    if let former { hub.end(former) }
    wakeSignal.signal()
    let body = StreamBody(listener, after: position.last) { [weak self] in self?.shown($0) }
    return AsyncStream { await body.next() }
  }

  private func ended(_ stream: LiveStream) {
    state.withLock { $0.end(stream) }
    wakeSignal.signal()
  }

  private func shown(_ streamEvent: StreamEvent) {
    let shown = operations.shown(streamEvent)
    state.withLock { $0.shown.append(shown) }
    if let span = shown.communicated { communicated.observe(span) }
    wakeSignal.signal()
  }

  /// Returns whether the database was available.
  private func round(renewing: Bool) async -> Bool {
    let isRecorded = await writeDown(renewing: renewing)
    let positions = state.withLock { $0.positions }
    guard !positions.isEmpty else { return isRecorded }
    do throws(OperationError) {
      let news = try await operations.news(for: positions)
      for stream in news.lost { hub.end(stream) }
      for batch in news.batches { deliver(batch) }
      announce(news.versions)
      return isRecorded
    } catch {
      meter.fail("\(error)")
      return false
    }
  }

  private func deliver(_ batch: StreamEvents) {
    guard let open = state.withLock({ $0.open[batch.stream.device] }),
      open.position.stream == batch.stream
    else { return }
    let language = open.language ?? batch.language ?? .english
    // Reading a notification triggers the next poll, which brings the rest, so neither a phone that
    // was away for long nor a slow reader is disconnected.
    for concerned in batch.events.prefix(hub.room(for: batch.stream)) {
      let event = concerned.event
      let text = EventText.event(
        "notification", id: event.number, concerned.json(in: language))
      guard hub.send(.event(event, text), to: batch.stream) else { return }
      state.withLock { $0.advance(batch.stream, to: event.number) }
    }
  }

  /// Tells apps that the state of their employee has changed. A stream that is full is told later.
  private func announce(_ versions: [EmployeeID: Int64]) {
    for stream in state.withLock({ $0.streams(behind: versions) })
    where hub.room(for: stream) > 0 && hub.send(.state, to: stream) {
      state.withLock { $0.advance(stream, to: versions) }
    }
  }

  /// Records streams that ended and notifications that were shown; on failure, retries later.
  /// - Returns: Whether the database was available.
  @discardableResult
  private func writeDown(renewing: Bool) async -> Bool {
    let (ended, shown, streams) = state.withLock { state in
      defer { (state.ended, state.shown) = ([], []) }
      return (state.ended, state.shown, renewing ? state.streams : [])
    }
    guard !ended.isEmpty || !shown.isEmpty || !streams.isEmpty else { return true }
    do throws(OperationError) {
      try await operations.updateStreams(streams, lease: pace.lease, ended: ended, shown: shown)
      return true
    } catch {
      state.withLock { state in
        state.ended += ended
        state.shown += shown
      }
      meter.fail("\(error)")
      return false
    }
  }
}

enum StreamPiece: Sendable {
  case heartbeat
  /// The state of the employee has changed.
  case state
  case event(StreamEvent, [UInt8])
}

private struct StreamsState: Sendable {
  var open: [DeviceID: (position: StreamPosition, language: Language?)] = [:]
  /// The version of the employee's state that each open stream was last told of.
  private var versions: [LiveStream: Int64] = [:]
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
    versions[stream] = nil
    ended.append(stream)
  }

  /// - Returns: The streams that were open.
  mutating func endAll() -> [LiveStream] {
    let all = streams
    (open, versions) = ([:], [:])
    ended += all
    return all
  }

  /// The open streams that were not told of these versions; a new one of none, because its app may
  /// have read the state before an earlier change.
  func streams(behind present: [EmployeeID: Int64]) -> [LiveStream] {
    streams.filter { stream in
      guard let version = present[stream.device.employee] else { return false }
      return versions[stream] != version
    }
  }

  mutating func advance(_ stream: LiveStream, to present: [EmployeeID: Int64]) {
    guard open[stream.device]?.position.stream == stream else { return }
    versions[stream] = present[stream.device.employee]
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
