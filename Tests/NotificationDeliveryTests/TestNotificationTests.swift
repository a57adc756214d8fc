import BackgroundOperations
import NotificationOperations
import NotificationQueue
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import Testing

@testable import NotificationDelivery

@Suite("A test notification") struct TestNotificationTests {
  private static let ada = EmployeeID(1)

  /// Each answer: the channel, the outcome, and whether it is final.
  private func answers(_ world: DeliveryWorld, _ test: TestNotification) async throws -> [String] {
    try await world.operations.notifications.answers(to: test).map { answer in
      "\(answer.way.channel?.code ?? "app") \(answer.outcome?.code ?? "-") \(answer.isFinal)"
    }
  }

  @Test("is sent by every available channel, marked as a test, and shows each outcome")
  func everyWay() async throws {
    try await DeliveryWorld.run { world in
      let test = try await world.operations.notifications.sendTest(to: Self.ada)
      #expect(try await answers(world, test) == ["fcm - false", "email - false"])
      world.post.answers { address in
        address.channel == .fcm ? .accepted(reference: "m1") : .refused(reason: "status 550")
      }
      try await world.deliver()
      #expect(world.post.sent.map(\.outgoing.event) == ["test", "test"])
      #expect(Set(world.post.sent.map(\.outgoing.key)) == ["e1-t10-s1-o2", "e1-t10-s1-o3"])
      #expect(
        Set(world.post.collect()) == ["fcm: Test notification", "email: Test notification"])
      #expect(try await answers(world, test) == ["fcm accepted true", "email refused true"])
      #expect(
        try await world.operations.notifications.answers(to: test).last?.reason == "status 550")
      #expect(Set(try await world.history()) == ["test delivered", "test expired"])
      #expect(
        try await world.operations.background.outboxLoad().dead == 0, "a test is no dead letter")
      let second = try await world.operations.notifications.sendTest(to: Self.ada, at: [.email])
      #expect(second.number == 2 && second.ways.map(\.place) == ["ada1@example.com"])
    }
  }

  @Test("is shown by an open app, or reports that it was not")
  func openApp() async throws {
    try await DeliveryWorld.run(hasPush: false) { world in
      try await world.open()
      let test = try await world.operations.notifications.sendTest(to: Self.ada, at: [.inApp])
      try await world.deliver()
      #expect(try await answers(world, test) == ["app - false"])
      try await world.write([markWritten(upTo: 1, of: Self.ada, at: world.now)])
      try await world.deliver(at: .seconds(1))
      #expect(try await answers(world, test) == ["app accepted true"])
      let other = try await world.operations.notifications.sendTest(
        to: Self.ada, at: [.inApp, .push])
      try await world.deliver(at: .seconds(2))
      try await world.deliver(at: .seconds(3))
      #expect(try await answers(world, other) == ["app - true"])
    }
  }

  @Test("for a team goes to all its contacts and webhooks, even right after another one")
  func managers() async throws {
    try await DeliveryWorld.run(2) { world in
      try await world.write(
        insertContact(
          "https://example.com/hook", by: .webhook, language: "en", secret: Array(0..<32),
          of: world.team))
      for _ in 0..<2 {
        let test = try await world.operations.notifications.sendTest(toManagersOf: world.team)
        try await world.deliver()
        #expect(
          try await answers(world, test) == ["email accepted true", "webhook accepted true"])
        #expect(world.post.sent.map(\.outgoing.body).allSatisfy { !$0.contains("Ada") })
        #expect(
          Set(world.post.collect()) == ["email: Test notification", "webhook: Test notification"])
      }
      // Real notifications that follow are not delayed, and do not include the test.
      try await world.lose()
      try await world.deliver(at: .seconds(660))
      #expect(world.post.sent.last?.outgoing.title == "Tracking of a shift is interrupted")
    }
  }

  @Test("for a team belongs to an active employee, and is refused if there is none")
  func inactive() async throws {
    try await DeliveryWorld.run(2) { world in
      let manager = world.operations.manager
      _ = try await manager.people.deactivate(Self.ada, by: .arranger).get()
      let test = try await manager.notifications.sendTest(toManagersOf: world.team)
      #expect(test.employee == EmployeeID(2))
      let single = try await manager.notifications.sendTest(
        toContact: 1, of: world.team, by: .arranger
      ).get()
      #expect(single.id.employee == EmployeeID(2))
      _ = try await manager.people.deactivate(EmployeeID(2), by: .arranger).get()
      await #expect(
        throws: OperationError.conflict("team 1 has no active employee, and a test needs one")
      ) { try await manager.notifications.sendTest(toManagersOf: world.team) }
      #expect(
        try await manager.notifications.sendTest(toContact: 1, of: world.team, by: .arranger)
          == .noEmployee(world.team))
    }
  }

  @Test("that is not accepted within five minutes expires")
  func late() async throws {
    try await DeliveryWorld.run { world in
      world.post.answers { _ in .retry(reason: "busy", after: .seconds(200)) }
      let test = try await world.operations.notifications.sendTest(to: Self.ada, at: [.push])
      try await world.deliver()
      #expect(try await answers(world, test) == ["fcm retry true"])
      try await world.deliver(at: .seconds(200))
      #expect(world.post.collect().count == 2)
      #expect(try await world.history() == ["test expired"])
    }
  }

  private func isRefused(_ body: () async throws -> TestNotification) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch {
      guard case OperationError.notFound = error else { return false }
      return true
    }
  }

  @Test("is refused for an unknown recipient or a missing channel")
  func nobody() async throws {
    try await DeliveryWorld.run(hasPush: false) { world in
      let operations = world.operations
      #expect(
        await isRefused { try await operations.notifications.sendTest(to: Self.ada, at: [.push]) })
      #expect(await isRefused { try await operations.notifications.sendTest(to: EmployeeID(9)) })
      #expect(
        await isRefused { try await operations.notifications.sendTest(toManagersOf: TeamID(9)) })
      let waiting = try await world.waiting()
      #expect(waiting.isEmpty)
    }
  }
}
