import GuardRules
import IngestPipeline
import Postgres
import ShiftDomain
import ShiftOperations
import Synchronization
import TestKit

/// 2026-03-02T08:00:00Z, a Monday: when every test begins.
let morning = Instant(milliseconds: 1_772_438_400_000)

/// A small company in a database of its own, with a clock that the test moves.
struct Company: Sendable {
  /// An administrator's eyes.
  var viewer: Viewer { Viewer(officer: Officer(name: "Mira"), role: .administrator) }

  let operations: Operations
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
    operations = Operations(
      pool: pool, pings: PingPipeline(pool: pool, writers: pingWriters), now: { clock.now },
      outboxFilled: outboxFilled)
  }

  /// Another instance of the service on the same database, which remembers nothing of this one.
  func another(pingWriters: Int = 2) -> Company {
    Company(pool: pool, clock: clock, pingWriters: pingWriters)
  }

  /// The same company, where `outboxFilled` hears of what is due at once.
  func hearing(_ outboxFilled: @escaping @Sendable () -> Void) -> Company {
    Company(pool: pool, clock: clock, outboxFilled: outboxFilled)
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
func withCompany(
  _ preset: Preset = .standard, _ body: (Company) async throws -> Void
) async throws {
  try await withDatabase(size: 6) { pool in
    let company = Company(pool: pool)
    let team = try await company.operations.addTeam(
      name: "Field", timeZone: "Europe/Warsaw", preset: preset)
    _ = try await company.operations.addEmployee(EmployeeID(7), name: "Ada", team: team)
    try await body(company)
  }
}

/// A phone that speaks to the operations as one would over HTTP.
struct Phone: Sendable {
  let company: Company
  let credential: DeviceCredential

  /// Enrols a phone of `employee`.
  static func enrolled(
    in company: Company, employee: Int32 = 7, _ device: NewDevice = NewDevice(platform: .android)
  ) async throws -> Phone {
    let code = try await company.operations.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(24))
    let enrolment = try await company.operations.enrol(
      code: code.code, device, receipt: company.receipt)
    guard let credential = DeviceCredential(token: enrolment.token) else {
      throw Unexpected("the token cannot be read")
    }
    return Phone(company: company, credential: credential)
  }

  @discardableResult
  func report(
    _ authorization: Authorization, services: Switch = .on, accuracy: LocationAccuracy = .full,
    sequence: Int64? = nil, recordedAt: Instant? = nil, sentAt: Instant? = nil
  ) async throws -> ReportOutcome {
    try await company.operations.report(
      IncomingReport(
        state: PermissionState(
          authorization: authorization, accuracy: accuracy, services: services),
        recordedAt: recordedAt, sequence: sequence),
      sentAt: sentAt, from: credential, receipt: company.receipt)
  }

  func clockIn(_ id: String, _ edit: (inout Tap) -> Void = { _ in }) async throws -> ClockInOutcome
  {
    var tap = Tap(attemptID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&tap)
    return try await company.operations.clockIn(
      tap, from: credential, receipt: company.receipt
    ).0
  }

  func clockOut(_ id: String, _ edit: (inout Tap) -> Void = { _ in }) async throws
    -> WorkOutcome
  {
    var tap = Tap(attemptID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&tap)
    return try await company.operations.clockOut(
      tap, from: credential, receipt: company.receipt
    ).0
  }

  func ping(_ pings: [IncomingPing], sentAt: Instant? = nil) async throws -> [PingResult] {
    try await company.operations.ping(
      pings, sentAt: sentAt, from: credential, receipt: company.receipt
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
