import Foundation
import InstallationOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain
import TestKit
import TestPrograms
import Testing

/// Page and board, open side by side at one guardd.
@Suite("An employee's day, in a browser", .disabled(if: isUnderThreadSanitizer))
struct EmployeeDayTests {
  // R: A1, A3, A10, A11, A12, A16, M3
  @Test("a revocation reaches banner, alert and board, and a grant resumes tracking by itself")
  func revocation() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let manager = service.operations.manager
        let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
        let team = try await manager.people.addTeam(
          name: "Coast", timeZone: "UTC", preset: .standard)
        _ = try await manager.people.addEmployee(EmployeeID(1), name: "Ana", team: team)
        let code = try await manager.people.createEnrolmentCode(
          for: EmployeeID(1), validFor: .hours(1)
        ).code
        _ = try await manager.installation.addAccount(
          email: "mira@example.com",
          AccountSettings(name: "Mira", role: .manager, teams: [team: [.coverage]]),
          password: Password("a walk in the rain"), by: boss)
        let faults = try await BrowserScript("revocation", of: "EmployeePageTests").lines(
          ["http://\(service.address)", "both", ""],
          environment: [
            "CODE": code, "EMAIL": "mira@example.com", "PASSWORD": "a walk in the rain",
          ])
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        // The position before the revocation, and the one after the grant.
        #expect(try await service.count("SELECT count(*) FROM ping") >= 2)
        let open = try await service.count("SELECT count(*) FROM incident WHERE closed_at IS NULL")
        #expect(open == 0)
      }
    }
  }
}
