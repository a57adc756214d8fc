import DeviceOperations
import GuardRules
import Lifecycle
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit

@testable import InsightOperations
@testable import ShiftStore

/// An employee with two phones and many shifts, an hour each, every two hours. They are written to
/// the database directly: these tests cover stored data, not how phones send it.
struct RollupWorld: MovableWorld {
  let operations: TestOperations
  let clock = MovableClock()

  static let employee = EmployeeID(7)

  /// Runs `body` with an employee who has `count` ended shifts.
  static func run(_ count: Int32, _ body: (RollupWorld) async throws -> Void) async throws {
    try await withDatabase(size: 6) { pool in try await body(try await RollupWorld(count, pool)) }
  }

  private init(_ count: Int32, _ pool: Pool) async throws {
    operations = TestOperations(pool: pool, now: clock.reading)
    let team = try await operations.people.addTeam(name: "Field", timeZone: "UTC")
    _ = try await operations.people.addEmployee(Self.employee, name: "Ada", team: team)
    for _ in 1...2 { _ = try await TestPhone.enrolled(in: operations) }
    try await write(
      """
      INSERT INTO shift (
        employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms,
        blocking, warning, informing, verdict)
      SELECT 7, number, 1, \(morning) + (number - 1) * interval '2 h',
        \(morning) + (number - 1) * interval '2 h' + interval '1 h', 1, 180000, 0, 0, 0, 0
      FROM generate_series(1, \(count)) AS number
      """)
    clock.now = Self.start(of: count) + .hours(2)
  }

  static func id(_ number: Int32) -> ShiftID { ShiftID(employee: employee, number: number) }

  static func start(of number: Int32) -> Instant { morning + .hours(2 * Int64(number - 1)) }

  /// The same database, used by a newly started process.
  func restarted() -> TestOperations {
    TestOperations(pool: pool, now: clock.reading)
  }

  /// Marks a shift for the rollup, like a reader that finds a stored rollup out of date.
  func note(_ number: Int32) { operations.dirtyShifts.note(Self.id(number)) }

  /// The stored durations that a report would use, by shift number.
  func storedDurations() async throws -> [Int32: CoverageDurations] {
    var day = TeamDay(team: TeamID(1), name: "Field", timeZone: "UTC")
    day.span = Interval(from: morning - .hours(1), to: now + .hours(1))
    let period = ReportPeriod(teams: [day], days: 0...0, employee: nil)
    let span = day.span
    return try await pool.read { (session) throws(PostgresError) in
      let outages = try outages(from: span.start, to: span.end, on: &session)
      var durations: [Int32: CoverageDurations] = [:]
      let shifts = try session.run(selectShiftDurations(in: period))
        .map(ShiftDurations.init(from:))
      for shift in shifts where shift.holds(beside: outages) {
        durations[shift.shift.number] = shift.durations?.durations
      }
      return durations
    }
  }

  /// Stores an upload as `Operations.ping` does.
  func upload(
    _ pings: [PingRow], from device: Int16 = 1, receivedAt: Instant, ended: Set<Int32> = []
  ) async throws {
    let rows = pings.map { row in
      PingRow(
        ping: row.ping, device: DeviceID(employee: Self.employee, number: device),
        shift: row.shift, receivedAt: receivedAt)
    }.sorted { $0.key < $1.key }
    let timedReports = try await pool.transaction { (session) throws(PostgresError) in
      let known = try workplaces(of: [Self.employee], since: receivedAt, on: &session)
      let new = try commit(
        rows, under: known.map { EmployeeVersion($0.key, $0.value.version) }, askingFor: [],
        hasEnded: { ended.contains($0.shift) }, on: &session
      ).new
      return rows.filter { new?.contains($0.key) ?? true }
    }
    for (shift, pings) in Dictionary(grouping: timedReports, by: \.shift) {
      let keys = pings.map(\.ping.recordedAt)
      guard let first = keys.min(), let last = keys.max() else { continue }
      operations.dirtyShifts.note(
        PingSpan(shift: Self.id(shift), device: device, recorded: first...last))
    }
  }

  /// Coverage as readers of a day get it: from the rollup, or `nil` if that is out of date.
  func rolledUpCoverage(_ number: Int32) async throws -> ShiftCoverage? {
    let asOf = now
    return try await pool.read { (session) throws(PostgresError) in
      let record = try shiftRecords(of: [Self.id(number)], on: &session)[0]
      let around = try surroundings(of: [Self.id(number)], on: &session)[0]
      return ShiftCoverage(ofRollup: record, around, asOf: asOf)
    }
  }

  /// Coverage from the rows.
  func exact(_ number: Int32) async throws -> ShiftCoverage {
    try await operations.insight.coverage(of: Self.id(number))
  }
}

/// A fix or a sign of life, recorded by a clock that is off by `skew`.
func ping(_ at: Instant, in shift: Int32, off skew: TimeSpan = .zero, isFix: Bool = true)
  -> PingRow
{
  let place = isFix ? Coordinate(latitude: 45.3, longitude: 13.7) : nil
  return PingRow(
    ping: Ping(recordedAt: at + skew, effectiveAt: at, fix: place.map { Fix(coordinate: $0) }),
    device: DeviceID(employee: RollupWorld.employee, number: 1), shift: shift, receivedAt: at)
}
