import Postgres
import TestKit
import Testing

@Suite("Transactions") struct TransactionTests {
  @Test("a returned value is committed") func commits() async throws {
    try await withDatabase { pool in
      try await pool.read { session throws(PostgresError) in
        try session.script("CREATE TABLE t (a int)")
      }
      let written = try await pool.transaction { session throws(PostgresError) in
        try session.execute("INSERT INTO t VALUES (\(Int32(1)))")
      }
      #expect(written == 1)
      let count = try await pool.read { session throws(PostgresError) -> Int64 in
        let rows = try session.run("SELECT count(*) FROM t")
        return try rows.value(0, 0)
      }
      #expect(count == 1)
    }
  }
}
