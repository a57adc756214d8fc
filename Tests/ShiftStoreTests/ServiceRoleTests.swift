import Foundation
import GuardRules
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

/// A role that owns nothing, with the rights of the service.
@Suite("The role of the service") struct ServiceRoleTests {
  private static let refused = [
    "CREATE TABLE mine (a int)", "CREATE TEMPORARY TABLE mine (a int)", "CREATE SCHEMA mine",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE INDEX mine ON employee (name)", "DROP TABLE ping_other", "DROP TABLE audit_entry",
    "DROP FUNCTION delete_audit_entries(timestamptz)", "ALTER TABLE employee ADD COLUMN mine int",
    "ALTER TABLE ping DETACH PARTITION ping_other", "ALTER FUNCTION drop_ping_week RESET ALL",
    "TRUNCATE ping", "TRUNCATE audit_entry", "UPDATE audit_entry SET actor = 'nobody'",
    "DELETE FROM audit_entry", "DELETE FROM erased_number", "UPDATE web_push_key SET number = 1",
    "SELECT 1 FROM audit_entry FOR UPDATE",
    "UPDATE policy_version SET blocking = 0", "DELETE FROM privacy_notice",
    "INSERT INTO schema_version (version, name) VALUES (99, 'mine')",
    "SELECT grant_to_service(current_user)",
    "SELECT distribute_by_employee('team')", "SELECT rolpassword FROM pg_authid",
    "SELECT pg_read_file('PG_VERSION')", "COPY employee TO PROGRAM 'true'",
    "CREATE ROLE mine", "ALTER ROLE CURRENT_USER SUPERUSER",
  ]

  @Test("may neither change the schema nor rewrite what is only ever added")
  func refusals() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.service) { pool in
        for text in Self.refused {
          await #expect(throws: PostgresError.self, "\(text)") {
            do {
              try await pool.transaction { (session) throws(PostgresError) in
                try session.script(text)
              }
            } catch let error as PostgresError {
              guard case .broken(let state?, _) = error else { throw error }
              #expect(state.rawValue == "42501", "\(text)")
              throw error
            }
          }
        }
      }
    }
  }

  @Test("has exactly the listed rights")
  func rights() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.owner) { pool in
        let service = roles.serviceName
        let rights: [String] = try await pool.values(
          """
          SELECT relname || ' ' || string_agg(lower(privilege_type), ' ' ORDER BY privilege_type)
          FROM pg_class CROSS JOIN aclexplode(relacl) AS entry
          WHERE grantee = (SELECT oid FROM pg_roles WHERE rolname = \(service))
          GROUP BY relname
          UNION ALL
          SELECT proname || '()' FROM pg_proc CROSS JOIN aclexplode(proacl) AS entry
          WHERE grantee = (SELECT oid FROM pg_roles WHERE rolname = \(service))
          """)
        let tables: [String] = try await pool.values(
          """
          SELECT relname::text FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
            AND (NOT relispartition OR relname LIKE '%_other')
          """)
        let added = [
          "audit_entry", "erased_number", "policy_version", "privacy_notice", "web_push_key",
        ]
        let functions = [
          "create_ping_weeks()", "drop_ping_week()", "create_notification_weeks()",
          "drop_notification_week()", "delete_audit_entries()", "erase_audit_entries()",
        ]
        let expected = tables.map { table in
          if table == "schema_version" { return "\(table) select" }
          let all = added.contains(table) ? "insert select" : "delete insert select update"
          return "\(table) \(all)"
        }
        #expect(Set(rights) == Set(expected + functions))
      }
    }
  }

  @Test("removes a team with its policies, which it may not delete itself")
  func team() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.service) { pool in
        let numbers = try await pool.transaction { (session) throws(PostgresError) in
          var numbers: [TeamID] = []
          for name in ["North", "South"] {
            let team = try addTeam(
              name: name, timeZone: "UTC", policy: .policy(of: .standard), on: &session)
            try session.pipeline(remove(team))
            numbers.append(team)
          }
          return numbers
        }
        #expect(numbers == [TeamID(1), TeamID(2)], "a number is never given again")
        let left = try await pool.values("SELECT count(*)::text FROM policy_version")
        #expect(left == ["0"])
      }
    }
  }

  @Test("alone may call the functions of the owner")
  func functionsOfTheOwner() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.owner) { pool in
        let open: [String] = try await pool.values(
          """
          SELECT proname::text FROM pg_proc
          WHERE pronamespace = 'public'::regnamespace
            AND has_function_privilege('pg_monitor', oid, 'EXECUTE')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
          """)
        #expect(open.isEmpty, "everybody may call them")
      }
    }
  }

  @Test("makes and drops partitions, and deletes audit entries by age or with their employee")
  func functions() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.service) { pool in
        let made: Int32 = try await pool.value("SELECT create_ping_weeks(now(), 3)")
        #expect(made == 3)
        let later: Int32 = try await pool.value("SELECT create_notification_weeks(now(), 2)")
        #expect(later == 4)
        let drops: [(SQL, count: Int)] = [
          ("SELECT drop_ping_week(now() + interval '30 days')", 3),
          ("SELECT drop_notification_week(now() + interval '30 days')", 4),
        ]
        for (drop, count) in drops {
          for number in 0...count {
            let name: String? = try await pool.value(drop)
            #expect((name == nil) == (number == count))
          }
        }
        try await pool.write([
          "INSERT INTO team (team_id, name, time_zone) VALUES (1, 'Field', 'UTC')",
          "INSERT INTO employee (employee_id, team_id, name) VALUES (7, 1, 'Ada')",
          """
          INSERT INTO audit_entry (employee_id, entry_id, at, action, actor)
          SELECT employee, 10 * employee + age, now() - age * interval '2 days', 0, 'Boss'
          FROM unnest('{0, 7, 8}'::int[]) AS employee, generate_series(0, 5) AS age
          """,
        ])
        let entries: SQL = "SELECT count(*) FROM audit_entry"
        // However new the cutoff is, the last eight days stay.
        try await pool.write("SELECT FROM delete_audit_entries('infinity')")
        #expect(try await pool.value(entries) == Int64(12))
        try await pool.write("SELECT FROM erase_audit_entries(7)")
        try await pool.write("SELECT FROM erase_audit_entries(0)")
        #expect(try await pool.value(entries) == Int64(12), "7 is not erased, and 0 is nobody")
        try await pool.write("SELECT FROM erase_audit_entries(8)")
        #expect(try await pool.value(entries) == Int64(8))
      }
    }
  }

  @Test("gets its rights on new tables with every migration, and finds the work done itself")
  func renewed() async throws {
    try await TwoRoles.run { roles in
      let migrator = try Migrator(directory: migrationsFolder)
      try await withPool(roles.owner) { pool in
        try await pool.write("CREATE TABLE later (a int)")
        _ = try await migrator.migrate(on: pool)
        let names = try await pool.read { (session) throws(PostgresError) in
          try serviceRoles(on: &session)
        }
        #expect(names == [roles.serviceName])
        // The owner is not restricted by the rights of a service.
        let owner: String = try await pool.value("SELECT current_user::text")
        _ = try await migrator.migrate(on: pool, grantingTo: owner)
        try await pool.write("DROP TABLE later")
        try await pool.write("CREATE TABLE later (a int)")
        _ = try await migrator.migrate(on: pool)
      }
      try await withPool(roles.service) { pool in
        try await pool.write("INSERT INTO later VALUES (1)")
        #expect(try await migrator.migrate(on: pool).isEmpty)
      }
    }
  }

  @Test("is neither a member of the owner nor a role that does not exist")
  func unfit() async throws {
    try await TwoRoles.run { roles in
      let migrator = try Migrator(directory: migrationsFolder)
      try await withPool(roles.database.configuration) { pool in
        let superuser: String = try await pool.value("SELECT current_user::text")
        for (name, state) in [("nobody_at_all", "42704"), (superuser, "0A000")] {
          let error = try await #require(throws: PostgresError.self) {
            _ = try await migrator.migrate(on: pool, grantingTo: name)
          }
          guard case .broken(let found?, _) = error else {
            Issue.record("\(error)")
            continue
          }
          #expect(found.rawValue == state)
        }
      }
    }
  }
}

extension ServiceRoleTests {
  @Test("gets no rights of a role that does not own the database, and that is said")
  func databaseOfAnother() async throws {
    try await TwoRoles.run { roles in
      try await withPool(roles.database.configuration) { pool in
        let name = roles.database.name
        try await pool.transaction { (session) throws(PostgresError) in
          try session.script(
            """
            ALTER DATABASE \(name) OWNER TO CURRENT_USER;
            GRANT TEMPORARY ON DATABASE \(name) TO PUBLIC
            """)
        }
      }
      let migrator = try Migrator(directory: migrationsFolder)
      try await withPool(roles.owner) { pool in
        let error = try await #require(throws: PostgresError.self) {
          _ = try await migrator.migrate(on: pool, grantingTo: roles.serviceName)
        }
        #expect("\(error)".contains("only the owner of the database can limit"), "\(error)")
      }
    }
  }
}

extension Pool {
  /// One value of one row.
  fileprivate func value<Value: PostgresDecodable & Sendable>(_ sql: SQL) async throws -> Value {
    try await transaction { (session) throws(PostgresError) in try session.run(sql).value(0, 0) }
  }

  /// The values of one column.
  fileprivate func values(_ sql: SQL) async throws -> [String] {
    try await read { (session) throws(PostgresError) in try session.run(sql).values() }
  }

  /// Runs statements in one transaction.
  fileprivate func write(_ statements: [SQL]) async throws {
    try await transaction { (session) throws(PostgresError) in
      _ = try session.pipeline(statements)
    }
  }

  fileprivate func write(_ statement: SQL) async throws { try await write([statement]) }
}
