import DeviceOperations
import Foundation
import GuardRules
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

/// A server of its own that commits, and whose answer to COMMIT never comes.
@Suite("When the answer to COMMIT is lost") struct LostAnswerTests {
  // R: W2, W8
  @Test("every request is answered as if it had come, and nothing is done twice")
  func lost() async throws {
    try await withLosingWorld { world, pool in
      let code = try await world.operations.people.createEnrolmentCode(
        for: EmployeeID(7), validFor: .hours(1))
      let enrolment = try await losing(pool) {
        try await world.operations.device.enrol(
          code: code.code, NewDevice(platform: .android), receipt: world.receipt)
      }
      #expect(enrolment.device.number == 1)
      let phone = try TestPhone(token: enrolment.token, in: world)
      try await losing(pool) { try await phone.report(.always) }
      guard case .clockedIn = try await losing(pool, { try await phone.clockIn("in") }) else {
        throw Unexpected("refused with always")
      }
      let pinged = try await losing(pool) { try await phone.ping([fix(at: world.now)]) }
      #expect(pinged == [.duplicate])
      world.wait(.minutes(1))
      let denied = try await losing(pool) { try await phone.report(.denied, sequence: 9) }
      #expect(denied.snapshot.incidents.map(\.kind) == [.denied])
      guard case .done = try await losing(pool, { try await phone.clockOut("out") }) else {
        throw Unexpected("not clocked out")
      }
      let strict = try await losing(pool) {
        try await world.operations.policies.setPolicy(of: TeamID(1), PolicyChanges(preset: .strict))
      }
      #expect(try strict.get().row.version == 2)
      for table in ["device", "shift", "ping", "incident"] {
        #expect(try await world.count(SQL(unescaped: "SELECT count(*) FROM \(table)")) == 1)
      }
      #expect(try await world.count("SELECT count(*) FROM clock_action") == 2)
    }
  }

  // R: W2
  @Test("and the database is gone, no answer says that nothing was done")
  func lostAndGone() async throws {
    try await withCluster { cluster in
      try await prepared(cluster) { world, pool in
        let phone = try await Phone.enrolled(in: world)
        try await phone.report(.always)
        try await holdCommits(pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            await #expect(throws: OperationError.outcomeUnknown) {
              _ = try await phone.clockIn("in")
            }
          }
          _ = try await committing(pool)
          try await cluster.stop()
          try await group.waitForAll()
        }
      }
    }
  }

  /// Runs `body`, whose first COMMIT is done and never answered.
  @discardableResult
  private func losing<Answer: Sendable>(
    _ pool: Pool, _ body: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await holdCommits(pool)
    async let answer = body()
    let process = try await committing(pool)
    _ = try await pool.read { (session) throws(PostgresError) in
      try session.execute("SELECT pg_terminate_backend(\(process))")
    }
    try await releaseCommits(pool)
    return try await answer
  }

  /// From now on every COMMIT is done and then waits for a standby that does not exist.
  private func holdCommits(_ pool: Pool) async throws {
    try await set(pool, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
  }

  private func releaseCommits(_ pool: Pool) async throws {
    try await set(pool, "ALTER SYSTEM RESET synchronous_standby_names")
  }

  private func set(_ pool: Pool, _ statement: String) async throws {
    try await pool.autocommit(TestDatabase.patience) { (session) throws(PostgresError) in
      try session.script(statement)
      // The server tells one process after the other of new settings: when we hear of the second
      // time, all have been told of the first.
      for _ in 0..<2 {
        let former = try loadTime(on: &session)
        try session.execute("SELECT pg_reload_conf()")
        while try loadTime(on: &session) == former {}
      }
    }
    // Whether a COMMIT waits is told to all by the checkpointer, which takes up new settings before
    // it does what it is asked.
    for _ in 0..<2 {
      try await pool.read(TestDatabase.patience) { (session) throws(PostgresError) in
        try session.script("CHECKPOINT")
      }
    }
  }

  /// When the session took up settings last.
  private func loadTime(on session: inout Session) throws(PostgresError) -> String {
    try session.run("SELECT pg_conf_load_time()::text").value(0, 0)
  }

  /// The process that waits with its COMMIT.
  private func committing(_ pool: Pool) async throws -> Int32 {
    let deadline = ContinuousClock.now + TestDatabase.patience
    while ContinuousClock.now < deadline {
      let found = try await pool.read { (session) throws(PostgresError) -> Int32? in
        let rows = try session.run(
          "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1")
        return rows.count == 0 ? nil : try rows.value(0, 0)
      }
      if let found { return found }
    }
    throw Unexpected("no COMMIT waits")
  }

  private func withLosingWorld(
    _ body: (OperationsWorld, Pool) async throws -> Void
  ) async throws {
    try await withCluster { cluster in try await prepared(cluster, body) }
  }

  /// `body` with a company on the cluster, and a pool for looking on.
  private func prepared(
    _ cluster: TestCluster, _ body: (OperationsWorld, Pool) async throws -> Void
  ) async throws {
    try await withPool(cluster.configuration, size: 3) { pool in
      _ = try await Migrator(directory: migrationsFolder).migrate(on: pool)
      let world = OperationsWorld(pool: pool)
      let team = try await world.operations.people.addTeam(
        name: "Field", timeZone: "UTC", preset: .standard)
      _ = try await world.operations.people.addEmployee(EmployeeID(7), name: "Ada", team: team)
      try await withPool(cluster.configuration, size: 3) { try await body(world, $0) }
    }
  }
}
