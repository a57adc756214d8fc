import Lifecycle
import Postgres
import TestKit
import Testing

@Suite("Pipelines and prepared statements") struct PipelineTests {
  private func inOneSession<Value: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Value
  ) async throws -> Value {
    try await withDatabase(size: 1) { pool in
      try await pool.prepare("CREATE TABLE t (a int CONSTRAINT t_a_key UNIQUE, b text)")
      return try await pool.autocommit(TestDatabase.patience, body)
    }
  }

  @Test("statements run in order and each returns its number of rows")
  func order() async throws {
    try await withDatabase { pool in
      try await pool.prepare("CREATE TABLE t (a int)")
      let affected = try await pool.transaction { session throws(PostgresError) in
        try session.pipeline([
          "INSERT INTO t VALUES (1), (2)", "UPDATE t SET a = a + \(Int32(10))",
          "DELETE FROM t WHERE a = 11", "SELECT a FROM t",
        ])
      }
      #expect(affected == [2, 2, 1, 1])
      let number = try await pool.number("SELECT sum(a) FROM t")
      #expect(number == 12)
    }
  }

  @Test("round trips that take long are noted, without values, even if they fail")
  func slow() async throws {
    try await withTestDatabase { database in
      let noted = Lock<[SlowRoundTrip]>([])
      var database = database.configuration
      database.slowAfter = .seconds(1)
      database.noteSlow = { roundTrip in noted.withLock { $0.append(roundTrip) } }
      let pool = Pool(database, size: 1, waitersMax: 1)
      try await pool.autocommit { session throws(PostgresError) in
        _ = try session.run("SELECT \(7)")
        _ = try session.run("SELECT pg_sleep(1.1), \("Zoë")")
      }
      _ = await failure { () throws(PostgresError) in
        try await pool.read { session throws(PostgresError) in
          _ = try session.pipeline(["SELECT pg_sleep(1.1)", "SELECT 1 / \(Int32(0))"])
        }
      }
      await pool.close()
      let texts = noted.withLock { $0.map(\.statements) }
      #expect(texts.contains(["SELECT pg_sleep(1.1), $1"]))
      #expect(texts.contains { $0.dropFirst().first == "SELECT pg_sleep(1.1)" })
      #expect(noted.withLock { $0.allSatisfy { $0.span >= .seconds(1) } })
    }
  }

  @Test("the first failure is thrown, and the whole transaction is rolled back")
  func fails() async throws {
    try await withDatabase { pool in
      try await pool.prepare("CREATE TABLE t (a int CONSTRAINT t_a_key UNIQUE)")
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("INSERT INTO t VALUES (7)")
          try session.pipeline([
            "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)", "SELECT 1 / 0",
          ])
        }
      }
      #expect(error == .constraint(name: "t_a_key"))
      let number = try await pool.number("SELECT count(*) FROM t")
      #expect(number == 0)
    }
  }

  @Test("rows come with their statement's position, and the reader's error is thrown")
  func shows() async throws {
    let seen = try await inOneSession { session throws(PostgresError) in
      var seen: [Int: Int32] = [:]
      let statements: [SQL] = ["SELECT 5", "SELECT 6", "SELECT 7"]
      try session.pipeline(statements) { (position, rows) throws(PostgresError) in
        seen[position] = try rows.value(0, 0)
      }
      var calls = 0
      do throws(PostgresError) {
        try session.pipeline(statements) { (_, rows) throws(PostgresError) in
          calls += 1
          let _: String = try rows.value(0, 0)
        }
      } catch .broken(nil, _) {
        seen[-1] = Int32(calls)
      }
      // The session is still in sync and usable.
      seen[-2] = try session.run("SELECT 8").value(0, 0)
      return seen
    }
    #expect(seen == [0: 5, 1: 6, 2: 7, -1: 1, -2: 8])
  }

  @Test("a pipeline of reads sees one snapshot, and cannot write") func snapshot() async throws {
    try await withDatabase { pool in
      try await pool.prepare("CREATE TABLE t (a int)")
      let level = try await pool.read { session throws(PostgresError) in
        var level = ""
        try session.pipeline(["SELECT 1", "SHOW transaction_isolation"]) {
          (position, rows) throws(PostgresError) in
          if position == 1 { level = try rows.value(0, 0) }
        }
        return level
      }
      #expect(level == "repeatable read")
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.read { session throws(PostgresError) in
          try session.pipeline(["SELECT 1", "INSERT INTO t VALUES (1)"])
        }
      }
      #expect(error?.description.contains("25006") == true && error?.isUnavailable == false)
      let number = try await pool.number("SELECT count(*) FROM t")
      #expect(number == 0)
    }
  }

  @Test("megabytes in both directions at once do not block") func large() async throws {
    let text = String(repeating: "x", count: 20_000)
    let length = try await inOneSession { session throws(PostgresError) in
      let statements = (0..<500).map { number -> SQL in
        "SELECT repeat(\(text), 2), \(Int32(number))"
      }
      var length = 0
      try session.pipeline(statements) { (position, rows) throws(PostgresError) in
        let back: String = try rows.value(0, 0)
        let number: Int32 = try rows.value(0, 1)
        if Int(number) == position { length += back.utf8.count }
      }
      return length
    }
    #expect(length == 500 * 40_000)
  }

  @Test("statements with the same text and types are prepared once per session")
  func reuse() async throws {
    let prepared = try await inOneSession { session throws(PostgresError) -> [Int64] in
      let count: SQL = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%twice%'"
      for number in 0..<20 { try session.execute("SELECT \(Int32(number)) AS twice") }
      let once: Int64 = try session.run(count).value(0, 0)
      try session.execute("SELECT \(Int64(1)) AS twice")
      return [once, try session.run(count).value(0, 0)]
    }
    // The counting statement contains the word as well.
    #expect(prepared == [2, 3])
  }

  @Test("at most 256 statements stay prepared, and the least recently used are dropped")
  func bounded() async throws {
    let (kept, usedOften) = try await inOneSession { session throws(PostgresError) in
      for number in 0..<400 {
        try session.execute(SQL(unescaped: "SELECT \(number) AS filler"))
        try session.execute("SELECT 'often'")
      }
      let kept: Int64 = try session.run("SELECT count(*) FROM pg_prepared_statements").value(0, 0)
      let often: Int64 = try session.run(
        "SELECT count(*) FROM pg_prepared_statements WHERE statement = $$SELECT 'often'$$"
      ).value(0, 0)
      return (kept, often)
    }
    #expect((256...258).contains(kept))
    #expect(usedOften == 1)
  }

  @Test("a snapshot is taken although a dropped statement has still to be deallocated")
  func droppedBeforeSnapshot() async throws {
    let kept = try await withDatabase(size: 1) { pool in
      try await pool.autocommit { session throws(PostgresError) in
        for number in 0..<300 { try session.execute(SQL(unescaped: "SELECT \(number) AS filler")) }
      }
      return try await pool.read { session throws(PostgresError) in
        var kept: Int64 = 0
        try session.pipeline(["SELECT 1", "SELECT count(*) FROM pg_prepared_statements"]) {
          (position, rows) throws(PostgresError) in
          if position == 1 { kept = try rows.value(0, 0) }
        }
        return kept
      }
    }
    #expect((256...260).contains(kept))
  }

  @Test("a statement is prepared again, unseen by callers, after a table change or DEALLOCATE")
  func stale() async throws {
    try await withDatabase(size: 1) { pool in
      try await pool.prepare("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
      let before = try await pool.transaction { session throws(PostgresError) in
        try session.execute("SELECT * FROM t")
      }
      #expect(before == 1)
      for change in ["ALTER TABLE t ADD COLUMN b int", "DEALLOCATE ALL"] {
        try await pool.prepare(change)
        // The first statement of a transaction can be repeated …
        let first = try await pool.transaction { session throws(PostgresError) in
          try session.execute("SELECT * FROM t")
        }
        #expect(first == 1)
      }
      try await pool.prepare("ALTER TABLE t DROP COLUMN b")
      // … later ones cannot, because what came before is rolled back with them.
      for expected in [PostgresError.retryTransaction(.featureNotSupported), nil] {
        let (error, _) = await failure { () throws(PostgresError) in
          try await pool.transaction { session throws(PostgresError) in
            try session.execute("INSERT INTO t VALUES (2)")
            try session.execute("SELECT * FROM t")
          }
        }
        #expect(error == expected)
      }
      let number = try await pool.number("SELECT count(*) FROM t")
      #expect(number == 2)
    }
  }

  @Test("a statement's error names schema objects but no values")
  func redacted() async throws {
    try await withDatabase { pool in
      let rows: [(SQL, String)] = [
        ("SELECT \("secret 4711")::integer", "database statement failed (22P02): (text withheld)"),
        (
          "SELECT * FROM nowhere",
          #"database statement failed (42P01): relation "nowhere" does not exist"#
        ),
        (
          "DO $$ BEGIN RAISE 'secret 4711'; END $$",
          "database statement failed (P0001): (text withheld)"
        ),
      ]
      for (statement, expected) in rows {
        let (error, _) = await failure { () throws(PostgresError) in
          try await pool.read { session throws(PostgresError) in try session.execute(statement) }
        }
        #expect(error?.description == expected)
      }
    }
  }
}
