import Foundation
import Postgres

/// The schema version that this program needs: the number of the newest migration.
package let schemaVersionWanted: Int32 = 34

/// Migrates a database to the newest schema, file by file, each in its own transaction. A file is
/// sent statement by statement, because Citus distributes no table in a text of several statements.
/// Several migrators may run at once: they take turns, and later ones find the work done.
package struct Migrator: Sendable {
  /// One file `NNNN_what.sql`.
  struct Migration: Hashable, Sendable {
    var version: Int32
    var name: String
    var path: String
  }

  let migrations: [Migration]

  package init(directory: String) throws(MigrationError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw .unreadable(directory)
    }
    var found: [Migration] = []
    for name in names.sorted() where name.hasSuffix(".sql") {
      guard let version = Int32(name.prefix(4)), name.dropFirst(4).first == "_" else {
        throw .misnamed(name)
      }
      found.append(
        Migration(version: version, name: String(name.dropLast(4)), path: "\(directory)/\(name)"))
    }
    guard !found.isEmpty, found.map(\.version) == (1...Int32(found.count)).map({ $0 }) else {
      throw .incomplete(directory)
    }
    migrations = found
  }

  /// Applies the missing migrations; returns their names in order. Roles with the rights of the
  /// service get them on new tables, too.
  /// - Parameter service: A role that gets these rights; `nil`: only those that have them.
  /// - Throws: `PostgresError` with file and line; the migrations before that file stay applied.
  package func migrate(on pool: Pool, grantingTo service: String? = nil) async throws -> [String] {
    try await checkIsReleased(pool)
    try await pool.transaction { (session) throws(PostgresError) in
      try takeTurn(&session)
      // A role that may not create tables may find that the work is done.
      guard try schemaVersion(on: &session) == 0 else { return }
      try session.script(
        """
        CREATE TABLE IF NOT EXISTS schema_version (
          version int NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL,
          CONSTRAINT schema_version_pk PRIMARY KEY (version))
        """)
    }
    var applied: [String] = []
    for migration in migrations {
      let text = try String(contentsOfFile: migration.path, encoding: .utf8)
      let statements = Array(MigrationStatements(text))
      let isNew = try await pool.transaction(.seconds(600)) { (session) throws(PostgresError) in
        try apply(migration, statements, on: &session)
      }
      if isNew { applied.append(migration.name) }
    }
    try await pool.transaction { (session) throws(PostgresError) in
      try takeTurn(&session)
      for role in Set(try serviceRoles(on: &session)).union(service.map { [$0] } ?? []).sorted() {
        try session.execute("SELECT grant_to_service(\(role))")
      }
    }
    return applied
  }

  /// Next to an installed program, or in a parent folder of a built one. `nil` if neither exists.
  package static func findDirectory(from executable: String) -> String? {
    var folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let installed = folder.appendingPathComponent("../share/shiftguard/migrations").standardized
    if FileManager.default.fileExists(atPath: installed.path) { return installed.path }
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("db/migrations")
      if FileManager.default.fileExists(atPath: candidate.path) { return candidate.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}

package enum MigrationError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(String)
  /// A file's name is not `NNNN_what.sql`.
  case misnamed(String)
  /// The numbers do not run from 1 without gaps.
  case incomplete(String)
  /// A version from before the first release made the schema.
  case unreleased

  package var description: String {
    switch self {
    case .unreadable(let path): "cannot read the migrations in `\(path)`"
    case .misnamed(let name): "migration `\(name)` is not named `NNNN_what.sql`"
    case .incomplete(let path):
      "the migrations in `\(path)` are not numbered from 0001 without gaps"
    case .unreleased:
      """
      a version from before the first release made this database, and nothing upgrades its schema: \
      make a new database
      """
    }
  }
}

/// Runs the statements of `migration`, unless it is applied already; returns whether it was not.
private func apply(
  _ migration: Migrator.Migration, _ statements: [MigrationStatement], on session: inout Session
) throws(PostgresError) -> Bool {
  // Citus accepts this mode only before it has used several connections in the transaction; plain
  // PostgreSQL ignores it.
  try session.execute("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")
  try takeTurn(&session)
  let rows = try session.run(
    "SELECT count(*) FROM schema_version WHERE version = \(migration.version)")
  let count: Int64 = try rows.value(0, 0)
  guard count == 0 else { return false }
  for statement in statements {
    do throws(PostgresError) {
      try session.script(statement.text)
    } catch {
      throw error.located(at: "\(migration.name).sql, line \(statement.line)")
    }
  }
  try session.execute(
    """
    INSERT INTO schema_version (version, name)
    VALUES (\(migration.version), \(migration.name))
    """)
  return true
}

extension PostgresError {
  /// The error with the place of its statement. What another attempt may resolve stays as it is.
  fileprivate func located(at place: String) -> PostgresError {
    switch self {
    case .broken(let state, let detail): .broken(state, detail: "\(place): \(detail)")
    case .constraint: .broken(nil, detail: "\(place): \(self)")
    case .unstorable(let detail): .unstorable(detail: "\(place): \(detail)")
    case .unavailable(let detail): .unavailable(detail: "\(place): \(detail)")
    case .retryTransaction, .outcomeUnknown, .cancelled: self
    }
  }
}

private func takeTurn(_ session: inout Session) throws(PostgresError) {
  try session.execute("SELECT pg_advisory_xact_lock(hashtext('shiftguard migrate'))")
}

/// The schema version of the database; 0 before the first migration.
package func schemaVersion(on session: inout Session) throws(PostgresError) -> Int32 {
  let tables = try session.run("SELECT to_regclass('schema_version') IS NOT NULL")
  guard try tables.value(0, 0) else { return 0 }
  return try session.run("SELECT coalesce(max(version), 0) FROM schema_version").value(0, 0)
}

/// Refuses the database of a version from before the first release: its files had other names.
/// - Throws: `MigrationError.unreleased`, or why the database cannot be read.
package func checkIsReleased(_ pool: Pool) async throws {
  let isReleased = try await pool.readSnapshot { (session) throws(PostgresError) in
    guard try schemaVersion(on: &session) > 0 else { return true }
    let first: String = try session.run("SELECT name FROM schema_version WHERE version = 1")
      .value(0, 0)
    return first == firstMigration
  }
  guard isReleased else { throw MigrationError.unreleased }
}

private let firstMigration = "0001_distribution_and_roles"
