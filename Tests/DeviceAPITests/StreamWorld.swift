import DeviceAPI
import HTTPAPI
import HTTPServing
import Lifecycle
import LiveEvents
import NotificationQueue
import Postgres
import ShiftDomain
import ShiftOperations
import TestKit
import Testing

/// Employees with a phone each, in a database of their own, and servers on it.
struct StreamWorld: Sendable {
  let database: TestDatabase
  let pool: Pool
  let operations: Operations
  let team: TeamID

  static func run(_ body: (StreamWorld) async throws -> Void) async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 4, waitersMax: 1_000)
      do {
        let operations = Operations(pool: pool, now: wallClock)
        let team = try await operations.addTeam(name: "North", timeZone: "UTC")
        try await body(
          StreamWorld(database: database, pool: pool, operations: operations, team: team))
        await pool.close()
      } catch {
        await pool.close()
        throw error
      }
    }
  }

  /// The token of a freshly enrolled phone.
  func token(of employee: Int32, speaking language: String? = nil) async throws -> String {
    let id = EmployeeID(employee)
    if try await !operations.employees(team: team).contains(where: { $0.employee == id }) {
      _ = try await operations.addEmployee(id, name: "Anna", team: team)
    }
    let code = try await operations.createEnrolmentCode(for: id, validFor: .hours(1))
    return try await operations.enrol(
      code: code.code,
      NewDevice(platform: .ios, osVersion: "17.5", language: language.flatMap { .init(code: $0) }),
      receipt: Receipt(at: wallClock(), monotonic: .now)
    ).token
  }

  /// Puts a message into the inbox, as a worker would.
  func notify(_ employee: Int32, _ subject: Int32, kind: IncidentKind = .denied) async throws {
    let notification = ShiftNotification(
      .incident, subject: subject, kind: kind, dueAt: wallClock(), isUrgent: true)
    try await pool.transaction { (session) throws(PostgresError) in
      try session.execute(deliver(notification, to: EmployeeID(employee), at: wallClock()))
    }
  }

  /// The numbers of the messages that no app has got.
  func unwritten() async throws -> [Int32] {
    try await pool.read { (session) throws(PostgresError) in
      try session.run(
        """
        SELECT coalesce(array_agg(notification_no ORDER BY notification_no), '{}')
        FROM inbox WHERE written_at IS NULL
        """
      ).value(0, 0)
    }
  }

  /// How many phones count as connected.
  func connected() async throws -> Int64 {
    try await pool.read { (session) throws(PostgresError) in
      try session.run("SELECT count(*) FROM live_stream WHERE open_until > now()").value(0, 0)
    }
  }

  /// Runs an instance while `body` does.
  func serving(
    _ edit: (inout NotificationStreams.Pace) -> Void = { _ in }, notifier: Bool = false,
    observer: NotificationStreams.Observer = .init(), _ body: (Instance) async throws -> Void
  ) async throws {
    let instance = try Instance(on: self, edit, notifier: notifier, observer)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for service in instance.services { group.addTask { try await service.run() } }
        try await body(instance)
        group.cancelAll()
        try await group.waitForAll()
      }
    } catch {
      await instance.pool.close()
      throw error
    }
    await instance.pool.close()
  }
}

/// One instance of the service: the device's routes behind a server, and the streams.
struct Instance: Sendable {
  let streams: NotificationStreams
  let server: HTTPServer
  let pool: Pool
  let notifier: PostgresNotifier?
  /// A look at the database has ended.
  let looks: Looks
  /// How long after its evidence each message was handed over.
  let communicated: Spans
  /// Its own use cases: reports come in by them, and messages go out.
  let operations: Operations

  init(
    on world: StreamWorld, _ edit: (inout NotificationStreams.Pace) -> Void,
    notifier wantsNotifier: Bool,
    _ observer: NotificationStreams.Observer
  ) throws {
    var pace = NotificationStreams.Pace()
    edit(&pace)
    let (looks, communicated, wakeSignal) = (Looks(), Spans(), WakeSignal())
    (self.looks, self.communicated) = (looks, communicated)
    pool = Pool(world.database.configuration, size: 3, waitersMax: 1_000)
    let notifier =
      wantsNotifier
      ? PostgresNotifier(world.database.configuration, wakeSignals: [.inbox: wakeSignal]) : nil
    self.notifier = notifier
    operations = Operations(
      pool: pool, now: wallClock,
      inboxFilled: {
        if let notifier { notifier.notify(.inbox) } else { wakeSignal.signal() }
      })
    streams = NotificationStreams(
      operations: operations, pace: pace, wakeSignal: wakeSignal,
      observer: NotificationStreams.Observer(
        communicated: { communicated.add($0) }, failed: observer.failed, looked: { looks.add() }))
    server = try HTTPServer(
      ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0)),
      router: Router(deviceRoutes(operations, now: wallClock, streams: streams)))
  }

  var services: [any Service] { [streams, server] + (notifier.map { [$0] } ?? []) }

  func open(_ token: String, query: String = "", headers: String = "") -> EventReader {
    EventReader(port: server.boundPort, token: token, query: query, headers: headers)
  }

  /// Waits, look by look, until `condition` holds.
  func until(
    _ what: String, _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<40 {
      let seen = looks.count
      if try await condition() { return }
      streams.wakeSignal.signal()
      await looks.wait(beyond: seen)
    }
    Issue.record("never: \(what)", sourceLocation: place)
  }
}

/// Spans that were observed.
final class Spans: Sendable {
  private let spans = Lock<[Duration]>([])
  func add(_ span: Duration) { spans.withLock { $0.append(span) } }
  var all: [Duration] { spans.withLock { $0 } }
}

/// The machine's clock.
func wallClock() -> Instant { Instant(milliseconds: WallClock.milliseconds()) }
