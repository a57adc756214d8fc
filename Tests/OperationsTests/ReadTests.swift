import OperationCore
import Postgres
import ShiftTestKit
import TestKit
import Testing

@Suite("A read") struct ReadTests {
  @Test("is run again when a migration has made one of its later statements stale")
  func stale() async throws {
    try await withDatabase(size: 1) { pool in
      let core = OperationsWorld(pool: pool).operations.core
      try await pool.write(["CREATE TABLE one ()", "CREATE TABLE two ()"])
      try await core.read { (session) throws(PostgresError) in try readBoth(on: &session) }
      try await pool.write(["ALTER TABLE two ADD COLUMN a int"])
      try await core.read { (session) throws(PostgresError) in try readBoth(on: &session) }
      // Otherwise the caller would have to repeat it.
      try await pool.write(["ALTER TABLE two ADD COLUMN b int"])
      await #expect(throws: PostgresError.retryTransaction(.featureNotSupported)) {
        try await pool.read { (session) throws(PostgresError) in try readBoth(on: &session) }
      }
    }
  }
}

private func readBoth(on session: inout Session) throws(PostgresError) {
  try session.pipeline(["SELECT * FROM one", "SELECT * FROM two"]) { _, _ in }
}
