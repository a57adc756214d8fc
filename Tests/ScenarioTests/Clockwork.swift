import BackgroundOperations
import BackgroundWorkers
import DeviceAPI
import HTTPAPI
import HTTPServing
import Lifecycle
import ManagerAPI
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Telemetry

@testable import NotificationDelivery

typealias Answer = APIAnswer

/// A flag that the service raises.
final class Flag: Sendable {
  private let isRaised = Lock(false)

  func raise() { isRaised.withLock { $0 = true } }

  func take() -> Bool {
    isRaised.withLock { isRaised in
      defer { isRaised = false }
      return isRaised
    }
  }
}

/// Failures inside the service.
final class Failures: Sendable {
  private let texts = Lock<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}

/// The service on a moved clock, wired as guardd wires it: routes, streams, and workers that poll
/// once a second. Seconds in which nothing is due are skipped.
final class Clockwork: MovableWorld {
  /// The single clock of service, SQL and phones.
  let clock: MovableClock
  let operations: TestOperations
  let router: Router
  /// The same routes, but reading through them does not count as contact with a device.
  let readingRouter: Router
  let streams: OpenStreams
  let post: RecordedPost
  let failures = Failures()

  private let clerk: DeliveryClerk
  private let silence: Worker
  private let watch: Worker
  private let hidden: Worker
  private let (inbox, outbox) = (Flag(), Flag())
  private let time = Lock(Times())
  private static let instance: Int64 = 1

  private struct Times {
    /// The time of the last poll.
    var lookedAt: Instant?
    /// Whether nothing was written since then that a poll might find.
    var isQuiet = false
    /// Whether the service is down.
    var isDown = false
  }

  init(on pool: Pool, at start: Instant) {
    let clock = MovableClock(at: start)
    let (inbox, outbox, failures) = (self.inbox, self.outbox, self.failures)
    let now = clock.reading
    operations = TestOperations(
      pool: pool, clock: clock, inboxFilled: { inbox.raise() }, outboxFilled: { outbox.raise() })
    self.clock = clock
    post = RecordedPost(now: now)
    streams = OpenStreams(operations: operations, pool: pool, post: post)
    let observer = RouteObserver(failed: { failures.add($0) })
    router = Router(
      (deviceRoutes(operations.device, now: now, observer: observer, streams: streams.service)
        + managerRoutes(operations.manager, now: now, observer: observer)).map(\.route))
    let reader = TestOperations(pool: pool, clock: clock)
    readingRouter = Router(
      (deviceRoutes(reader.device, now: now, observer: observer)
        + managerRoutes(reader.manager, now: now, observer: observer)).map(\.route))
    let monitor = Monitor(
      metrics: Metrics(), log: Log(least: .error, to: LogWriter(.logfmt) { _ in })
    ) { event in
      if case .failed(_, let reason) = event { failures.add(reason) }
    }
    clerk = DeliveryClerk(
      operations: operations.background, channels: post.channels,
      meter: DeliveryMeter(monitor))
    let workers = Workers(operations.background, watching: operations.background, monitor).all
    guard let silence = workers.first(where: { $0.name == "silence" }),
      let watch = workers.first(where: { $0.name == "watch" }),
      let hidden = workers.first(where: { $0.name == "hidden_pages" })
    else { preconditionFailure("workers have other names") }
    (self.silence, self.watch, self.hidden) = (silence, watch, hidden)
  }

  // MARK: Requests

  /// Answers a request and delivers the notifications that it makes due at once.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    let response = await take(request)
    if outbox.take() { try await deliver() }
    return response
  }

  /// Answers a request. Its notifications wait for `deliverWhatIsDue`: several deliveries
  /// at the same moment would wait for each other.
  func take(_ request: HTTPRequest) async -> HTTPResponse {
    defer { time.withLock { $0.isQuiet = false } }
    return await router.respond(to: request)
  }

  // MARK: Time

  /// Lets time pass until just before `target`: polls in each second in which something is due.
  /// - Parameter isStopping: Whether to stop after a poll that wrote something.
  /// - Returns: Whether `target` was reached.
  @discardableResult
  func pass(to target: Instant, isStopping: Bool = false) async throws -> Bool {
    guard !time.withLock({ $0.isDown }) else {
      clock.now = target
      return true
    }
    var next = firstLook
    let last = Instant(milliseconds: (target.milliseconds - 1) / 1_000 * 1_000)
    if next <= last {
      try await operations.background.storeLastSeen()
      try await rollUpPings(at: next)
      // By then all contacts are known.
      let known = next + .seconds(2)
      if known <= last, operations.dirtyShifts.hasChanged { try await rollUpPings(at: known) }
    }
    var fruitless: Int64 = 0
    while next <= last, try await isDue(at: last) {
      var (early, late) = (next, last)
      while early < late {
        let middle = Instant(
          milliseconds: (early.milliseconds + late.milliseconds) / 2_000 * 1_000)
        if try await isDue(at: middle) { late = middle } else { early = middle + .seconds(1) }
      }
      let before = try await writes()
      try await look(at: late)
      // Work that is due and cannot be done is retried in later polls, as by guardd.
      fruitless = try await writes() == before ? fruitless + 1 : 0
      if isStopping, fruitless == 0 { return false }
      next = late + .seconds(fruitless > 600 ? 4 : 1)
    }
    clock.now = target
    return true
  }

  /// Rolls up, as guardd does each second: silences are cut by what came late.
  private func rollUpPings(at instant: Instant) async throws {
    clock.now = instant
    try await heartbeat(at: instant)
    try await operations.background.rollUpPings()
    time.withLock { $0.isQuiet = false }
  }

  /// The first second without a poll.
  private var firstLook: Instant {
    let (now, times) = (clock.now, time.withLock { $0 })
    let second = Instant(milliseconds: (now.milliseconds + 999) / 1_000 * 1_000)
    return times.lookedAt == second && times.isQuiet ? second + .seconds(1) : second
  }

  /// Whether a poll at `instant` would find something to do.
  private func isDue(at instant: Instant) async throws -> Bool {
    clock.now = instant
    try await heartbeat(at: instant)
    if try await !operations.background.dueNotifications(from: nil, limit: 1).employees.isEmpty {
      return true
    }
    if try await !operations.background.silent(limit: 1).isEmpty { return true }
    if try await !operations.background.hiddenPagesDue(limit: 1).isEmpty { return true }
    return try await !operations.background.due(limit: 1).isEmpty
  }

  /// Polls with all workers at `instant`, which becomes the present.
  func look(at instant: Instant) async throws {
    clock.now = instant
    if time.withLock({ !$0.isDown }) { try await heartbeat(at: instant - .seconds(1)) }
    let times = time.withLock { times in
      defer { (times.lookedAt, times.isQuiet, times.isDown) = (instant, true, false) }
      return times
    }
    if times.lookedAt == instant, times.isQuiet { return }
    try await operations.background.beat(as: Self.instance)
    for isWell in [await silence.poll(), await watch.poll(), await hidden.poll()] where !isWell {
      failures.add("a poll failed")
    }
    try await deliver()
  }

  /// Stops the service until the next poll.
  func stop() async throws {
    try await look(at: clock.now)
    try await heartbeat(at: clock.now)
    time.withLock { $0.isDown = true }
  }

  /// Computes the rollups other than a shift's own coverage, and what guardd finds within seconds.
  func rollUp() async throws {
    try await operations.background.storeLastSeen()
    try await heartbeat(at: clock.now + .seconds(1))
    if await !silence.poll() { failures.add("a poll failed") }
    try await operations.background.rollUpPings()
    try await operations.background.computeMissingDurations()
    try await operations.background.storeDetections()
  }

  /// Delivers after something other than `answer` may have made a notification due.
  func deliverWhatIsDue() async throws {
    time.withLock { $0.isQuiet = false }
    if outbox.take() { try await deliver() }
  }

  /// Delivers until nothing is due.
  private func deliver() async throws {
    for _ in 0..<100 {
      let due = try await operations.background.dueNotifications(from: nil, limit: 100).employees
      for employee in due { await clerk.work(for: employee) }
      let isFilled = inbox.take()
      if isFilled { try await streams.waitUntilRead() }
      if due.isEmpty, !isFilled, !outbox.take() { return }
    }
    failures.add("notifications without end at \(clock.now.rfc3339)")
  }

  /// Stores the heartbeat that the skipped seconds would have stored.
  private func heartbeat(at instant: Instant) async throws {
    let instance = Self.instance
    try await pool.read { (session) throws(PostgresError) in
      _ = try session.execute(
        """
        INSERT INTO heartbeat AS beat (instance_id, beat_at) VALUES (\(instance), \(instant))
        ON CONFLICT (instance_id) DO UPDATE SET beat_at = excluded.beat_at
        WHERE beat.beat_at <> excluded.beat_at
        """)
    }
  }

  /// A number that grows with everything that is written about employees.
  private func writes() async throws -> Int64 {
    try await count(
      """
      SELECT (SELECT count(*) FROM incident) + (SELECT count(*) FROM incident WHERE closed_at
        IS NOT NULL) + (SELECT count(*) FROM delivery_attempt)
        + (SELECT count(*) FROM notification_history) + (SELECT count(*) FROM notification)
        + (SELECT count(*) FROM inbox) + (SELECT count(*) FROM shift WHERE ended_at IS NOT NULL)
      """)
  }
}
