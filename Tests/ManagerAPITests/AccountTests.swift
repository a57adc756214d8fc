import HTTPServing
import InstallationOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

// R: W11
@Suite("Accounts") struct AccountTests {
  @Test("have passwords of at least twelve characters that are not easy to guess")
  func passwords() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let rows: [(String, Int)] = [
        ("elevenchars", 422), ("twelve chars", 201), ("aaaaaaaaaaaaaaaa", 422),
        ("ababababababab", 422), ("zofia@example.org", 422), ("Zofia Kowalska", 422),
        ("zofia kowalska1", 422), ("ŻÓŁĆ i gęś w deszczu", 201),
        (String(repeating: "long ", count: 204), 201),
        (String(repeating: "long ", count: 206), 422),
      ]
      for (place, (password, status)) in rows.enumerated() {
        let email = place < 4 || status == 201 ? "zofia\(place)@example.org" : "zofia@example.org"
        let body = """
          {"email":"\(email)","password":"\(password)","name":"Zofia Kowalska","role":"manager"}
          """
        let answer = try await all.send(.post, "/v1/accounts", body, page)
        #expect(answer.status == status, "\(password): \(answer.text)")
        #expect(!answer.text.contains(password))
      }
      // The Unicode composition of the typed password does not matter.
      let composed = "Z\u{307}O\u{301}ŁC\u{301} i ge\u{328}s\u{301} w deszczu"
      #expect(try await all.logIn("zofia7", composed).status == 201)
    }
  }

  @Test("change their password with the current one, which ends all other sessions")
  func changePassword() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira")
      let (here, there) = (try await all.page(of: "mira"), try await all.page(of: "mira"))
      let wanted = "another walk in the rain"
      let path = "/v1/account/password"
      let short = #"{"current":"\#(TwoTeamsWorld.password)","wanted":"short"}"#
      #expect(try await all.send(.put, path, short, here).status == 422)
      let body = #"{"current":"\#(TwoTeamsWorld.password)","wanted":"\#(wanted)"}"#
      let answer = try await all.send(.put, path, body, here)
      #expect(answer.status == 204)
      let next = try TwoTeamsWorld.page(with: answer.headers)
      for (page, status) in [(here, 401), (there, 401), (next, 200)] {
        #expect(try await all.send(.get, "/v1/account", "", page).status == status)
      }
      #expect(try await all.logIn("mira").status == 401)
      #expect(try await all.logIn("mira", wanted).status == 201)
    }
  }

  @Test("are added, changed and disabled by administrators, effective at once in open sessions")
  func administered() async throws {
    try await TwoTeamsWorld.withBoss { all, boss in
      let body = """
        {"email":"Mira@Example.org","password":"\(TwoTeamsWorld.password)","name":"Mira",
         "role":"manager","teams":[{"team":1,"rights":["coverage"]}],"employee":7}
        """
      let added = try await all.send(.post, "/v1/accounts", body, boss)
      #expect(added.status == 201 && added.headers["Location"] == "/v1/accounts/2")
      #expect(!added.text.contains("password") && !added.text.contains("scrypt"))
      #expect(try await all.send(.post, "/v1/accounts", body, boss).status == 409)
      let mira = try await all.page(of: "mira")
      #expect(try await all.send(.get, "/v1/employees/7/overrides", "", mira).status == 200)
      // Managers cannot override their own block.
      let input = #"{"findings":["denied"],"reason":"I may"}"#
      let own = try await all.send(.post, "/v1/employees/7/overrides", input, mira)
      #expect(own.status == 403 && own.text.contains("own_override"))
      all.wait(.milliseconds(1))
      let moved = try await all.send(
        .patch, "/v1/accounts/2", #"{"teams":[{"team":2,"rights":["coverage","track"]}]}"#, boss)
      #expect(moved.status == 200 && moved.text.contains(#""name":"Mira""#))
      let after = try await all.send(.get, "/v1/employees/7/overrides", "", mira)
      #expect(after.status == 404)
      #expect(after.headers["Set-Cookie"] != nil, "changed rights renew the secret")
      all.wait(.milliseconds(1))
      #expect(
        try await all.send(.patch, "/v1/accounts/2", #"{"disabled":true}"#, boss).status == 200)
      let page = try TwoTeamsWorld.page(with: after.headers)
      #expect(try await all.send(.get, "/v1/account", "", page).status == 401)
      #expect(try await all.logIn("mira").status == 401)
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 20)
      #expect(
        log.filter { $0.target == 2 }.map(\.action)
          == [.accountDisabled, .accountChanged, .accountAdded])
      #expect(log.filter { $0.target == 2 }.allSatisfy { $0.actor == "boss" })
    }
  }

  @Test("are changed completely or not at all")
  func wholly() async throws {
    try await TwoTeamsWorld.withBoss { (all, page) async throws in
      for (body, status) in [
        (#"{"name":"Sneaky","password":"short"}"#, 422),
        (#"{"name":"Sneaky","disabled":true}"#, 409),
      ] {
        #expect(try await all.send(.patch, "/v1/accounts/1", body, page).status == status)
        #expect(try await all.operations.installation.account(AccountID(1)).settings.name == "boss")
      }
    }
  }

  @Test("are changed one after the other when two changes arrive at the same time")
  func crossed() async throws {
    try await TwoTeamsWorld.run { all in
      let one = try await all.hire("one", .administrator)
      let other = try await all.hire("other", .administrator)
      let manager = try await all.hire("manager", teams: [1: .all])
      let (operations, boss) = (all.operations, all.boss)
      for _ in 0..<10 {
        let outcomes = try await withThrowingTaskGroup(of: AccountOutcome.self) { group in
          for account in [one, other] {
            group.addTask {
              try await operations.installation.setAccount(account, isDisabled: true, by: boss)
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .lastAdministrator } == 1, "\(outcomes)")
        for account in [one, other] {
          _ = try await operations.installation.setAccount(account, isDisabled: false, by: boss)
        }
        let tag = try await operations.installation.account(manager).tag
        let name = "manager \(tag)"
        async let renamed = operations.installation.changeAccount(
          manager, matching: [tag], by: boss
        ) {
          var input = $0
          input.name = name
          return input
        }
        async let stripped = operations.installation.changeAccount(
          manager, matching: [tag], by: boss
        ) {
          var input = $0
          input.teams = [:]
          return input
        }
        let both = [try await renamed, try await stripped]
        #expect(both.count { if case .kept = $0 { true } else { false } } == 1, "\(both)")
        _ = try await operations.installation.changeAccount(manager, by: boss) {
          var input = $0
          (input.name, input.teams) = ("manager", [TeamID(1): .all])
          return input
        }
      }
    }
  }

  @Test("keep at least one administrator and reject invalid settings")
  func impossible() async throws {
    try await TwoTeamsWorld.withBoss { all, boss in
      let rows: [(String, Int, String)] = [
        (#"{"disabled":true}"#, 409, "last_administrator"),
        (#"{"role":"manager"}"#, 409, "last_administrator"),
        (#"{"teams":[{"team":1,"rights":["coverage"]}]}"#, 422, "/teams"),
        (#"{"role":"manager","teams":[{"team":9,"rights":["coverage"]}]}"#, 422, "/teams"),
        (#"{"role":"manager","teams":[{"team":1,"rights":[]}]}"#, 422, "/teams/0/rights"),
        (#"{"role":"manager","teams":[{"team":1,"rights":["all"]}]}"#, 422, "/teams/0/rights/0"),
        (#"{"employee":99}"#, 422, "/employee"), (#"{"name":"  "}"#, 422, "/name"),
        (#"{"naem":"x"}"#, 422, "/naem"), (#"{"password":"short"}"#, 422, "/password"),
      ]
      for (body, status, part) in rows {
        let answer = try await all.send(.patch, "/v1/accounts/1", body, boss)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      #expect(try await all.send(.get, "/v1/accounts", "", boss).status == 200)
    }
  }

  @Test("get a new password hash at the next login after the cost is raised")
  func rehash() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira")
      let dearer = TestOperations(
        pool: all.pool, clock: all.clock,
        passwords: PasswordWork(cost: .init(logN: 5, blockSize: 8, rounds: 1)))
      let outcome = try await dearer.manager.installation.logIn(
        email: "mira@example.org", password: Password(TwoTeamsWorld.password),
        from: LoginOrigin(address: nil, userAgent: ""))
      guard case .loggedIn = outcome else {
        Issue.record("\(outcome)")
        return
      }
      let stored: String = try await all.pool.value("SELECT password FROM account")
      #expect(stored.hasPrefix("$scrypt$ln=5,r=8,p=1$"))
      #expect(try await all.logIn("mira").status == 201)
    }
  }
}
