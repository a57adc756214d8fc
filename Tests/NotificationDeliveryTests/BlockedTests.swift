import DeviceOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

@Suite("A blocked clock-in") struct BlockedTests {
  @Test("is reported to managers at once, and those of the next minute in one notification")
  func blocked() async throws {  // R: W3
    try await DeliveryWorld.run(4) { world in
      for (number, phone) in world.phones.enumerated() {
        try await block(world, phone, "in")
        if number == 0 {
          try await world.deliver()
          #expect(world.post.collect() == ["email: An employee could not clock in"])
        }
      }
      try await world.deliver(at: .seconds(59))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(60))
      let body = try #require(world.post.sent.first?.outgoing.body)
      #expect(["Ada 2", "Ada 3", "Ada 4"].allSatisfy { body.contains($0) }, "\(body)")
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      try await world.deliver(at: .hours(30))
      #expect(try await world.waiting() == [] && world.post.collect() == [])
    }
  }

  @Test("is reported once per cooldown when the employee tries again")
  func blockedAgain() async throws {  // R: W3
    try await DeliveryWorld.run(2) { world in
      for (number, at) in [0, 30, 300, 660].enumerated() as EnumeratedSequence<[Int64]> {
        world.move(to: .seconds(at))
        try await block(world, world.phones[0], "in \(number)")
        try await world.deliver()
        #expect(
          world.post.collect()
            == (at == 30 || at == 300 ? [] : ["email: An employee could not clock in"]),
          "\(at)")
      }
      // Another employee is reported at once, in spite of the first one's cooldown.
      try await world.deliver(at: .seconds(800))
      try await block(world, world.phones[1], "in")
      try await world.deliver()
      #expect(world.post.collect() == ["email: An employee could not clock in"])
      try await world.deliver(at: .hours(30))
      #expect(try await world.waiting() == [] && world.post.collect() == [])
    }
  }

  private func block(_ world: DeliveryWorld, _ phone: TestPhone, _ attempt: String)
    async throws
  {
    try await phone.clockIn(attempt, reporting: .denied)
  }
}
