import DeviceOperations
import GuardRules
import IngestPipeline
import ManagerOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Synchronization
import TestKit

/// 2026-03-02T08:00:00Z, a Monday: when every test begins.
let morning = Instant(milliseconds: 1_772_438_400_000)

/// A small company in a database of its own, with a clock that the test moves.
struct OperationsWorld: Sendable {
  /// An administrator's eyes.
  var principal: Principal { Principal(actor: AuditActor(name: "Mira"), role: .administrator) }

  let operations: TestOperations
  let pool: Pool
  private let clock: Clock

  final class Clock: Sendable {
    private let milliseconds = Atomic<Int64>(morning.milliseconds)
    var now: Instant {
      get { Instant(milliseconds: milliseconds.load(ordering: .sequentiallyConsistent)) }
      set { milliseconds.store(newValue.milliseconds, ordering: .sequentiallyConsistent) }
    }
  }

  init(
    pool: Pool, clock: Clock = Clock(), pingWriters: Int = 2,
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.pool = pool
    self.clock = clock
    operations = TestOperations(
      pool: pool, pings: PingPipeline(pool: pool, writers: pingWriters), now: { clock.now },
      outboxFilled: outboxFilled)
  }

  /// Another instance of the service on the same database, which remembers nothing of this one.
  func another(pingWriters: Int = 2) -> OperationsWorld {
    OperationsWorld(pool: pool, clock: clock, pingWriters: pingWriters)
  }

  /// The same company, where `outboxFilled` hears of what is due at once.
  func notifying(_ outboxFilled: @escaping @Sendable () -> Void) -> OperationsWorld {
    OperationsWorld(pool: pool, clock: clock, outboxFilled: outboxFilled)
  }

  /// The server's present.
  var now: Instant { clock.now }

  /// A receipt of this moment.
  var receipt: Receipt { Receipt(at: clock.now, monotonic: .now) }

  /// Lets time pass.
  func wait(_ span: TimeSpan) { clock.now = clock.now + span }

  /// One value of one row.
  func count(_ sql: SQL) async throws -> Int64 {
    try await pool.read { (session) throws(PostgresError) in try session.run(sql).value(0, 0) }
  }

  /// How many sessions wait for a lock.
  static let waitingForLock: SQL = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
}

/// Runs `body` with a company whose employee 7 works under `preset`.
func withWorld(
  _ preset: Preset = .standard, _ body: (OperationsWorld) async throws -> Void
) async throws {
  try await withDatabase(size: 6) { pool in
    let world = OperationsWorld(pool: pool)
    let team = try await world.operations.manager.addTeam(
      name: "Field", timeZone: "Europe/Warsaw", preset: preset)
    _ = try await world.operations.manager.addEmployee(EmployeeID(7), name: "Ada", team: team)
    try await body(world)
  }
}

/// A phone that speaks to the operations as one would over HTTP.
struct Phone: Sendable {
  let world: OperationsWorld
  let credential: DeviceCredential

  /// Enrols a phone of `employee`.
  static func enrolled(
    in world: OperationsWorld, employee: Int32 = 7,
    _ device: NewDevice = NewDevice(platform: .android)
  ) async throws -> Phone {
    let code = try await world.operations.manager.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(24))
    let enrolment = try await world.operations.device.enrol(
      code: code.code, device, receipt: world.receipt)
    guard let credential = DeviceCredential(token: enrolment.token) else {
      throw Unexpected("the token cannot be read")
    }
    return Phone(world: world, credential: credential)
  }

  @discardableResult
  func report(
    _ authorization: Authorization, services: Switch = .on, accuracy: LocationAccuracy = .full,
    sequence: Int64? = nil, recordedAt: Instant? = nil, sentAt: Instant? = nil
  ) async throws -> ReportOutcome {
    try await world.operations.device.report(
      IncomingReport(
        state: PermissionState(
          authorization: authorization, accuracy: accuracy, services: services),
        recordedAt: recordedAt, sequence: sequence),
      sentAt: sentAt, from: credential, receipt: world.receipt)
  }

  func clockIn(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockInOutcome
  {
    var clockAction = ClockAction(actionID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&clockAction)
    return try await world.operations.device.clockIn(
      clockAction, from: credential, receipt: world.receipt
    ).0
  }

  func clockOut(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockActionOutcome
  {
    var clockAction = ClockAction(actionID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&clockAction)
    return try await world.operations.device.clockOut(
      clockAction, from: credential, receipt: world.receipt
    ).0
  }

  func ping(_ pings: [IncomingPing], sentAt: Instant? = nil) async throws -> [PingResult] {
    try await world.operations.device.ping(
      pings, sentAt: sentAt, from: credential, receipt: world.receipt
    ).results
  }
}

/// A fix in Istria, recorded at `instant`.
func fix(at instant: Instant, accuracyMeters: Double? = 10) -> IncomingPing {
  IncomingPing(
    recordedAt: instant,
    fix: Coordinate(latitude: 45.3, longitude: 13.7).map {
      Fix(coordinate: $0, accuracyMeters: accuracyMeters)
    })
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
