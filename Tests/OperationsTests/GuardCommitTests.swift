import Dispatch
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@Suite("A step that was decided on an old state") struct GuardCommitTests {
  // R: W2
  @Test("writes nothing, though nothing had to wait and no constraint refused it")
  func lost() async throws {
    try await withWorld { world in
      let old = try await guardCommit(in: world)
      try await world.write("UPDATE guard_state SET version = version + 1")
      #expect(await failure(of: old, "INSERT INTO probe VALUES (1)", in: world) == .lost)
      #expect(try await world.count("SELECT count(*) FROM probe") == 0)
    }
  }

  @Test("is lost, whatever constraint its effects would violate; a current one says which")
  func violating() async throws {
    try await withWorld { world in
      let twice: SQL = "INSERT INTO probe VALUES (1), (1)"
      let old = try await guardCommit(in: world)
      #expect(await failure(of: old, twice, in: world) == .constraint(name: "probe_pkey"))
      try await world.write("UPDATE guard_state SET version = version + 1")
      #expect(await failure(of: old, twice, in: world) == .lost)
    }
  }

  @Test("does not wait for uploads when it ends a shift, and so holds none up")
  func uploads() async throws {
    try await withPhoneOnShift { world, _ in
      world.wait(.minutes(1))
      let old = try await guardCommit(.clockOut(at: world.now), in: world)
      try await world.write("UPDATE guard_state SET version = version + 1")
      let over = DispatchSemaphore(value: 0)
      let (held, hold) = AsyncStream<Never>.makeStream()
      async let uploading: Void = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        try session.execute(
          "SELECT pg_advisory_xact_lock_shared(\(0x5347 as Int32), \(7 as Int32))")
        hold.finish()
        over.wait()  // on the connection's own thread
      }
      for await _ in held {}
      #expect(await failure(of: old, nil, in: world) == .lost)
      over.signal()
      try await uploading
    }
  }

  private func guardCommit(_ event: GuardEvent = .time, in world: OperationsWorld) async throws
    -> GuardCommit
  {
    try await world.write("CREATE TABLE probe (key int PRIMARY KEY)")
    let employee = try #require(
      try await world.pool.read { (session) throws(PostgresError) in
        try gather(EmployeeID(7), on: &session)
      })
    return GuardCommit(
      before: employee,
      step: step(employee.state, event, policy: employee.policy, now: world.now), now: world.now)
  }

  /// Why `guardCommit` could not write `statement`, or its own statements; `nil` if it could.
  private func failure(of guardCommit: GuardCommit, _ statement: SQL?, in world: OperationsWorld)
    async -> PostgresError?
  {
    do throws(PostgresError) {
      try await world.pool.transaction { (session) throws(PostgresError) in
        var nothing = NoReading()
        try guardCommit.act(
          statement.map { [$0] } ?? guardCommit.statements, &nothing, on: &session)
      }
      return nil
    } catch {
      return error
    }
  }
}

private struct NoReading: Reading {
  let statements: [SQL] = []
  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {}
}
