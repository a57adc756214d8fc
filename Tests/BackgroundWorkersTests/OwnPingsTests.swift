import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

/// Which rows reading and deleting a shift's pings touches, and that none is missed.
@Suite(
  "A shift's own pings",
  .disabled(if: isOnCitus, "a transaction's statistics are those of the coordinator only")
) struct OwnPingsTests {
  private static let minutes = Int64(50)

  /// Thirty shifts with a fix each minute.
  private func filled(_ world: RollupWorld) async throws {
    for number in Int32(1)...30 {
      let start = RollupWorld.start(of: number)
      let pings = (0..<Self.minutes).map { ping(start + .minutes($0), in: number) }
      try await world.upload(pings, receivedAt: start + .hours(1))
    }
    try await world.write(["ANALYZE ping"])
  }

  /// How many rows of the table `body` reads.
  private func touched(
    _ world: RollupWorld,
    _ body: @escaping @Sendable (inout Session) throws(PostgresError) -> Void
  ) async throws -> Int64 {
    try await world.pool.transaction { (session) throws(PostgresError) in
      try session.execute("SET LOCAL enable_seqscan = off")
      let before: Int64 = try session.run(Self.looks).value(0, 0)
      try body(&session)
      let after: Int64 = try session.run(Self.looks).value(0, 0)
      return after - before
    }
  }

  private static let looks: SQL = """
    SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint FROM pg_stat_xact_user_tables
    WHERE relname ~ '^ping_'
    """

  @Test("are read and deleted without touching those of other shifts")
  func nothingElse() async throws {
    try await RollupWorld.run(30) { world in
      try await filled(world)
      let read = try await touched(world) { (session) throws(PostgresError) in
        #expect(try coveragePings(of: RollupWorld.id(15), on: &session).count == Int(Self.minutes))
      }
      #expect(read == Self.minutes)
      let span = PingSpan(
        shift: RollupWorld.id(15), device: 1,
        recorded: RollupWorld.start(of: 15) + .minutes(47)...RollupWorld.start(of: 15)
          + .minutes(49))
      let rolledUpCoverage = try await touched(world) { (session) throws(PostgresError) in
        #expect(try coveragePings(in: [span], on: &session)[RollupWorld.id(15)]?.count == 3)
      }
      #expect(rolledUpCoverage == 3)
      // The last shift, as at a clock-out: the only other pings read may be ten minutes off.
      let deleted = try await touched(world) { (session) throws(PostgresError) in
        try session.pipeline(
          deletePings(
            of: RollupWorld.id(30), from: RollupWorld.start(of: 30) + .minutes(45), to: nil))
      }
      #expect((5...20).contains(deleted), "\(deleted)")
      #expect(try await world.count("SELECT count(*) FROM ping") == 30 * Self.minutes - 5)
    }
  }

  @Test("are found and deleted even if the phone's clock is wrong by an hour or by decades")
  func wrongClocks() async throws {
    let skews: [TimeSpan] = [
      .zero, .minutes(10), .minutes(-10), .milliseconds(600_001), .milliseconds(-600_001),
      .hours(1), .hours(-24 * 9_000), .hours(24 * 300),
    ]
    try await RollupWorld.run(3) { world in
      let start = RollupWorld.start(of: 2)
      for (index, skew) in skews.enumerated() {
        let at = start + .minutes(Int64(index) * 7)
        try await world.upload([ping(at, in: 2, off: skew)], receivedAt: at + .seconds(1))
      }
      func found() async throws -> Int {
        try await world.pool.read { (session) throws(PostgresError) in
          try coveragePings(of: RollupWorld.id(2), on: &session).count
        }
      }
      #expect(try await found() == skews.count)
      try await world.write(deletePings(of: RollupWorld.id(2), from: start + .minutes(15), to: nil))
      #expect(try await found() == 3)
      #expect(try await world.count("SELECT count(*) FROM ping") == 3)
      try await world.write(deletePings(of: RollupWorld.id(2), from: nil, to: start + .minutes(5)))
      #expect(try await world.count("SELECT count(*) FROM ping") == 2)
    }
  }
}
