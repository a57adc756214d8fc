import Foundation
import GuardRules
import InstallationOperations
import ManagerCore
import PolicyOperations
import ReadModels
import ShiftDomain
import TestKit
import TestPrograms
import Testing

/// The whole way from a phone to a manager's eyes.
@Suite("A manager's day, in a browser", .disabled(if: isUnderThreadSanitizer))
struct ManagerDayTests {
  // R: M6, W11
  @Test("sees a downgrade, reads why and who was notified, and downloads the track")
  func look() async throws {
    try await withTestDatabase { database in
      let maps = FileManager.default.temporaryDirectory
        .appending(path: "maps.\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: maps) }
      try Data(
        #"{"tiles":"https://tiles.example/{z}/{x}/{y}.png","attribution":"© Tiles"}"#.utf8
      ).write(to: maps)
      try await Service.run(on: database.configuration, with: ["--maps", maps.path]) { service in
        let phone = try #require(try await service.phones().first)
        var changes = PolicyChanges()
        changes.spans = [.debounce: .seconds(1)]
        _ = try await service.operations.policies.setPolicy(of: TeamID(1), changes)
        let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
        _ = try await service.operations.installation.addAccount(
          email: "mira@example.com",
          AccountSettings(name: "Mira", role: .manager, teams: [TeamID(1): [.coverage, .track]]),
          password: Password("a walk in the rain"), by: boss)
        let faults = try await BrowserScript("day", of: "WebPagesTests").lines([
          "http://\(service.address)", phone.token, "mira@example.com", "a walk in the rain",
        ])
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  // R: W21
  @Test("begins with an empty installation, and ends with the file for payroll")
  func first() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
        _ = try await service.operations.installation.addAccount(
          email: "mira@example.com", AccountSettings(name: "Mira", role: .administrator),
          password: Password("a walk in the rain"), by: boss)
        let faults = try await BrowserScript("first", of: "WebPagesTests").lines([
          "http://\(service.address)", "mira@example.com", "a walk in the rain",
        ])
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }
}
