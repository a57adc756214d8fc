import DeviceAPI
import HTTPAPI
import HTTPServing
import Lifecycle
import ManagerAPI
import Postgres
import ShiftDomain
import ShiftOperations
import ShiftStore

@testable import NotificationDelivery
@testable import ShiftWatch

/// The one clock of service, SQL and phones.
final class OneClock: Sendable {
  private let instant: Lock<Instant>

  init(at instant: Instant) { self.instant = Lock(instant) }

  var now: Instant { instant.withLock { $0 } }

  func set(_ now: Instant) { instant.withLock { $0 = now } }
}

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

/// What went wrong inside the service.
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

/// The service on a moved clock, wired as guardd wires it: routes, streams, and workers that look
/// once a second. A second in which nothing is due is left out.
final class Clockwork: Sendable {
  let pool: Pool
  let clock: OneClock
  let operations: Operations
  let router: Router
  /// The same routes, but what is read through them is no contact with a device.
  let readingRouter: Router
  let streams: OpenStreams
  let post: RecordedPost
  let failures = Failures()

  private let clerk: DeliveryClerk
  private let silence: SilenceWatch
  private let watch: ShiftWatch
  private let (inbox, outbox) = (Flag(), Flag())
  private let time = Lock(Times())
  private static let instance: Int64 = 1

  private struct Times {
    /// The last look.
    var lookedAt: Instant?
    /// Nothing was written down since then that a look might find.
    var isQuiet = false
    /// Until when the service is down.
    var isDown = false
  }

  init(on pool: Pool, at start: Instant) {
    let clock = OneClock(at: start)
    let (inbox, outbox, failures) = (self.inbox, self.outbox, self.failures)
    let now: @Sendable () -> Instant = { clock.now }
    operations = Operations(
      pool: pool, now: now, deadlines: now, inboxFilled: { inbox.raise() },
      outboxFilled: { outbox.raise() })
    (self.pool, self.clock) = (pool, clock)
    post = RecordedPost(now: now)
    streams = OpenStreams(operations: operations, pool: pool, post: post)
    let observer = RouteObserver(failed: { failures.add($0) })
    router = Router(
      deviceRoutes(operations, now: now, observer: observer, streams: streams.service)
        + managerRoutes(operations, now: now, observer: observer))
    let reader = Operations(pool: pool, now: now, deadlines: now)
    readingRouter = Router(
      deviceRoutes(reader, now: now, observer: observer)
        + managerRoutes(reader, now: now, observer: observer))
    clerk = DeliveryClerk(
      operations: operations, channels: post.channels,
      observer: DeliveryObserver(failed: { failures.add($0) }))
    let watched = WatchObserver(failed: { failures.add($0) })
    silence = SilenceWatch(operations: operations, observer: watched)
    watch = ShiftWatch(operations: operations, observer: watched)
  }

  // MARK: Requests

  /// What a request is answered; what it leaves to be delivered at once leaves at once.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    let response = await take(request)
    if outbox.take() { try await deliver() }
    return response
  }

  /// What a request is answered. Its notifications wait for `deliverWhatIsDue`: several deliveries
  /// at the same moment would wait for each other.
  func take(_ request: HTTPRequest) async -> HTTPResponse {
    defer { time.withLock { $0.isQuiet = false } }
    return await router.respond(to: request)
  }

  // MARK: Time

  /// Lets time pass until just before `target`: looks at each second in which something is due.
  /// - Parameter isStopping: Whether to stop after a look that wrote something.
  /// - Returns: Whether `target` was reached.
  @discardableResult
  func pass(to target: Instant, isStopping: Bool = false) async throws -> Bool {
    guard !time.withLock({ $0.isDown }) else {
      clock.set(target)
      return true
    }
    var next = firstLook
    let last = Instant(milliseconds: (target.milliseconds - 1) / 1_000 * 1_000)
    if next <= last { try await operations.storeLastSeen() }
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
      // What is due and cannot be done is looked at again and again, as by guardd.
      fruitless = try await writes() == before ? fruitless + 1 : 0
      if isStopping, fruitless == 0 { return false }
      next = late + .seconds(fruitless > 10 ? 4 : 1)
    }
    clock.set(target)
    return true
  }

  /// The first second that has not been looked at.
  private var firstLook: Instant {
    let (now, times) = (clock.now, time.withLock { $0 })
    let second = Instant(milliseconds: (now.milliseconds + 999) / 1_000 * 1_000)
    return times.lookedAt == second && times.isQuiet ? second + .seconds(1) : second
  }

  /// Whether a look at `instant` would find something to do.
  private func isDue(at instant: Instant) async throws -> Bool {
    clock.set(instant)
    try await heartbeat(at: instant)
    if try await !operations.dueNotifications(from: nil, limit: 1).employees.isEmpty { return true }
    if try await !operations.silent(limit: 1).isEmpty { return true }
    return try await !operations.due(limit: 1).isEmpty
  }

  /// A look of all workers at the present, which is `instant` then.
  func look(at instant: Instant) async throws {
    clock.set(instant)
    if time.withLock({ !$0.isDown }) { try await heartbeat(at: instant - .seconds(1)) }
    let times = time.withLock { times in
      defer { (times.lookedAt, times.isQuiet, times.isDown) = (instant, true, false) }
      return times
    }
    if times.lookedAt == instant, times.isQuiet { return }
    try await operations.beat(as: Self.instance)
    for isWell in [await silence.look(), await watch.look()] where !isWell {
      failures.add("a look failed")
    }
    try await deliver()
  }

  /// The service is down until the next look.
  func stop() async throws {
    try await look(at: clock.now)
    try await heartbeat(at: clock.now)
    time.withLock { $0.isDown = true }
  }

  /// All that is folded later in other than a shift's own coverage.
  func rollUp() async throws {
    try await operations.rollUpPings()
    try await operations.computeMissingDurations()
    try await operations.storeDetections()
  }

  /// After something else than a request by `answer` may have brought a message forward.
  func deliverWhatIsDue() async throws {
    time.withLock { $0.isQuiet = false }
    if outbox.take() { try await deliver() }
  }

  /// Delivers until nothing is due.
  private func deliver() async throws {
    for _ in 0..<100 {
      let due = try await operations.dueNotifications(from: nil, limit: 100).employees
      for employee in due { await clerk.work(for: employee) }
      let isFilled = inbox.take()
      if isFilled { try await streams.waitUntilRead() }
      if due.isEmpty, !isFilled, !outbox.take() { return }
    }
    failures.add("messages without end at \(clock.now.rfc3339)")
  }

  /// What the heartbeats of the seconds that are left out would have said.
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

  /// Grows with everything that is written of employees.
  private func writes() async throws -> Int64 {
    try await pool.read { (session) throws(PostgresError) in
      try session.run(
        """
        SELECT (SELECT count(*) FROM incident) + (SELECT count(*) FROM incident WHERE closed_at
          IS NOT NULL) + (SELECT count(*) FROM delivery_attempt)
          + (SELECT count(*) FROM notification_history) + (SELECT count(*) FROM notification)
          + (SELECT count(*) FROM inbox) + (SELECT count(*) FROM shift WHERE ended_at IS NOT NULL)
        """
      ).value(0, 0)
    }
  }
}
