import InstallationOperations
import ManagerCore
import NotificationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("The first run") struct FirstRunTests {
  @Test("is a list whose lines are done when they are true, until it is dismissed")
  func checklist() async throws {
    try await withDatabase(size: 6) { pool in
      let world = OperationsWorld(pool: pool)
      let (people, installation) = (world.operations.people, world.operations.installation)
      func done() async throws -> Set<Checklist.Step> {
        try #require(try await installation.checklist()).done
      }
      #expect(try await done().isEmpty)
      // A rehearsal alone is no employee, no phone and no team.
      _ = try await world.operations.policies.beginRehearsal(by: world.principal).get()
      #expect(try await done() == [.rehearsal])
      let team = try await people.addTeam(name: "Field", timeZone: "Europe/Warsaw")
      #expect(try await done() == [.rehearsal, .team])
      _ = try await people.addEmployee(EmployeeID(7), name: "Ada", team: team)
      #expect(try await done() == [.rehearsal, .team, .employee])
      let phone = try await Phone.enrolled(in: world)
      #expect(try await done() == [.rehearsal, .team, .employee, .phone])
      try await phone.beginShift()
      world.wait(.minutes(1))
      #expect(try await !done().contains(.position))
      _ = try await phone.ping([fix(at: world.now)])
      #expect(try await done().contains(.position))
      try await world.operations.notifications.addContact("boss@example.org", to: team)
      _ = try await installation.setPrivacyNotice("Read this.", by: world.principal)
      let checklist = try #require(try await installation.checklist())
      #expect(checklist.done == Set(Checklist.Step.allCases).subtracting([.channels]))
      #expect(checklist.team == team && checklist.employee == EmployeeID(7))
      try await installation.dismissChecklist(by: world.principal)
      #expect(try await installation.checklist() == nil)
    }
  }

  // R: W25
  @Test("a team is removed with all that is set for it, but never one with employees or history")
  func removal() async throws {
    try await withWorld { world in
      let (manager, boss) = (world.operations.manager, world.principal)
      func refusal(_ team: TeamID) async throws -> String? {
        do {
          try await manager.people.removeTeam(team, by: boss).get()
          return nil
        } catch {
          return Refusal(error)?.code
        }
      }
      let field = TeamID(1)
      #expect(try await refusal(field) == "team_has_employees")
      _ = try await manager.people.deactivate(EmployeeID(7), by: boss).get()
      #expect(try await refusal(field) == "team_has_employees", "an inactive one is one")
      _ = try await manager.people.reactivate(EmployeeID(7), by: boss)

      _ = try await Phone.enrolled(in: world)
      let start = try #require(Instant(rfc3339: "2026-03-31T20:30:00Z"))
      try await world.plantShift(number: 1, from: start, to: start + .hours(2))
      #expect(try await world.approve(try await world.times()).code == "approved")
      let other = try await manager.people.addTeam(
        name: "Other", timeZone: "UTC", preset: .strict, by: boss
      ).get().team
      _ = try await manager.people.changeEmployee(EmployeeID(7), by: boss) { $0.team = other }.get()
      #expect(try await refusal(field) == "team_has_history")

      let last = try await manager.people.addTeam(
        name: "Last", timeZone: "UTC", preset: .standard, by: boss
      ).get().team
      _ = try await manager.people.addDepot(to: last, by: boss).get()
      _ = try await manager.notifications.addContact("x@example.org", to: last, by: boss)
      _ = try await manager.installation.createAPIToken(
        name: "Board", role: .manager, teams: [last: .all], validFor: .hours(1), by: boss)
      #expect(try await refusal(last) == nil)
      #expect(try await refusal(last) == "not_found")
      #expect(try await manager.people.teams().map(\.team) == [field, other])
      #expect(try await manager.installation.apiTokens().map(\.teams) == [[:]])
      let next = try await manager.people.addTeam(
        name: "Last", timeZone: "UTC", preset: .standard, by: boss
      ).get()
      #expect(next.team.rawValue == last.rawValue + 1)

      _ = try await manager.policies.beginRehearsal(by: boss).get()
      let practice = try #require(
        try await manager.policies.rehearsals().first?.employee.team)
      #expect(try await refusal(practice) == "not_found")
    }
  }

  // R: W25
  @Test("a team that is removed while somebody joins it either stays with them or goes without")
  func race() async throws {
    try await withWorld { world in
      let (people, boss) = (world.operations.manager.people, world.principal)
      @Sendable func removes(_ team: TeamID) async -> Bool {
        do {
          try await people.removeTeam(team, by: boss).get()
          return true
        } catch {
          return false
        }
      }
      func joins(_ team: TeamID, _ round: Int32) async -> Bool {
        do {
          if round % 2 == 0 {
            _ = try await people.addEmployee(
              EmployeeID(100 + round), EmployeeDetails(name: "Eva", team: team), by: boss
            ).get()
          } else {
            _ = try await people.changeEmployee(EmployeeID(7), by: boss) { $0.team = team }.get()
          }
          return true
        } catch {
          return false
        }
      }
      for round in Int32(0)..<12 {
        let team = try await people.addTeam(
          name: "Team \(round)", timeZone: "UTC", preset: .standard, by: boss
        ).get().team
        async let removal = removes(team)
        let isJoined = await joins(team, round)
        let isRemoved = await removal
        #expect(isRemoved != isJoined, "round \(round)")
        let isThere = try await people.teams().contains { $0.team == team }
        #expect(isThere != isRemoved)
      }
    }
  }

  @Test("what is set now is in the facts of the report on privacy")
  func facts() async throws {
    try await withWorld(.strict) { world in
      let (manager, boss) = (world.operations.manager, world.principal)
      _ = try await manager.notifications.addContact("x@example.org", to: TeamID(1), by: boss)
      _ = try await manager.installation.setRetention([.fixes: 30], by: boss).get()
      _ = try await manager.installation.createAPIToken(
        name: "Board", role: .manager, teams: [TeamID(1): .coverage], validFor: .hours(1), by: boss)
      let facts = try await manager.policies.privacyFacts()
      #expect(facts.teams.map(\.policy.preset) == [.strict])
      #expect(facts.teams.map { $0.contacts.map(\.address) } == [["x@example.org"]])
      #expect(facts.retention[.fixes] == 30 && facts.privacyNotice == nil)
      #expect(facts.tokens.map(\.name) == ["Board"] && facts.accounts.isEmpty)
      world.wait(.hours(2))
      #expect(try await manager.policies.privacyFacts().tokens.isEmpty, "it has expired")
    }
  }
}
