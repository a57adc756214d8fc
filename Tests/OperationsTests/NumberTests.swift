import InstallationOperations
import NotificationOperations
import PeopleOperations
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Next numbers") struct NumberTests {
  private func withOperations(_ body: (TestOperations, TeamID) async throws -> Void) async throws {
    try await withDatabase(size: 12) { pool in
      let operations = TestOperations(pool: pool, clock: MovableClock())
      try await body(
        operations, try await operations.people.addTeam(name: "North", timeZone: "UTC"))
    }
  }

  /// What a dozen at once are given.
  private func dozen<Number: Sendable & Hashable>(
    _ make: @escaping @Sendable (Int) async throws -> Number
  ) async throws -> Set<Number> {
    try await withThrowingTaskGroup(of: Number.self) { group in
      for place in 0..<12 { group.addTask { try await make(place) } }
      return try await group.reduce(into: []) { $0.insert($1) }
    }
  }

  @Test("are another each for twelve at once: employees, teams, tokens, contacts, webhooks")
  func atOnce() async throws {
    try await withOperations { (operations, team) in
      for _ in 0..<3 {
        let employees = try await dozen { _ in
          try await operations.people.addEmployee(nil, name: "Ada", team: team)
        }
        #expect(employees.count == 12)
      }
      let teams = try await dozen { place in
        try await operations.people.addTeam(name: "Team \(place)", timeZone: "UTC")
      }
      #expect(teams.count == 12)
      let tokens = try await dozen { place in
        try await operations.installation.createAPIToken(
          name: "Token \(place)", role: .administrator, validFor: .hours(1)
        ).number
      }
      #expect(tokens.count == 12)
      _ = try await dozen { place in
        try await operations.notifications.addContact("boss\(place)@example.org", to: team)
        return place
      }
      #expect(try await operations.notifications.contacts(of: team).count == 12)
      let secrets = try await dozen { place in
        try await operations.notifications.addContact(
          "https://example.org/\(place)", by: .webhook, to: team)
      }
      #expect(secrets.count == 12)
    }
  }

  // R: W25
  @Test("are another each for twelve at once: what is written about one employee")
  func aboutOne() async throws {
    try await withDatabase(size: 12) { pool in
      let world = OperationsWorld(pool: pool)
      let (operations, ada, start) = (world.operations, EmployeeID(7), world.now)
      let manager = operations.manager
      let team = try await manager.people.addTeam(name: "North", timeZone: "UTC")
      _ = try await manager.people.addEmployee(ada, name: "Ada", team: team)
      let phone = try await TestPhone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(1))
      let notes = try await dozen { place in
        let outcome = try await operations.device.note(
          "Note \(place)", from: start, to: start + .seconds(9), on: 1,
          from: phone.credential, receipt: phone.receipt)
        guard case .added(let note) = outcome else { throw Unexpected("\(outcome)") }
        return note.number
      }
      #expect(notes.count == 12)
      let apps = try await dozen { _ in
        try await manager.people.enrol(
          PhoneAppRequest(.ownTracks, on: .ios), for: ada, by: .arranger
        )
        .device
      }
      #expect(apps.count == 12)
      let overrides = try await dozen { place in
        try await manager.reviews.giveOverride(
          to: ada, .all, reason: "Reason \(place)", by: .arranger
        ).get().row.number
      }
      #expect(overrides.count == 12)
      try await manager.notifications.addContact("boss@example.org", to: team)
      let tests = try await dozen { _ in
        try await manager.notifications.sendTest(toContact: 1, of: team, by: .arranger).get().id
      }
      #expect(tests.count == 12)
    }
  }

  // R: W25
  @Test("are another each for twelve at once: privacy notices; of one contact only one is added")
  func aboutNobody() async throws {
    try await withOperations { (operations, team) in
      let versions = try await dozen { place in
        try await operations.installation.setPrivacyNotice("Text \(place)", by: .arranger).version
      }
      #expect(versions.count == 12)
      let contacts = try await dozen { place in
        let outcome = try await operations.notifications.addContact(
          "boss@example.org", to: team, by: .arranger)
        if case .alreadyThere = outcome { return "there \(place)" }
        return "added"
      }
      #expect(contacts.count == 12)
    }
  }

  @Test(
    "of contacts are never given again, by no channel: attempts of removed ones still name them")
  func ofContacts() async throws {
    try await withOperations { (operations, team) in
      try await operations.notifications.addContact("boss@example.org", to: team)
      try await operations.notifications.addContact("https://example.org/", by: .webhook, to: team)
      try await operations.notifications.removeContact(
        "https://example.org/", by: .webhook, from: team)
      try await operations.notifications.addContact("mira@example.org", to: team)
      try await operations.notifications.removeContact("mira@example.org", from: team)
      try await operations.notifications.addContact("https://example.org/", by: .webhook, to: team)
      let contacts = try await operations.notifications.contacts(of: team)
      #expect(contacts.map(\.number) == [1, 4])
      #expect(contacts.map(\.secrets.count) == [0, 1])
    }
  }

  @Test("of an employee are found after another has the highest possible")
  func highest() async throws {
    try await withOperations { (operations, team) in
      _ = try await operations.people.addEmployee(EmployeeID(.max), name: "Max", team: team)
      #expect(
        try await operations.people.addEmployee(nil, name: "Ada", team: team) == EmployeeID(1))
      _ = try await operations.people.addEmployee(EmployeeID(.max - 1), name: "Nearly", team: team)
      _ = try await operations.people.addEmployee(EmployeeID(40), name: "Forty", team: team)
      #expect(
        try await operations.people.addEmployee(nil, name: "Bo", team: team) == EmployeeID(41))
    }
  }
}
