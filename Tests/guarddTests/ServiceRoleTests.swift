import Foundation
import HTTPSending
import InsightOperations
import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("guardd as a role that owns nothing") struct ServiceRoleTests {
  @Test("makes partitions, serves a working day and the board, and erases an employee")
  func day() async throws {
    try await TwoRoles.run { roles in
      try await Service.run(on: roles.service) { service in
        let phone = try await service.phones()[0]
        for parent in ["ping", "notification_history"] {
          try await until {
            try await service.count(
              "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass(\(parent))") == 11
          }
        }
        try await phone.clockIn(at: wallClock())
        #expect(try await phone.upload([wallClock()]).status == 200)
        #expect(try await service.count("SELECT count(*) FROM ping_other") == 0)
        let denial = try await phone.post(
          "/v1/permission-reports", #"{"authorization":"denied","services":"on"}"#)
        #expect((200...201).contains(denial.status), "\(denial.text)")
        try await until {
          try await service.count(
            "SELECT count(*) FROM notification WHERE first_due_at IS NOT NULL") == 1
        }
        let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
        let board = try await service.operations.insight.board(for: boss)
        #expect(board.lines.count == 1)
        try await phone.clockOut(at: wallClock())
        try await until { try await phone.readiness().status == 200 }
        _ = try await service.operations.background.deleteOldData()
        #expect(
          try await service.operations.people.erase(EmployeeID(1), endsShift: false, by: boss)
            == .erased)
      }
    }
  }

  @Test("waits for the owner to migrate")
  func behind() async throws {
    try await withTestDatabase(template: "template1") { database in
      let url = database.configuration.description
      let guardd = try RunningProgram(guardd: ["--database", url, "--listen", "127.0.0.1:0"])
      let line = try await guardd.line(with: "event=waiting")
      #expect(line.contains("run `guardctl migrate`"))
      _ = try await withPool(database.configuration, size: 1) { pool in
        try await Migrator(directory: migrationsFolder).migrate(on: pool)
      }
      _ = try await guardd.line(with: "event=listening")
      // It may not handle signals yet, and so end with another status than 0.
      guardd.terminate()
      _ = await guardd.rest()
    }
  }

  @Test("does not start on the database of a version from before the first release")
  func unreleased() async throws {
    try await withTestDatabase { database in
      try await withPool(database.configuration, size: 1) { pool in
        try await pool.script("UPDATE schema_version SET name = '0001_distribution'")
      }
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--listen", "127.0.0.1:0",
      ])
      let (lines, status) = await guardd.rest()
      #expect(status == 78)
      #expect(lines.count { $0.contains("before the first release") } == 1, "\(lines)")
    }
  }
}
