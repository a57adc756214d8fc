import Foundation
import Postgres
import ShiftStore
import TestKit
import TestPrograms
import Testing

@Suite("Migrations") struct MigrationTests {
  @Test("bring an empty database to the committed schema")
  func schema() async throws {
    try await withEmptyDatabase { database, pool in
      let migrator = try Migrator(directory: migrationsFolder)
      let applied = try await migrator.migrate(on: pool)
      #expect(applied.count == Int(schemaVersionWanted))
      let version = try await pool.read { (session) throws(PostgresError) in
        try schemaVersion(on: &session)
      }
      #expect(version == schemaVersionWanted, "`schemaVersionWanted` is behind db/migrations")
      let url = try await pool.read { (session) throws(PostgresError) in
        let sockets: String = try session.run("SELECT current_setting('unix_socket_directories')")
          .value(0, 0)
        return "postgresql:///\(database.name)?host=\(sockets)"
      }
      let dump = try await ChildProgram([
        projectFolder.appending(path: "deploy/checks/schema").path, url,
      ]).output()
      let committed = try String(
        contentsOf: projectFolder.appending(path: "db/schema.sql"), encoding: .utf8)
      #expect(
        dump.trimmingCharacters(in: .newlines) == committed.trimmingCharacters(in: .newlines),
        "run deploy/checks/schema and commit its output as db/schema.sql")
    }
  }

  @Test("take turns when several run at once, and later ones find the work done")
  func together() async throws {
    try await withEmptyDatabase { _, pool in
      let migrator = try Migrator(directory: migrationsFolder)
      let applied = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<4 { group.addTask { try await migrator.migrate(on: pool) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(applied.count == Int(schemaVersionWanted))
      #expect(try await migrator.migrate(on: pool).isEmpty)
    }
  }

  @Test("name the file and line of a failing statement, and roll back the whole file")
  func failing() async throws {
    try await withEmptyDatabase { _, pool in
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let text = "-- Why.\nCREATE TABLE one (a text DEFAULT '\n;');\n\n/* two */ SELEC 1;\nSELECT 1"
      try Data(text.utf8).write(to: folder.appending(path: "0001_wrong.sql"))
      let error = try await #require(throws: PostgresError.self) {
        try await Migrator(directory: folder.path).migrate(on: pool)
      }
      #expect("\(error)".contains("0001_wrong.sql, line 5: syntax error"))
      let exists: Bool = try await pool.read { (session) throws(PostgresError) in
        try session.run("SELECT to_regclass('one') IS NOT NULL").value(0, 0)
      }
      #expect(!exists)
    }
  }

  @Test("create the weekly ping partitions once, even if several transactions do so")
  func weeks() async throws {
    try await withDatabase { pool in
      let made = try await withThrowingTaskGroup(of: Int32.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await pool.transaction { (session) throws(PostgresError) in
              try makePingWeeks(
                from: .init(milliseconds: 1_772_438_400_000), count: 5, on: &session)
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(made == 5)
    }
  }

  @Test("are refused when their numbers have a gap or a file name is invalid")
  func misnamed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: MigrationError.incomplete(folder.path)) {
      try Migrator(directory: folder.path)
    }
    try Data().write(to: folder.appending(path: "0002_later.sql"))
    #expect(throws: MigrationError.incomplete(folder.path)) {
      try Migrator(directory: folder.path)
    }
    try Data().write(to: folder.appending(path: "first.sql"))
    #expect(throws: MigrationError.misnamed("first.sql")) {
      try Migrator(directory: folder.path)
    }
    #expect(throws: MigrationError.unreadable("/nowhere")) { try Migrator(directory: "/nowhere") }
  }

  @Test("refuse a database from before the first release, and change nothing in it")
  func unreleased() async throws {
    try await withEmptyDatabase { _, pool in
      try await pool.transaction { (session) throws(PostgresError) in
        try session.script(
          """
          CREATE TABLE schema_version (version int, applied_at timestamptz, name text);
          INSERT INTO schema_version (version, name) VALUES (1, '0001_distribution');
          """)
      }
      await #expect(throws: MigrationError.unreleased) {
        try await Migrator(directory: migrationsFolder).migrate(on: pool)
      }
      let count: Int64 = try await pool.read { (session) throws(PostgresError) in
        try session.run("SELECT count(*) FROM schema_version").value(0, 0)
      }
      #expect(count == 1)
    }
  }

  private func withEmptyDatabase(
    _ body: (TestDatabase, Pool) async throws -> Void
  ) async throws {
    try await withTestDatabase(template: "template1") { database in
      try await withPool(database.configuration) { pool in try await body(database, pool) }
    }
  }
}
