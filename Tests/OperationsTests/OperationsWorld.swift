import DeviceOperations
import IngestPipeline
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit

typealias Phone = TestPhone

/// When every test begins.
let morning = MovableClock.monday

/// A small company in a database of its own, with a clock that the test moves.
struct OperationsWorld: MovableWorld {
  /// An administrator's eyes.
  var principal: Principal { Principal(actor: AuditActor(name: "Mira"), role: .administrator) }

  let operations: TestOperations
  let clock: MovableClock

  init(
    pool: Pool, clock: MovableClock = MovableClock(), pingWriters: Int = 2,
    reportsTogetherWithin: Duration = TestDatabase.patience,
    deadlines: (@Sendable () -> Instant)? = nil,
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.clock = clock
    operations = TestOperations(
      pool: pool, pings: PingPipeline(pool: pool, writers: pingWriters),
      now: clock.reading, deadlines: deadlines, reportsTogetherWithin: reportsTogetherWithin,
      outboxFilled: outboxFilled)
  }

  /// With a company whose employee 7 works under `preset`.
  static func company(pool: Pool, _ preset: Preset = .standard) async throws -> OperationsWorld {
    let world = OperationsWorld(pool: pool)
    let team = try await world.operations.people.addTeam(
      name: "Field", timeZone: "Europe/Warsaw", preset: preset)
    _ = try await world.operations.people.addEmployee(EmployeeID(7), name: "Ada", team: team)
    return world
  }

  /// Another instance of the service on the same database, which remembers nothing of this one.
  func another(pingWriters: Int = 2) -> OperationsWorld {
    OperationsWorld(pool: pool, clock: clock, pingWriters: pingWriters)
  }

  /// How many silences are detected now.
  func silences() async throws -> Int {
    let watching = TestOperations(
      pool: pool, now: clock.reading, deadlines: clock.reading, lastSeen: operations.lastSeen)
    try await watching.background.beat(as: 1)
    let due = try await watching.background.silent(limit: 10)
    return try await watching.background.processSilence(of: due.map(\.employee)).count
  }

  /// The same company, where `outboxFilled` hears of what is due at once.
  func notifying(_ outboxFilled: @escaping @Sendable () -> Void) -> OperationsWorld {
    OperationsWorld(pool: pool, clock: clock, outboxFilled: outboxFilled)
  }
}

/// Runs `body` with a company whose employee 7 works under `preset`.
func withWorld(
  _ preset: Preset = .standard, _ body: (OperationsWorld) async throws -> Void
) async throws {
  try await withDatabase(size: 6) { pool in
    try await body(try await .company(pool: pool, preset))
  }
}

/// Runs `body` with such a company, and a phone of employee 7.
func withPhone(
  _ preset: Preset = .standard, _ body: (OperationsWorld, Phone) async throws -> Void
) async throws {
  try await withWorld(preset) { world in
    try await body(world, try await .enrolled(in: world))
  }
}

/// Runs `body` with such a company, and a phone of employee 7 that has begun a shift.
/// - Parameter sequence: The number of its report.
func withPhoneOnShift(
  sequence: Int64? = nil, _ body: (OperationsWorld, Phone) async throws -> Void
) async throws {
  try await withPhone { world, phone in
    try await phone.beginShift(sequence: sequence)
    try await body(world, phone)
  }
}

extension TestPhone {
  /// Clocks in with always and answers the shift.
  @discardableResult
  func beginShift(_ id: String = "in", sequence: Int64? = nil) async throws -> ShiftID {
    try await report(.always, sequence: sequence)
    guard case .clockedIn(let shift, _) = try await clockIn(id) else {
      throw Unexpected("refused with always")
    }
    return shift
  }
}

extension ClockAction {
  /// The tap as made at `instant`, offline, and sent now.
  mutating func happened(at instant: Instant, sentAt: Instant) {
    occurredAt = instant
    self.sentAt = sentAt
  }
}

/// A fix in Istria, recorded at `instant`.
func fix(at instant: Instant, accuracyMeters: Double? = 10) -> IncomingPing {
  .fix(at: instant, accuracyMeters: accuracyMeters)
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
