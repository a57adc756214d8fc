import InstallationOperations
import ManagerCore
import NotificationOperations
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("An account as a contact") struct AccountContactTests {
  private static let team = TeamID(1)

  private func hire(
    _ name: String, _ role: AccessRole = .manager, teams: [TeamID: TeamRights] = [team: .coverage],
    in world: OperationsWorld
  ) async throws -> AccountID {
    try await world.operations.manager.installation.addAccount(
      email: "\(name)@example.com", AccountSettings(name: name, role: role, teams: teams),
      password: Password("a walk in the rain"), by: world.principal
    ).get().account
  }

  // R: M4, W11
  @Test("is one by its mailbox, once, however often and by however many at once it is ticked")
  func ticked() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let (team, mira) = (Self.team, world.principal)
      let mate = try await hire("mate", in: world)
      try await manager.notifications.addContact("Mate@Example.com", to: team)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            let added = try await manager.notifications.addContact(mate, to: team, by: mira).get()
            #expect(added.contact.number == 1)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await manager.notifications.contacts(of: team).count == 1)
      #expect(try await manager.notifications.contact(of: mate, in: team)?.number == 1)
      for _ in 0..<2 {
        try await manager.notifications.removeContact(mate, from: team, by: mira)
        #expect(try await manager.notifications.contacts(of: team).isEmpty)
      }
      _ = try await manager.notifications.addContact(mate, to: team, by: mira).get()
      #expect(
        try await manager.notifications.contacts(of: team).map(\.address) == ["mate@example.com"])
      let again = try await manager.notifications.addContact("MATE@example.com", to: team, by: mira)
      #expect(again == .alreadyThere("MATE@example.com", team, .email))
    }
  }

  // R: W11
  @Test("is refused for a team that it may not see, and for a disabled account")
  func refused() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let (team, mira) = (Self.team, world.principal)
      let track = try await hire("track", teams: [team: .track], in: world)
      let none = try await hire("none", teams: [:], in: world)
      let gone = try await hire("gone", in: world)
      _ = try await manager.installation.setAccount(gone, isDisabled: true, by: mira).get()
      for account in [track, none, gone] {
        let outcome = try await manager.notifications.addContact(account, to: team, by: mira)
        #expect(outcome == .notTheirTeam(account))
      }
      #expect(try await manager.notifications.contacts(of: team).isEmpty)
      let boss = try await hire("boss", .administrator, teams: [:], in: world)
      _ = try await manager.notifications.addContact(boss, to: team, by: mira).get()
    }
  }

  // R: W11
  @Test("is none any more when it loses the team or its login, with an entry in the audit log")
  func ended() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let (team, mira) = (Self.team, world.principal)
      let other = try await world.operations.people.addTeam(name: "Depot", timeZone: "UTC")
      let mate = try await hire("mate", teams: [team: .all, other: .all], in: world)
      let boss = try await hire("boss", .administrator, teams: [:], in: world)
      for team in [team, other] {
        _ = try await manager.notifications.addContact(mate, to: team, by: mira).get()
        _ = try await manager.notifications.addContact(boss, to: team, by: mira).get()
      }
      try await manager.notifications.addContact("extern@example.com", to: team)
      _ = try await manager.installation.changeAccount(mate, by: mira) {
        var new = $0
        (new.name, new.teams) = ("Mate", [other: .coverage, team: .track])
        return new
      }.get()
      func addresses(_ team: TeamID) async throws -> [String] {
        try await manager.notifications.contacts(of: team).map {
          String($0.address.prefix { $0 != "@" })
        }
      }
      #expect(try await addresses(team) == ["boss", "extern"])
      #expect(try await addresses(other) == ["mate", "boss"])
      _ = try await manager.installation.setAccount(mate, isDisabled: true, by: mira).get()
      #expect(try await addresses(other) == ["boss"])
      _ = try await hire("chief", .administrator, teams: [:], in: world)
      _ = try await manager.installation.changeAccount(boss, by: mira) {
        AccountSettings(name: $0.name, role: .manager, teams: [team: .coverage])
      }.get()
      #expect(try await addresses(team) == ["boss", "extern"])
      #expect(try await addresses(other).isEmpty)
      let log = try await manager.installation.auditEntries(about: nil, limit: 50)
      let removed = log.filter { $0.action == .contactRemoved }
      #expect(removed.map { $0.target } == [other.rawValue, other.rawValue, team.rawValue])
    }
  }
}
