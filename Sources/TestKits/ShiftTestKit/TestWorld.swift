import DeviceOperations
import InstallationOperations
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain

/// The use cases on a database of its own. Every suite adds what only it needs.
package protocol TestWorld: Sendable {
  var operations: TestOperations { get }
}

extension TestWorld {
  package var pool: Pool { operations.core.pool }

  /// The server's current time.
  package var now: Instant { operations.core.now() }

  /// A receipt of this moment.
  package var receipt: Receipt { operations.receipt }

  /// One value of one row.
  package func count(_ sql: SQL) async throws -> Int64 { try await pool.value(sql) }

  /// Runs statements in one transaction.
  package func write(_ statements: [SQL]) async throws { try await pool.write(statements) }

  /// Runs a statement.
  package func write(_ statement: SQL) async throws { try await pool.write([statement]) }

  /// Stores a shift of an employee's first phone, as if it had been clocked.
  package func plantShift(
    of employee: EmployeeID = EmployeeID(7), number: Int32, from start: Instant, to end: Instant?
  ) async throws {
    try await write(
      """
      INSERT INTO shift (
        employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms,
        blocking, warning, informing, verdict)
      VALUES (
        \(employee.rawValue), \(number), 1, \(start), \(end), 1, 180000, 0, 0, 0, 0)
      """)
  }

  /// Adds a team, and employees 1 to `count` with a phone each.
  package func addTeam(
    of count: Int32, timeZone: String = "UTC", name: (Int32) -> String = { _ in "Ada" },
    on device: NewDevice = NewDevice(platform: .android)
  ) async throws -> (team: TeamID, phones: [TestPhone]) {
    let team = try await operations.manager.people.addTeam(name: "Field", timeZone: timeZone)
    var phones: [TestPhone] = []
    for number in 1...count {
      _ = try await operations.manager.people.addEmployee(
        EmployeeID(number), name: name(number), team: team)
      phones.append(try await .enrolled(in: self, employee: number, device))
    }
    return (team, phones)
  }
}

/// A world whose clock the test moves.
package protocol MovableWorld: TestWorld {
  var clock: MovableClock { get }
}

extension MovableWorld {
  /// Lets time pass.
  package func wait(_ span: TimeSpan) { clock.move(by: span) }

  /// Moves the clock to `span` after the Monday on which tests begin.
  package func move(to span: TimeSpan) { clock.now = MovableClock.monday + span }
}

extension TestOperations: TestWorld {
  package var operations: TestOperations { self }

  package var receipt: Receipt { Receipt(at: core.now(), monotonic: .now) }

  /// - Parameter pool: Connections to a migrated database.
  /// - Parameter clock: The server's clock, which also decides what is due.
  package init(
    pool: Pool, clock: MovableClock, passwords: PasswordWork = PasswordWork(),
    inboxFilled: @escaping @Sendable () -> Void = {},
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.init(
      pool: pool, now: clock.reading, deadlines: clock.reading, passwords: passwords,
      inboxFilled: inboxFilled, outboxFilled: outboxFilled)
  }
}

extension Pool {
  /// One value of one row.
  package func value<Value: PostgresDecodable & Sendable>(_ sql: SQL) async throws -> Value {
    try await read { (session) throws(PostgresError) in try session.run(sql).value(0, 0) }
  }

  /// Runs statements in one transaction.
  package func write(_ statements: [SQL]) async throws {
    try await transaction { (session) throws(PostgresError) in
      _ = try session.pipeline(statements)
    }
  }

  /// Runs a statement.
  package func write(_ statement: SQL) async throws { try await write([statement]) }
}
