import Postgres
import TestKit
import Testing

@Suite("guardctl migrate") struct MigrateCommandTests {
  @Test("says which role cannot get the rights of the service, and why")
  func grants() async throws {
    try await withTestDatabase { database in
      let url = try url(of: database)
      let unknown = try await guardctl("migrate", "--grant-to", "nobody", database: url)
      #expect(unknown.status == 3)
      #expect(unknown.errors.contains("role `nobody` does not exist"))
      // A role of every cluster, which owns nothing.
      let granted = try await guardctl("migrate", "--grant-to", "pg_monitor", database: url)
      #expect(granted.status == 0, "\(granted.errors)")
      #expect(granted.output.contains("guardd may connect as pg_monitor."))
      let again = try await guardctl("migrate", "--json", database: url)
      #expect(again.output.contains("pg_monitor"), "\(again.output)")
      // The owner of the database owns the schema, too.
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      try await pool.transaction { (session) throws(PostgresError) in
        try session.script("ALTER DATABASE \(database.name) OWNER TO pg_monitor")
      }
      await pool.close()
      let owner = try await guardctl("migrate", database: url)
      #expect(owner.status == 65, "\(owner)")
      #expect(owner.errors.contains("role pg_monitor may create tables"), "\(owner.errors)")
    }
  }
}
