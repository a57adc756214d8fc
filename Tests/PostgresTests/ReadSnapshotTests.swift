import Lifecycle
import Postgres
import TestKit
import Testing

@Suite("A read of several batches") struct ReadSnapshotTests {
  private let count: SQL = "SELECT count(*) FROM fact"

  private func run(_ body: (Pool) async throws -> Void) async throws {
    try await withDatabase(size: 2) { pool in
      try await pool.prepare("CREATE TABLE fact (number bigint); INSERT INTO fact VALUES (1)")
      try await body(pool)
    }
  }

  @Test("sees what its first batch saw, whatever is written meanwhile")
  func oneView() async throws {
    try await run { pool in
      let (hasRead, mayGoOn) = (Gate(), Gate())
      async let counts = pool.readSnapshot(TestDatabase.patience) { session throws(PostgresError) in
        let first: Int64 = try session.run(count).value(0, 0)
        hasRead.open()
        mayGoOn.pass()
        return [first, try session.run(count).value(0, 0)]
      }
      await untilOpen(hasRead)
      try await pool.prepare("INSERT INTO fact VALUES (2)")
      mayGoOn.open()
      #expect(try await counts == [1, 1])
      #expect(try await pool.number(count) == 2)
    }
  }

  @Test("is run again in a snapshot if it was called like one of a single batch")
  func again() async throws {
    try await run { pool in
      let runs = Lock(0)
      let snapshots = try await pool.read { session throws(PostgresError) in
        runs.withLock { $0 += 1 }
        let snapshot: SQL = "SELECT pg_current_snapshot()::text"
        var seen: [String] = []
        for _ in 0..<2 { seen.append(try session.run(snapshot).value(0, 0)) }
        let isolation: String = try session.run("SHOW transaction_isolation").value(0, 0)
        return seen + [isolation]
      }
      #expect(runs.withLock { $0 } == 2)
      #expect(snapshots[0] == snapshots[1] && snapshots[2] == "repeatable read")
      #expect(try await pool.number("SELECT 1::bigint") == 1)
    }
  }

  @Test("is followed by the next one also in a pool in which nobody may wait")
  func withoutWaiting() async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 1, waitersMax: 0)
      for _ in 0..<100 {
        let two = try await pool.readSnapshot { session throws(PostgresError) in
          try [1, 1].map { (number: Int64) throws(PostgresError) -> Int64 in
            try session.run("SELECT \(number)").value(0, 0)
          }
        }
        #expect(two == [1, 1])
      }
      await pool.close()
    }
  }

  @Test("costs a round trip for each batch, and one batch only one")
  func roundTrips() async throws {
    try await run { pool in
      func roundTrips(_ body: () async throws -> Void) async throws -> Int {
        let before = pool.roundTrips
        try await body()
        return pool.roundTrips - before
      }
      let count = self.count
      let one = try await roundTrips {
        _ = try await pool.read { session throws(PostgresError) in try session.execute(count) }
      }
      let batch = try await roundTrips {
        _ = try await pool.read { session throws(PostgresError) in
          try session.pipeline([count, count, count])
        }
      }
      let two = try await roundTrips {
        _ = try await pool.readSnapshot { session throws(PostgresError) in
          try session.execute(count)
          return try session.execute(count)
        }
      }
      #expect([one, batch, two] == [1, 1, 2])
    }
  }

  @Test("ends with its last batch, after which no statement comes")
  func lastBatch() async throws {
    try await run { pool in
      let open: SQL = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'
        """
      let (hasRead, mayGoOn) = (Gate(), Gate())
      async let outcome = failure { () throws(PostgresError) in
        try await pool.readSnapshot(TestDatabase.patience) { session throws(PostgresError) in
          try session.execute(count)
          session.endSnapshotWithNext()
          try session.execute(count)
          hasRead.open()
          mayGoOn.pass()
          return try session.execute(count)
        }
      }
      await untilOpen(hasRead)
      let stillOpen = try await pool.number(open)
      #expect(stillOpen == 0)
      mayGoOn.open()
      #expect(
        await outcome.error == .broken(nil, detail: "statement after the end of its snapshot"))
    }
  }

  @Test("gives its connection back without a transaction, and cannot write")
  func ended() async throws {
    try await withDatabase(size: 1) { pool in
      try await pool.prepare("CREATE TABLE fact (number bigint)")
      let refused = await failure { () throws(PostgresError) in
        try await pool.readSnapshot { session throws(PostgresError) in
          try session.execute(count)
          return try session.execute("INSERT INTO fact VALUES (1)")
        }
      }
      #expect(refused.error != nil && refused.error?.isUnavailable == false)
      _ = try await pool.readSnapshot { session throws(PostgresError) in
        try session.execute(count)
      }
      // On the only connection, after the end of the snapshot.
      let isolation = try await pool.read { session throws(PostgresError) in
        try session.run("SHOW transaction_isolation").value(0, 0) as String
      }
      #expect(isolation == "read committed")
      _ = try await pool.transaction { session throws(PostgresError) in
        try session.execute("INSERT INTO fact VALUES (2)")
      }
      #expect(try await pool.number(count) == 1)
    }
  }

  @Test("a writer whose batches commit on their own keeps those before a failure")
  func autocommit() async throws {
    try await run { pool in
      let outcome = await failure { () throws(PostgresError) in
        try await pool.autocommit { session throws(PostgresError) in
          try session.execute("INSERT INTO fact VALUES (2)")
          try session.pipeline(["INSERT INTO fact VALUES (3)", "INSERT INTO fact VALUES (4)"])
          try session.pipeline(["INSERT INTO fact VALUES (5)", "SELECT 1 / 0"])
          return true
        }
      }
      #expect(outcome.error != nil)
      let sum = try await pool.number("SELECT sum(number)::bigint FROM fact")
      #expect(sum == 10)
    }
  }
}
