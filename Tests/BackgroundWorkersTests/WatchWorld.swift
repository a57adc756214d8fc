import BackgroundOperations
import DeviceOperations
import GuardRules
import Lifecycle
import ManagerOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Telemetry
import TestKit

@testable import BackgroundWorkers

/// 2026-03-02T08:00:00Z: when every test begins.
let morning = Instant(milliseconds: 1_772_438_400_000)

/// Employees with one phone each in a separate database, and a clock that the test moves.
struct WatchWorld: Sendable {
  let operations: TestOperations
  let pool: Pool
  let team: TeamID
  let phones: [DeviceCredential]
  private let clock: Clock

  /// How many employees a watch reads at once, so that a small team needs more than one page.
  static let pageSize = 100

  private final class Clock: Sendable { let instant = Lock(morning) }

  /// Runs `body` with a team of `count` employees, numbered from 1.
  static func run(
    _ count: Int32 = 1, _ body: (WatchWorld) async throws -> Void
  ) async throws {
    try await withDatabase(size: 8) { pool in try await body(try await WatchWorld(count, pool)) }
  }

  init(_ count: Int32, _ pool: Pool) async throws {
    let clock = Clock()
    let now: @Sendable () -> Instant = { clock.instant.withLock { $0 } }
    let operations = TestOperations(pool: pool, now: now, deadlines: now)
    let team = try await operations.manager.addTeam(name: "Field", timeZone: "Europe/Paris")
    var phones: [DeviceCredential] = []
    for number in 1...count {
      let employee = try await operations.manager.addEmployee(
        EmployeeID(number), name: "Ada", team: team)
      let code = try await operations.manager.createEnrolmentCode(
        for: employee, validFor: .hours(1))
      let enrolment = try await operations.device.enrol(
        code: code.code, NewDevice(platform: .android),
        receipt: Receipt(at: morning, monotonic: .now))
      guard let phone = DeviceCredential(token: enrolment.token) else { throw NoToken() }
      phones.append(phone)
    }
    (self.operations, self.pool, self.team, self.phones) = (operations, pool, team, phones)
    self.clock = clock
  }

  var now: Instant { clock.instant.withLock { $0 } }

  /// Moves the clock to `span` after the morning.
  func move(to span: TimeSpan) { clock.instant.withLock { $0 = morning + span } }

  /// Every phone clocks in at this moment, or offline at an earlier one.
  func clockIn(at earlier: Instant? = nil) async throws {
    for phone in phones {
      let state = PermissionState(authorization: .always, accuracy: .full, services: .on)
      let clockAction = ClockAction(
        actionID: "in", bodyHash: Array(repeating: 1, count: 32), occurredAt: earlier, sentAt: now,
        report: IncomingReport(state: state))
      _ = try await operations.device.clockIn(
        clockAction, from: phone, receipt: Receipt(at: now, monotonic: .now))
    }
  }

  /// Writes a heartbeat of an instance at this moment; the silence watch decides by heartbeats.
  func beat(as instance: Int64 = 1) async throws {
    try await operations.background.beat(as: instance)
  }

  /// Moves the clock, with regular heartbeats, until the silence watch can decide about the moment
  /// `span` after the morning.
  func live(to span: TimeSpan) async throws {
    let end = morning + span + .seconds(1)
    while now < end {
      clock.instant.withLock { $0 = min(end, $0 + .seconds(5)) }
      try await beat()
    }
  }

  /// A phone sends a ping of this moment: a fix, or a sign of life.
  func ping(_ phone: Int = 0, hasFix: Bool = true, isStationary: Bool = false) async throws {
    let place = Coordinate(latitude: 45.3, longitude: 13.7)
    let fix = hasFix ? place.map { Fix(coordinate: $0, accuracyMeters: 10) } : nil
    _ = try await operations.device.ping(
      [IncomingPing(recordedAt: now, fix: fix, isStationary: isStationary)], sentAt: now,
      from: phones[phone], receipt: Receipt(at: now, monotonic: .now))
  }

  /// A phone reports its permission.
  func report(_ authorization: Authorization) async throws {
    let state = PermissionState(authorization: authorization, accuracy: .full, services: .on)
    _ = try await operations.device.report(
      IncomingReport(state: state), sentAt: now, from: phones[0],
      receipt: Receipt(at: now, monotonic: .now))
  }

  /// The incidents, oldest first: employee, kind, evidence, the seconds after the morning at which
  /// it opened and closed, and why it closed.
  func incidents() async throws -> [String] {
    try await operations.manager.incidents(of: nil, openOnly: false, limit: 1_000).map { row in
      let end = row.closedAt.map { "\(($0 - morning).milliseconds / 1_000)" } ?? ""
      return """
        \(row.shift.employee.rawValue) \(row.kind.code) \(row.evidence.code) \
        \((row.openedAt - morning).milliseconds / 1_000)...\(end)\
        \(row.closing.map { " \($0.code)" } ?? "")
        """
    }.reversed()
  }

  /// Employee 1 begins a break at this moment.
  func beginBreak() async throws {
    let at = now
    _ = try await pool.transaction { (session) throws(PostgresError) in
      guard let record = try gather(EmployeeID(1), on: &session) else { return }
      let step = GuardRules.step(
        record.state, .breakStart(at: at), policy: record.policy, now: at)
      try session.execute(updateGuardState(step.state, after: record))
      try session.pipeline(
        insertBreak(1, of: ShiftID(employee: EmployeeID(1), number: 1), from: at, receivedAt: at))
    }
  }

  /// The notifications in the outbox: employee, topic and subject, by employee.
  func outbox() async throws -> [String] {
    try await operations.manager.notifications(of: nil, limit: 1_000)
      .map { row in
        let notification = row.notification
        return "\(row.employee.rawValue) \(notification.topic.code) "
          + "\(notification.subject).\(notification.ordinal)"
      }.sorted()
  }

  /// A watch over the silence of this team that reports to `polls`.
  func silenceWatch(_ polls: RecordedPolls = RecordedPolls()) -> SilenceWatch {
    var watch = SilenceWatch(
      operations: operations.background, interval: .milliseconds(5), monitor: polls.monitor)
    watch.rounds.pageSize = Self.pageSize
    return watch
  }

  /// A watch over this team that reports to `polls`.
  func watch(_ polls: RecordedPolls = RecordedPolls(), interval: Duration = .milliseconds(5))
    -> TimeWatch
  {
    var watch = TimeWatch(
      operations: operations.background, interval: interval, monitor: polls.monitor)
    watch.rounds.pageSize = Self.pageSize
    return watch
  }

  func count(_ sql: SQL) async throws -> Int64 {
    try await pool.read { (session) throws(PostgresError) in try session.run(sql).value(0, 0) }
  }
}

private struct NoToken: Error {}

extension RecordedPolls {
  /// How long the work of a watch had been due, in seconds.
  func lags(_ worker: String) -> Histogram.Counts {
    metrics.histogram("shiftguard_\(worker)_lag_seconds", "", bounds: workLags).counts
  }
}
