import BackgroundOperations
import DeviceOperations
import GuardRules
import Guidance
import Lifecycle
import NotificationQueue
import NotificationSending
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit

@testable import NotificationDelivery

/// When every test begins.
let morning = MovableClock.monday

/// Employees with one phone each in a separate database, a clock that the test moves, and
/// transports that record what they are given.
struct DeliveryWorld: MovableWorld {
  let operations: TestOperations
  let clock: MovableClock
  let team: TeamID
  let phones: [TestPhone]
  let post = Post()
  let clerk: DeliveryClerk

  /// Runs `body` with a team in the present: the database's clock decides what is due.
  static func runNow(_ count: Int32 = 1, _ body: (DeliveryWorld) async throws -> Void) async throws
  {
    try await withDatabase(size: 8) { pool in
      let now = try await pool.read { (session) throws(PostgresError) in
        try outboxTime(at: nil, on: &session)
      }
      let world = try await DeliveryWorld(count, .android, pool, at: now, isMoved: false)
      for phone in world.phones { try await world.register(phone.device) }
      try await world.clockIn()
      try await body(world)
    }
  }

  /// Runs `body` with a team of `count` employees, numbered from 1, with push unless `hasPush` is
  /// false, with e-mail addresses, and with one manager contact.
  static func run(
    _ count: Int32 = 1, on platform: Platform = .android, hasPush: Bool = true,
    _ body: (DeliveryWorld) async throws -> Void
  ) async throws {
    try await withDatabase(size: 8) { pool in
      let world = try await DeliveryWorld(count, platform, pool)
      if hasPush { for phone in world.phones { try await world.register(phone.device) } }
      try await body(world)
    }
  }

  init(
    _ count: Int32, _ platform: Platform, _ pool: Pool, at start: Instant = morning,
    isMoved: Bool = true
  ) async throws {
    clock = MovableClock(at: start)
    operations = TestOperations(
      pool: pool, now: clock.reading, deadlines: isMoved ? clock.reading : nil)
    (team, phones) = try await operations.addTeam(
      of: count, timeZone: "Europe/Paris", name: { "Ada \($0)" },
      on: NewDevice(platform: platform))
    clerk = DeliveryClerk(
      operations: operations.background, channels: post.channels, meter: DeliveryMeter(.unread))
    try await write(
      (1...count).map { setEmail("ada\($0)@example.com", of: EmployeeID($0)) }
        + insertContact(
          "mira@example.com", by: .email, language: "en", secret: nil, of: team))
  }

  /// Moves the clock to `span` after the morning, and delivers what is due then.
  func deliver(at span: TimeSpan) async throws {
    move(to: span)
    try await deliver()
  }

  /// Moves the clock on to `span` after the morning while the service keeps running, and checks
  /// employee 1 for silence.
  func watch(until span: TimeSpan) async throws {
    while now < morning + span {
      clock.now = min(morning + span, now + .seconds(5))
      try await operations.background.beat(as: 1)
    }
    try await operations.background.processSilence(of: [EmployeeID(1)])
  }

  /// Delivers until nothing is due.
  func deliver(_ clerk: DeliveryClerk? = nil) async throws {
    for _ in 0..<100 {
      let due = try await operations.background.dueNotifications(from: nil, limit: 100)
      if due.employees.isEmpty { return }
      for employee in due.employees { await (clerk ?? self.clerk).work(for: employee) }
    }
    throw Endless()
  }

  func register(_ device: DeviceID) async throws {
    let target = PushTarget(
      .fcm, address: "token \(device.employee.rawValue)", registeredAt: now)
    try await write([NotificationQueue.register(target, of: device)])
  }

  /// The app of employee 1 is open for a minute.
  func open() async throws {
    try await write([
      holdStream(of: phones[0].device, at: 1, for: .minutes(1), from: now)
    ])
  }

  func clockIn() async throws {
    for phone in phones { try await phone.clockIn("in \(now.milliseconds)", reporting: .always) }
  }

  /// A second phone of employee 1, which gets pushes and asks for `language`.
  func secondPhone(_ language: Language) async throws -> TestPhone {
    let phone = try await TestPhone.enrolled(
      in: self, employee: 1, NewDevice(platform: .ios))
    let target = PushTarget(.apns, address: "token 1.2", registeredAt: now)
    try await write([NotificationQueue.register(target, of: phone.device)])
    _ = try await operations.device.report(
      [.saying(.always)], sentAt: now, language: language, from: phone.credential,
      receipt: receipt)
    return phone
  }

  /// The app of employee 1 opens its stream, shows the notifications, and stays connected.
  func look() async throws -> [String] {
    try await look(after: try await phones[0].openStream()).shown
  }

  /// The notifications on a stream since `position`, each as topic and kind; they count as shown.
  func look(after position: StreamPosition) async throws -> (
    shown: [String], position: StreamPosition
  ) {
    try await deliver()
    let notifications = try await operations.device.news(for: [position]).batches
      .flatMap(\.events).map(\.event)
    try await operations.device.updateStreams(
      [position.stream], lease: .hours(100), ended: [],
      shown: notifications.map { operations.device.shown($0) })
    var next = position
    if let last = notifications.last { next.last = last.number }
    let shown = notifications.map { outgoing in
      outgoing.notification.presentedTopic.code
        + (outgoing.notification.kind.map { " \($0.code)" } ?? "")
    }
    return (shown, next)
  }

  func clockOut() async throws {
    try await phones[0].clockOut("out \(now.milliseconds)")
  }

  func report(
    _ authorization: Authorization, services: Switch = .on, notifications: Switch = .unknown,
    mockLocation: Switch = .unknown, language: Language? = nil, from phone: Int = 0
  ) async throws {
    let state = PermissionState(
      authorization: authorization, accuracy: .full, services: services,
      conditions: DeviceConditions(notifications: notifications, mockLocation: mockLocation))
    _ = try await operations.device.report(
      [IncomingReport(.state(state))], sentAt: now, language: language,
      from: phones[phone].credential, receipt: receipt)
  }

  /// The phones clock in, and the first one reports a lost permission 10 s after the morning. The
  /// notification about it is due at 12 s.
  func lose(_ authorization: Authorization = .denied) async throws {
    try await clockIn()
    move(to: .seconds(10))
    try await report(authorization)
  }

  func history() async throws -> [String] {
    try await pool.read { (session) throws(PostgresError) in
      try notificationHistory(of: nil, deadOnly: false, limit: 100, on: &session)
        .map { "\($0.notification.topic.code) \($0.ending?.code ?? "?")" }
    }.reversed()
  }

  func waiting() async throws -> [NotificationRow] {
    try await pool.read { (session) throws(PostgresError) in
      try waitingNotifications(of: nil, limit: 100, on: &session)
    }
  }

  /// Each attempt: step, number and outcome.
  func attempts(of employee: Int32 = 1) async throws -> [String] {
    try await pool.read { (session) throws(PostgresError) in
      try NotificationQueue.deliveryAttempts(
        of: EmployeeID(employee), since: morning - .hours(24), on: &session
      ).map { "\($0.step.code) \($0.number) \($0.outcome?.code ?? "?")" }
    }
  }
}

extension TestPhone {
  /// The app opens its stream.
  func openStream(in session: String? = nil, lease: TimeSpan = .hours(100)) async throws
    -> StreamPosition
  {
    try await operations.device.openStream(
      for: credential, after: nil, in: session, lease: lease, receipt: receipt)
  }

  /// The employee acknowledges `findings` in the app session "s1".
  func acknowledge(_ findings: FindingSet) async throws {
    _ = try await operations.device.acknowledge(
      findings, in: "s1", from: credential, receipt: receipt)
  }
}

private struct Endless: Error {}

/// Transports that record what they are given, and answer as configured.
final class Post: Sendable {
  struct SentNotification: Hashable, Sendable {
    var outgoing: OutgoingNotification
    var address: Address
  }

  private let sentNotifications = Lock<[SentNotification]>([])
  private let answer = Lock<@Sendable (Address) async -> SendOutcome>({ _ in
    .accepted(reference: "ok")
  })

  private let (stream, continuation) = AsyncStream.makeStream(of: SentNotification.self)

  /// Waits for the next `count` notifications.
  func next(_ count: Int = 1) async -> [SentNotification] {
    var sentNotifications: [SentNotification] = []
    for await sent in stream {
      sentNotifications.append(sent)
      if sentNotifications.count == count { break }
    }
    return sentNotifications
  }

  /// What the transports answer from now on.
  func answers(_ answer: @escaping @Sendable (Address) async -> SendOutcome) {
    self.answer.withLock { $0 = answer }
  }

  var channels: Channels {
    Channels(retryDelay: { _, _, word, _ in word ?? .seconds(40) }) { [self] outgoing, address in
      let sent = SentNotification(outgoing: outgoing, address: address)
      sentNotifications.withLock { $0.append(sent) }
      continuation.yield(sent)
      let answer = answer.withLock { $0 }
      return await answer(address)
    }
  }

  var sent: [SentNotification] { sentNotifications.withLock { $0 } }

  /// What was sent since the last call, each as channel and title.
  func collect() -> [String] {
    sentNotifications.withLock { sentNotifications in
      defer { sentNotifications = [] }
      return sentNotifications.map { "\($0.address.channel.code): \($0.outgoing.title)" }
    }
  }
}

/// Sets or removes an address, which nothing notices.
func setEmail(_ email: String?, of employee: EmployeeID) -> SQL {
  "UPDATE employee SET email = \(email) WHERE employee_id = \(employee.rawValue)"
}
