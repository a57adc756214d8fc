import DeviceOperations
import GuardRules
import PolicyOperations
import ShiftDomain
import Testing

@Suite("An app") struct AppSessionTests {
  // R: A11, B3, B5
  @Test(
    "shows an open incident once in each of its sessions under `advisory`, its end in one of those",
    arguments: [("s2", ["restored"], "delivered"), ("s3", [], "not_needed")])
  func sessions(last: String, shown: [String], ending: String) async throws {
    try await DeliveryWorld.run { world in
      var changes = PolicyChanges()
      changes.preset = .advisory
      _ = try await world.operations.policies.setPolicy(of: world.team, changes)
      try await world.lose()
      world.move(to: .seconds(20))
      #expect(try await look(world, in: "s1") == ["incident denied"])
      for second in [Int64(60), 90] {
        world.move(to: .seconds(second))
        #expect(try await look(world, in: "s1") == [], "the app reconnected")
      }
      world.move(to: .seconds(120))
      #expect(try await look(world, in: "s2") == ["incident denied"])
      for second in [Int64(180), 210] {
        world.move(to: .seconds(second))
        #expect(try await look(world, in: "s2") == [], "the app reconnected")
        #expect(try await look(world, in: nil) == [], "without a session: once a shift")
      }
      world.move(to: .seconds(240))
      try await world.report(.always)
      world.move(to: .seconds(242))
      #expect(try await look(world, in: last) == shown)
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(250))
      #expect(
        try await world.history()
          == ["incident delivered", "incident delivered", "restored \(ending)"])
    }
  }

  // R: A11
  @Test("shows an open incident once under any other policy, in whatever session")
  func standard() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(20))
      #expect(try await look(world, in: "s1") == ["incident denied"])
      world.move(to: .seconds(120))
      #expect(try await look(world, in: "s2") == [])
    }
  }

  /// What the app of employee 1 shows when it opens its stream.
  private func look(_ world: DeliveryWorld, in session: String?) async throws -> [String] {
    let position = try await world.phones[0].openStream(in: session, lease: .hours(3))
    return try await world.look(after: position).shown
  }
}
