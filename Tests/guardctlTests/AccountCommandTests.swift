import Foundation
import InstallationOperations
import ShiftDomain
import Testing

// R: W11
@Suite("Accounts at the command line") struct AccountCommandTests {
  @Test("the first administrator gets a password once, and logs in with it")
  func admin() async throws {
    try await withWorld { world in
      let made = try await world.guardctl(
        "admin", "create", "--email", "Mira@example.org", "--name", "Mira")
      #expect(made.status == 0 && made.errors.contains("logs in as mira@example.org"))
      let password = made.output.trimmingCharacters(in: .newlines)
      #expect(password.wholeMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){4}/) != nil, "\(password)")
      let outcome = try await world.operations.installation.logIn(
        email: "mira@example.org", password: Password(password),
        from: LoginOrigin(address: "192.0.2.1", userAgent: "test"))
      guard case .loggedIn(let session) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(session.principal.role == .administrator)
      let again = try await world.guardctl(
        "admin", "create", "--email", "mira@example.org", "--name", "Other")
      #expect(again.status == 65)
      let sessions = try await world.guardctl("session", "list", "--account", "1")
      #expect(sessions.output.contains("\n\(session.session.rawValue)\t1\t"), "\(sessions.errors)")
      let id = "\(session.session.rawValue)"
      #expect(try await world.guardctl("session", "revoke", id).status == 0)
      #expect(try await world.guardctl("session", "revoke", id).status == 3)
      #expect(try await world.guardctl("session", "list").output.isEmpty)
      let log = try await world.guardctl("audit", "list", "--json", "--limit", "9")
      let rows = try #require(try log.json() as? [[String: Any]])
      #expect(
        rows.map { $0["action"] as? String } == [
          "session_revoked", "logged_in", "account_added", "employee_added", "team_added",
        ])
      #expect(!log.output.contains(password))
    }
  }

  @Test("a manager's teams are set and shown, and the last administrator stays")
  func managers() async throws {
    try await withWorld { world in
      let add = """
        echo 'a walk in the rain' | guardctl account add --email a@b.c --name Jon --role manager \
        --team 1:coverage,track --employee 7 --password-stdin --json
        """
      let added = try await bash(add, database: world.url)
      let teams = try #require(added.object["teams"] as? [[String: Any]], "\(added.errors)")
      #expect(teams.map { $0["team"] as? Int } == [1])
      #expect(teams.map { $0["rights"] as? [String] } == [["coverage", "track"]])
      #expect(added.object["employee"] as? Int == 7 && added.object["password"] == nil)
      let set = try await world.guardctl("account", "set-teams", "1", "--team", "1")
      #expect(set.status == 0, "\(set.errors)")
      #expect(try await world.guardctl("account", "show", "1").output.contains("1:coverage\n"))
      #expect(try await world.guardctl("account", "disable", "1").status == 0)
      #expect(try await world.guardctl("account", "enable", "1").status == 0)
      let reset = try await world.guardctl("account", "reset-password", "1")
      #expect(reset.status == 0 && reset.errors.contains("is logged out"))
      #expect(
        try await world.guardctl("admin", "create", "--email", "d@e.f", "--name", "D").status == 0)
      #expect(try await world.guardctl("account", "disable", "2").status == 65)
      for (words, status) in [
        (["account", "set-teams", "1", "--team", "9"], Int32(3)),
        (["account", "set-teams", "1", "--team", "1:all"], 64),
        (["account", "set-teams", "2", "--team", "1"], 64),
        (["account", "show", "9"], 3), (["session", "list", "--account", "9"], 3),
        (["session", "revoke", "x"], 64), (["audit", "list", "--employee", "99"], 3),
      ] {
        let run = try await guardctlTests.guardctl(words, database: world.url)
        #expect(run.status == status, "\(words): \(run.errors)")
      }
      let weak = """
        echo short | guardctl account reset-password 1 --password-stdin
        """
      #expect(try await bash(weak, database: world.url).status == 64)
    }
  }

  @Test("a manager's token sees its teams and no more")
  func tokens() async throws {
    try await withWorld { world in
      let made = try await world.guardctl(
        "token", "create", "--name", "board", "--role", "manager", "--expires", "1h", "--team",
        "1:coverage")
      #expect(made.status == 0, "\(made.errors)")
      let principal = try await world.operations.installation.authenticate(
        apiToken: made.output.trimmingCharacters(in: .newlines))
      #expect(principal.role == .manager && principal.teams == [TeamID(1): .coverage])
      let list = try await world.guardctl("token", "list")
      #expect(list.output.contains("\tmanager\t1:coverage\t"), "\(list.output)")
      let admin = try await world.guardctl(
        "token", "create", "--name", "board", "--role", "admin", "--expires", "1h", "--team", "1")
      #expect(admin.status == 64)
      let none = try await world.guardctl(
        "token", "create", "--name", "board", "--role", "manager", "--expires", "1h")
      #expect(none.status == 64)
      #expect(none.errors.contains("a manager's API token needs at least one team"))
    }
  }
}
