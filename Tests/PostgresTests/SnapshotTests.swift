import Postgres
import TestKit
import Testing

// R: W26
@Suite("A snapshot over several reads") struct SnapshotTests {
  private let count: SQL = "SELECT count(*) FROM fact"

  private func fails(_ snapshot: Pool, _ statement: SQL) async -> Bool {
    await failure { () throws(PostgresError) in try await snapshot.number(statement) }.error != nil
  }

  private func run(_ body: (Pool) async throws -> Void) async throws {
    try await withDatabase(size: 4) { pool in
      try await pool.prepare("CREATE TABLE fact (number bigint); INSERT INTO fact VALUES (1)")
      try await body(pool)
    }
  }

  @Test("all reads see what the first one saw, whatever is written between them")
  func oneView() async throws {
    try await run { pool in
      let snapshot = try await pool.snapshot(for: .seconds(60))
      // It begins with the first read.
      try await pool.prepare("INSERT INTO fact VALUES (2)")
      #expect(try await snapshot.number(count) == 2)
      try await pool.prepare("INSERT INTO fact VALUES (3)")
      #expect(try await snapshot.number(count) == 2)
      #expect(try await pool.number(count) == 3)
    }
  }

  @Test("a cursor is read on in later reads")
  func cursor() async throws {
    try await run { pool in
      let snapshot = try await pool.snapshot(for: .seconds(60))
      let numbers: SQL = "SELECT n::bigint FROM generate_series(1, \(Int64(5))) AS n"
      try await snapshot.read { (session) throws(PostgresError) in
        try session.execute(numbers.cursor(named: "numbers"))
      }
      try await pool.prepare("INSERT INTO fact VALUES (2)")
      for number in Int64(1)...5 {
        #expect(try await snapshot.number("FETCH FORWARD 1 FROM numbers") == number)
      }
      let rest = try await snapshot.read { (session) throws(PostgresError) in
        try session.run("FETCH FORWARD 1 FROM numbers").count
      }
      #expect(rest == 0)
    }
  }

  @Test("the connection comes back when nobody refers to the snapshot, without its transaction")
  func givenBack() async throws {
    try await run { pool in
      for _ in 0..<3 {
        do {
          let snapshots = [
            try await pool.snapshot(for: .seconds(60)), try await pool.snapshot(for: .seconds(60)),
          ]
          for snapshot in snapshots { #expect(try await snapshot.number(count) == 1) }
          #expect(pool.load.lent == 2)
        }
        while pool.load.lent > 0 { await Task.yield() }
      }
      let idle: SQL = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'
        """
      #expect(try await pool.number(idle) == 0)
    }
  }

  @Test("a lost connection, a refused statement or its end ends it: it never becomes another one")
  func ended() async throws {
    try await run { pool in
      let lost = try await pool.snapshot(for: .seconds(60))
      let process = try await lost.number("SELECT pg_backend_pid()::bigint")
      _ = try await pool.number("SELECT pg_terminate_backend(\(process)::int)::int::bigint")
      for _ in 0..<2 { #expect(await fails(lost, count)) }
      let refused = try await pool.snapshot(for: .seconds(60))
      for statement: SQL in ["SELECT 1::bigint / 0", count] {
        #expect(await fails(refused, statement))
      }
      #expect(await fails(try await pool.snapshot(for: .zero), count))
    }
  }
}
