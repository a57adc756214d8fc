import InstallationOperations
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The browsers of an account") struct AccountBrowserTests {
  private static let password = Password("a walk in the rain")
  private static let key =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

  private func target(_ address: String, _ key: String = key, _ secret: String = secret)
    -> PushTarget?
  {
    PushTarget(endpoint: address, p256dh: key, auth: secret, at: .init(milliseconds: 0))
  }

  /// Mate and Mira with two sessions each.
  private func run(
    _ body: (OperationsWorld, [NewSession], [NewSession]) async throws -> Void
  ) async throws {
    try await withWorld { world in
      var sessions: [[NewSession]] = []
      for name in ["mate", "mira"] {
        _ = try await world.operations.manager.installation.addAccount(
          email: "\(name)@example.com", AccountSettings(name: name, role: .administrator),
          password: Self.password, by: world.principal)
        var own: [NewSession] = []
        for _ in 1...2 {
          own.append(try await logIn(name, in: world))
        }
        sessions.append(own)
      }
      try await body(world, sessions[0], sessions[1])
    }
  }

  private func logIn(
    _ name: String, _ password: Password = password, replacing former: String? = nil,
    in world: OperationsWorld
  ) async throws -> NewSession {
    try await world.operations.manager.installation.logIn(
      email: "\(name)@example.com", password: password,
      from: LoginOrigin(address: "", userAgent: ""), replacing: former
    ).get()
  }

  private func switchOn(_ place: String, _ session: NewSession, in world: OperationsWorld)
    async throws -> BrowserOutcome
  {
    try await world.operations.manager.notifications.addBrowser(
      target("https://push.example/\(place)"), named: "Firefox\0 😀",
      of: try #require(session.principal.account), in: session.session, by: session.principal)
  }

  private func browsers(of session: NewSession, in world: OperationsWorld) async throws -> [String]
  {
    try await world.operations.manager.notifications.browsers(
      of: try #require(session.principal.account)
    ).map { String($0.address.suffix(1)) }.sorted()
  }

  // R: M4, W11
  @Test("are added once by however many at once, at most twenty, and belong to who was there last")
  func added() async throws {
    try await run { world, mate, mira in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            let outcome = try await switchOn("a", mate[0], in: world)
            #expect(outcome == .added)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await browsers(of: mate[0], in: world) == ["a"])
      #expect(try await switchOn("a", mira[0], in: world) == .added)
      #expect(try await browsers(of: mate[0], in: world) == [])
      for place in 1..<browsersMax {
        #expect(try await switchOn("\(place)", mira[0], in: world) == .added)
      }
      #expect(try await switchOn("one more", mira[0], in: world) == .notASubscription)
      #expect(try await switchOn("z", mira[0], in: world) == .tooMany)
      #expect(try await switchOn("a", mira[1], in: world) == .added)
      let all = try await world.operations.manager.notifications.browsers(
        of: try #require(mira[0].principal.account))
      #expect(all.count == browsersMax && all.allSatisfy { $0.userAgent == "Firefox 😀" })

      // Only their own account removes them.
      let number = try #require(all.first).number
      for session in [mate[0], mira[0], mira[0]] {
        try await world.operations.manager.notifications.removeBrowser(
          number, of: try #require(session.principal.account), by: session.principal)
      }
      let log = try await world.operations.manager.installation.auditEntries(about: nil, limit: 99)
      #expect(log.count { $0.action == .browserRemoved && $0.actor == "mira" } == 1)
      #expect(log.count { $0.action == .browserRemoved } == 1)
      #expect(log.allSatisfy { $0.reason?.contains("push.example") != true })
    }
  }

  @Test("are refused if they are no subscriptions to a push service over HTTPS")
  func refused() {
    let address = "https://push.example/a"
    #expect(target(address) != nil)
    for other in [
      "", "http://push.example/a", "https://", "https://a b", "https://push.example/\0",
    ] {
      #expect(target(other) == nil, "\(other)")
    }
    #expect(target("https://" + String(repeating: "a", count: 2_041)) == nil)
    for (key, secret) in [
      ("", Self.secret), ("BA", Self.secret), (String(Self.key.dropLast(3)), Self.secret),
      ("B" + String(repeating: "A", count: 86), Self.secret), (Self.key, ""), (Self.key, "AAAA"),
      (Self.key + "\0", Self.secret), (Self.key, Self.key),
    ] {
      #expect(target(address, key, secret) == nil, "\(key) \(secret)")
    }
  }

  // R: W11
  @Test(
    "go with the session that somebody ends, and all with a disabled account or a reset password")
  func ended() async throws {
    try await run { world, mate, mira in
      let installation = world.operations.manager.installation
      let account = try #require(mate[0].principal.account)
      /// Two new sessions, each with a browser.
      func sessions(_ password: Password = Self.password) async throws -> [NewSession] {
        var both: [NewSession] = []
        for _ in 1...2 { both.append(try await logIn("mate", password, in: world)) }
        #expect(try await switchOn("a", both[0], in: world) == .added)
        #expect(try await switchOn("b", both[1], in: world) == .added)
        #expect(try await browsers(of: both[0], in: world) == ["a", "b"])
        return both
      }
      #expect(try await switchOn("c", mira[0], in: world) == .added)
      let first = try await sessions()
      try await installation.endSession(
        first[1].session, of: account, isLogOut: true, by: first[0].principal)
      #expect(try await browsers(of: first[0], in: world) == ["a"])
      // A request that arrives after the logout.
      await #expect(throws: OperationError.unauthorized) {
        try await switchOn("b", first[1], in: world)
      }
      let second = try await sessions()
      try await installation.endOtherSessions(
        than: second[0].session, of: account, by: second[0].principal)
      #expect(try await browsers(of: second[0], in: world) == ["a"])
      let third = try await sessions()
      _ = try await installation.changePassword(
        from: Self.password, to: Password("a walk by the sea"), in: third[0].session, of: account
      ).get()
      #expect(try await browsers(of: third[0], in: world) == ["a"])
      let fourth = try await sessions(Password("a walk by the sea"))
      _ = try await installation.resetPassword(
        of: account, to: Password("a walk in the wood"), by: mira[0].principal
      ).get()
      #expect(try await browsers(of: fourth[0], in: world) == [])
      let fifth = try await sessions(Password("a walk in the wood"))
      _ = try await installation.setAccount(account, isDisabled: true, by: mira[0].principal).get()
      #expect(try await browsers(of: fifth[0], in: world) == [])
      await #expect(throws: OperationError.unauthorized) {
        try await switchOn("a", fifth[0], in: world)
      }
      #expect(try await browsers(of: mira[0], in: world) == ["c"])
    }
  }

  // R: W11
  @Test("go on with another login in the same browser, or go if that is of another account")
  func loggedInAgain() async throws {
    try await run { world, mate, mira in
      let installation = world.operations.manager.installation
      #expect(try await switchOn("a", mate[0], in: world) == .added)
      let again = try await logIn("mate", replacing: mate[0].secret, in: world)
      #expect(try await browsers(of: again, in: world) == ["a"])
      try await installation.endSession(
        again.session, of: again.principal.account, isLogOut: true, by: again.principal)
      #expect(try await browsers(of: again, in: world) == [])
      #expect(try await switchOn("b", mira[0], in: world) == .added)
      _ = try await logIn("mate", replacing: mira[0].secret, in: world)
      #expect(try await browsers(of: mira[0], in: world) == [])
    }
  }
}
