import DeviceAPI
import DeviceOperations
import HTTPAPI
import HTTPServing
import Lifecycle
import LiveEvents
import NotificationQueue
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Telemetry
import TestKit
import Testing

/// Employees with a phone each, in a database of their own, and servers that use it.
struct StreamWorld: TestWorld {
  let database: TestDatabase
  let operations: TestOperations
  let team: TeamID

  static func run(_ body: (StreamWorld) async throws -> Void) async throws {
    try await withTestDatabase { database in
      try await withPool(database.configuration) { pool in
        let operations = TestOperations(pool: pool, now: wallClock)
        let team = try await operations.people.addTeam(name: "North", timeZone: "UTC")
        try await body(
          StreamWorld(database: database, operations: operations, team: team))
      }
    }
  }

  /// A freshly enrolled phone.
  func phone(of employee: Int32, speaking language: String? = nil) async throws -> TestPhone {
    let id = EmployeeID(employee)
    if try await !operations.people.employees(team: team).contains(where: { $0.employee == id }) {
      _ = try await operations.people.addEmployee(id, name: "Anna", team: team)
    }
    return try await TestPhone.enrolled(
      in: self, employee: employee,
      NewDevice(platform: .ios, osVersion: "17.5", language: language.flatMap { .init(code: $0) }))
  }

  /// Its token.
  func token(of employee: Int32, speaking language: String? = nil) async throws -> String {
    try await phone(of: employee, speaking: language).token
  }

  /// Puts a notification into the inbox, as a worker would.
  func notify(_ employee: Int32, _ subject: Int32, kind: IncidentKind = .denied) async throws {
    let notification = ShiftNotification(
      .incident, subject: subject, kind: kind, dueAt: wallClock(), isUrgent: true)
    try await pool.write(deliver(notification, to: EmployeeID(employee), at: wallClock()))
  }

  /// The numbers of the notifications that no app has received.
  func unwritten() async throws -> [Int32] {
    try await pool.value(
      """
      SELECT coalesce(array_agg(notification_no ORDER BY notification_no), '{}')
      FROM inbox WHERE written_at IS NULL
      """)
  }

  /// The number of phones that count as connected.
  func connected() async throws -> Int64 {
    try await count("SELECT count(*) FROM live_stream WHERE open_until > now()")
  }

  /// Runs an instance for as long as `body` runs.
  func serving(
    _ edit: (inout NotificationStreams.Pace) -> Void = { _ in }, notifier: Bool = false,
    _ body: (Instance) async throws -> Void
  ) async throws {
    let instance = try Instance(on: self, edit, notifier: notifier)
    do {
      try await running(instance.services) { try await body(instance) }
    } catch {
      await instance.pool.close()
      throw error
    }
    await instance.pool.close()
  }
}

/// One instance of the service: the device routes behind a server, and the streams.
struct Instance: Sendable {
  let streams: NotificationStreams
  let server: HTTPServer
  let pool: Pool
  let notifier: PostgresNotifier?
  /// Counts the finished polls of the database.
  let looks: Looks
  let metrics: Metrics
  /// Its own use cases, for incoming reports and outgoing notifications.
  let operations: TestOperations

  init(
    on world: StreamWorld, _ edit: (inout NotificationStreams.Pace) -> Void,
    notifier wantsNotifier: Bool
  ) throws {
    var pace = NotificationStreams.Pace()
    pace.lease = .minutes(10)
    edit(&pace)
    let (polls, wakeSignal) = (RecordedPolls(), WakeSignal())
    (looks, metrics) = (polls.ended, polls.metrics)
    pool = Pool(world.database.configuration, size: 3, waitersMax: 1_000)
    let notifier =
      wantsNotifier
      ? PostgresNotifier(
        world.database.configuration, listening: world.database.listening,
        wakeSignals: [.inbox: wakeSignal], monitor: .unread) : nil
    self.notifier = notifier
    operations = TestOperations(
      pool: pool, now: wallClock,
      inboxFilled: {
        if let notifier { notifier.notify(.inbox) } else { wakeSignal.signal() }
      })
    streams = NotificationStreams(
      operations: operations.device, pace: pace, wakeSignal: wakeSignal,
      monitor: polls.monitor)
    server = try HTTPServer(
      .patient,
      router: Router(
        deviceRoutes(operations.device, now: wallClock, streams: streams).map(\.route)))
  }

  var services: [any Service] { [streams, server] + (notifier.map { [$0] } ?? []) }

  func open(_ token: String, query: String = "", headers: String = "") -> EventReader {
    EventReader(port: server.boundPort, token: token, query: query, headers: headers)
  }

  /// Waits, poll by poll, until `condition` holds.
  func until(
    _ what: String, _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let end = ContinuousClock.now + TestDatabase.patience
    while ContinuousClock.now < end {
      let seen = looks.count
      if try await condition() { return }
      streams.wakeSignal.signal()
      await looks.wait(beyond: seen)
    }
    Issue.record("never: \(what)", sourceLocation: place)
  }
}
