import Postgres
import ShiftStore

/// A database whose tables belong to one role, while the service connects as another.
package struct TwoRoles: Sendable {
  /// As a superuser.
  package let database: TestDatabase
  /// As the role that owns database and tables, and may do nothing else.
  package let owner: ConnectionConfiguration
  /// As the role of the service.
  package let service: ConnectionConfiguration
  /// Its name.
  package let serviceName: String

  /// Lends `body` a migrated database with both, and removes them afterwards.
  package static func run(_ body: (TwoRoles) async throws -> Void) async throws {
    try await withTestDatabase(template: "template1") { database in
      let (owner, service) = ("owner_of_\(database.name)", "service_of_\(database.name)")
      try await withPool(database.configuration, size: 1) { admin in
        do {
          try await admin.script(
            """
            CREATE ROLE \(owner) LOGIN; CREATE ROLE \(service) LOGIN;
            ALTER DATABASE \(database.name) OWNER TO \(owner)
            """)
          let roles = TwoRoles(
            database: database, owner: try database.connection(of: owner),
            service: try database.connection(of: service), serviceName: service)
          try await withPool(roles.owner) { pool in
            _ = try await Migrator(directory: migrationsFolder).migrate(
              on: pool, grantingTo: service)
          }
          try await body(roles)
        } catch {
          try await admin.remove([service, owner], from: database)
          throw error
        }
        try await admin.remove([service, owner], from: database)
      }
    }
  }
}

extension TestDatabase {
  fileprivate func connection(of role: String) throws -> ConnectionConfiguration {
    try ConnectionConfiguration("\(configuration.description) user=\(role)")
  }
}

extension Pool {
  /// Runs several statements, in one transaction.
  fileprivate func script(_ text: String) async throws {
    try await transaction(.seconds(60)) { (session) throws(PostgresError) in
      try session.script(text)
    }
  }

  /// Removes roles with all that they own in `database`.
  fileprivate func remove(_ roles: [String], from database: TestDatabase) async throws {
    let names = roles.joined(separator: ", ")
    try await script(
      """
      ALTER DATABASE \(database.name) OWNER TO CURRENT_USER;
      DROP OWNED BY \(names) CASCADE; DROP ROLE \(names)
      """)
  }
}
