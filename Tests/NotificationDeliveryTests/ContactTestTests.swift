import InstallationOperations
import ManagerCore
import NotificationOperations
import NotificationQueue
import NotificationSending
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

@Suite("A test of one contact") struct ContactTestTests {
  private static let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

  private func result(_ test: ContactTest, _ world: DeliveryWorld) async throws -> ContactTest {
    try await world.operations.notifications.contactTest(
      test.id, toContact: test.contact.number, of: world.team)
  }

  // R: M4
  @Test("goes to this contact only, says whether it was accepted, and is in the audit log")
  func one() async throws {
    try await DeliveryWorld.run(2) { world in
      let manager = world.operations.manager
      let hook = try await manager.notifications.addContact(
        "https://example.com/hook", through: .webhook, to: world.team, by: Self.mira
      ).get().contact
      let test = try await manager.notifications.sendTest(
        toContact: hook.number, of: world.team, by: Self.mira
      ).get()
      #expect(test.state == .queued)
      #expect(try await result(test, world).state == .queued)
      try await world.deliver()
      #expect(world.post.sent.map(\.address.channel) == [.webhook])
      #expect(world.post.collect() == ["webhook: Test notification"])
      #expect(world.post.sent.allSatisfy { !$0.outgoing.body.contains("Ada") })
      let after = try await result(test, world)
      #expect(after.state == .delivered && after.reason == nil)
      let log = try await manager.installation.auditEntries(about: nil, limit: 9)
      #expect(log.filter { $0.action == .testSent }.map(\.target) == [world.team.rawValue])

      // The next one right away, to the other contact.
      let other = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: Self.mira
      ).get()
      try await world.deliver()
      #expect(world.post.collect() == ["email: Test notification"])
      #expect(try await result(other, world).state == .delivered)
      #expect(try await result(test, world).state == .delivered)
    }
  }

  @Test("says why it was refused, that it is tried again, and that it expired")
  func failures() async throws {
    try await DeliveryWorld.run { world in
      let manager = world.operations.manager
      world.post.answers { _ in .refused(reason: "status 550") }
      let refused = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: Self.mira
      ).get()
      try await world.deliver()
      let reply = try await result(refused, world)
      #expect(reply.state == .notDelivered && reply.reason == "status 550")
      world.post.answers { _ in .retry(reason: "status 421", after: .seconds(200)) }
      let test = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: Self.mira
      ).get()
      try await world.deliver()
      let tried = try await result(test, world)
      #expect(tried.state == .queued && tried.reason == "status 421")
      world.move(to: world.now - morning + .minutes(6))
      try await world.deliver()
      #expect(try await result(test, world).state == .notDelivered)
      #expect(try await world.operations.background.outboxLoad().dead == 0)
      world.post.answers { _ in .misconfigured(reason: "email is not set up") }
      let unset = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: Self.mira
      ).get()
      try await world.deliver()
      let answer = try await result(unset, world)
      #expect(answer.state == .notDelivered && answer.reason == "email is not set up")
    }
  }

  @Test("expires untried when its contact is removed meanwhile")
  func removed() async throws {
    try await DeliveryWorld.run { world in
      let manager = world.operations.manager
      let test = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: Self.mira
      ).get()
      try await manager.notifications.removeContact(1, from: world.team, by: Self.mira)
      try await world.deliver()
      #expect(world.post.sent.isEmpty)
      #expect(try await world.history() == ["test expired"])
      await #expect(throws: OperationError.self) { try await result(test, world) }
    }
  }

  @Test("is not found under another contact, team or number, and needs an employee")
  func unknown() async throws {
    try await DeliveryWorld.run { world in
      let (manager, team) = (world.operations.manager, world.team)
      let test = try await manager.notifications.sendTest(toContact: 1, of: team, by: Self.mira)
        .get()
      let other = try await manager.people.addTeam(name: "Empty", timeZone: "UTC")
      try await manager.notifications.addContact("boss@example.com", to: other)
      try await manager.notifications.addContact("boss@example.com", to: team)
      var wrong = test.id
      wrong.subject += 1
      for (id, contact, of) in [
        (test.id, Int16(2), team), (test.id, 1, other), (test.id, 1, TeamID(9)), (wrong, 1, team),
        (test.id, 9, team),
      ] {
        await #expect(throws: OperationError.self, "\(id) \(contact) \(of)") {
          try await manager.notifications.contactTest(id, toContact: contact, of: of)
        }
      }
      let refusal = await #expect(throws: Refusal.self) {
        try await manager.notifications.sendTest(toContact: 1, of: other, by: Self.mira).get()
      }
      #expect(refusal?.code == "no_employee")
    }
  }
}
