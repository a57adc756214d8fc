import GuardRules
import ShiftDomain
import ShiftOperations
import Testing

@Suite("An app") struct AppSessionTests {
  // R: A11, B3, B5
  @Test("shows an open incident once in each of its sessions under `advisory`")
  func sessions() async throws {
    try await Crew.run { crew in
      var changes = PolicyChanges()
      changes.preset = .advisory
      _ = try await crew.operations.setPolicy(of: crew.team, changes)
      try await crew.lose()
      crew.move(to: .seconds(20))
      #expect(try await look(crew, in: "s1") == ["incident denied"])
      for second in [Int64(60), 90] {
        crew.move(to: .seconds(second))
        #expect(try await look(crew, in: "s1") == [], "it connects again")
      }
      crew.move(to: .seconds(120))
      #expect(try await look(crew, in: "s2") == ["incident denied"])
      for second in [Int64(180), 210] {
        crew.move(to: .seconds(second))
        #expect(try await look(crew, in: "s2") == [], "it connects again")
        #expect(try await look(crew, in: nil) == [], "without a session it shows it once a shift")
      }
      crew.move(to: .seconds(240))
      try await crew.report(.always)
      #expect(try await look(crew, in: "s3") == ["restored"])
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(250))
      #expect(try await crew.history() == ["incident told", "incident told", "restored told"])
    }
  }

  // R: A11
  @Test("shows an open incident once under any other policy, whatever its session")
  func standard() async throws {
    try await Crew.run { crew in
      try await crew.lose()
      crew.move(to: .seconds(20))
      #expect(try await look(crew, in: "s1") == ["incident denied"])
      crew.move(to: .seconds(120))
      #expect(try await look(crew, in: "s2") == [])
    }
  }

  /// What the app of employee 1 is shown when it opens its stream.
  private func look(_ crew: Crew, in session: String?) async throws -> [String] {
    let position = try await crew.operations.openStream(
      for: crew.phones[0], after: nil, in: session, lease: .hours(3),
      receipt: Receipt(at: crew.now, monotonic: .now))
    return try await crew.look(after: position).shown
  }
}
