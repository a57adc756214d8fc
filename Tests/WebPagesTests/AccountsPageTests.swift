import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

// R: W11
@Suite("The pages of accounts, teams and API tokens") struct AccountsPageTests {
  private func made(_ text: String) throws -> String {
    String(try #require(text.firstMatch(of: /<strong>([0-9A-Z-]+)<\/strong>/)).1)
  }

  @Test("an account is added with rights by team, and logs in with the password shown once")
  func adding() async throws {
    try await withQuietServer { server in
      let operations = server.day.operations
      let form = "name=%3Cb%3EZofia&role=manager&coverage=1&coverage=2&track=2&employee="
      let (answer, text) = try await server.post(
        "/settings/accounts", form + "&email=Zofia%40example.org")
      #expect(answer.status == 200 && text.contains("&lt;b&gt;Zofia") && !text.contains("<b>Zof"))
      let password = try made(text)
      let login = try await operations.installation.logIn(
        email: "zofia@example.org", password: Password(password),
        from: LoginOrigin(address: nil, userAgent: ""))
      guard case .loggedIn(let session) = login else {
        Issue.record("\(login)")
        return
      }
      #expect(session.principal.teams == [TeamID(1): .coverage, TeamID(2): .all])
      let (_, list) = try await server.get("/settings/accounts")
      #expect(list.contains("An account gets no notifications"))
      #expect(list.contains("Coast: coverage<br>Harbour: coverage and track"))
      #expect(try await !server.get("/settings/accounts/1").1.contains(password))
      for (wrong, fault) in [
        (form + "&email=zofia%40example.org", "Another account has this e-mail address"),
        (form + "&email=none", "The e-mail address is not valid"),
        ("name=+&role=manager&email=a%40b.c", "1 to 100 characters"),
        ("name=A&role=chief&email=a%40b.c", "valid role and teams"),
        ("name=A&role=manager&coverage=x&email=a%40b.c", "valid role and teams"),
        ("name=A&role=manager&coverage=99&email=a%40b.c", "Team 99 does not exist"),
        ("name=A&role=manager&employee=99&email=a%40b.c", "Employee 99 does not exist"),
        ("name=A&role=manager&employee=0&email=a%40b.c", "above zero"),
      ] {
        let (refused, told) = try await server.post("/settings/accounts", wrong)
        #expect(refused.status == 422 && told.contains(fault), "\(wrong)")
      }
      // The typed values are still there.
      let (_, kept) = try await server.post("/settings/accounts", form + "&email=%22%3E")
      #expect(kept.contains(#"value="&quot;&gt;""#) && kept.contains(#"value="&lt;b&gt;Zofia""#))
      #expect(kept.contains(#"value="2" aria-label="Track of Harbour" checked"#))
      #expect(kept.contains(#"value="1" aria-label="Track of Coast">"#))
      #expect(try await operations.installation.accounts().count == 1)
    }
  }

  @Test("an account is edited, given a password, disabled and enabled; stale edits are refused")
  func changing() async throws {
    try await withQuietServer { server in
      let operations = server.day.operations
      for (name, role) in [("Boss", AccessRole.administrator), ("Mira", .manager)] {
        _ = try await operations.installation.addAccount(
          email: "\(name)@example.org", AccountSettings(name: name, role: role),
          password: Password("a walk in the rain"), by: PageServer.principal)
      }
      let path = "/settings/accounts/2"
      let tag = try await server.tag(on: path)
      // An administrator sees every team, whatever is selected.
      for (form, teams) in [
        ("role=manager&track=3", [TeamID(3): .track]), ("role=admin&track=3", [:]),
      ] as [(String, [TeamID: TeamRights])] {
        let tag = try await server.tag(on: path)
        let (saved, _) = try await server.post(path, "name=Mira&employee=&tag=\(tag)&" + form)
        #expect(saved.headers["Location"] == path + "?done=saved")
        #expect(try await operations.installation.account(AccountID(2)).settings.teams == teams)
      }
      // A form that comes back keeps the tag of the version that was read first.
      let (again, form) = try await server.post(
        path, "name=Late&role=manager&employee=none&tag=\(tag)")
      #expect(again.status == 422 && form.contains("name=\"tag\" value=\"\(tag)\""))
      let (late, told) = try await server.post(path, "name=Late&role=manager&tag=\(tag)")
      #expect(
        late.status == 422 && told.contains("The account has changed since you read it"))
      #expect(told.contains(#"value="admin" required checked"#) && !told.contains("Late"))
      let (_, sure) = try await server.post(path + "/password", "")
      #expect(sure.contains("Create a new password for Mira?") && !sure.contains("<strong>"))
      let (reset, shown) = try await server.post(path + "/password", "sure=yes")
      let password = Password(try made(shown))
      let origin = LoginOrigin(address: nil, userAgent: "")
      #expect(reset.status == 200)
      for (isDisabled, step) in [(true, "disable"), (false, "enable")] {
        #expect(try await server.post("\(path)/\(step)", "sure=yes").0.status == 303)
        #expect(try await server.get(path).1.contains("nobody can log in with it") == isDisabled)
        let login = try await operations.installation.logIn(
          email: "mira@example.org", password: password, from: origin)
        #expect((login == .refused) == isDisabled)
      }
      #expect(try await server.post(path + "/disable", "sure=yes").0.status == 303)
      let (last, why) = try await server.post("/settings/accounts/1/disable", "sure=yes")
      #expect(last.status == 422 && why.contains("the last active administrator"))
      #expect(try await server.get("/settings/accounts/9").0.status == 404)
    }
  }

  @Test("an account that was just disabled is enabled again by Undo")
  func undone() async throws {
    try await withQuietServer { server in
      let operations = server.day.operations
      for (name, role) in [("Boss", AccessRole.administrator), ("Mira", .manager)] {
        _ = try await operations.installation.addAccount(
          email: "\(name)@example.org", AccountSettings(name: name, role: role),
          password: Password("a walk in the rain"), by: PageServer.principal)
      }
      let path = "/settings/accounts/2"
      let (_, question) = try await server.post(path + "/disable", "")
      #expect(question.contains("Disable the account of Mira?"))
      #expect(try await operations.installation.account(AccountID(2)).disabledAt == nil)
      let (disabled, _) = try await server.post(path + "/disable", "sure=yes")
      let (_, text) = try await server.get(try #require(disabled.headers["Location"]))
      #expect(text.contains("Account disabled.") && text.contains(">Undo</button>"))
      #expect(try await operations.installation.account(AccountID(2)).disabledAt != nil)
      let undo = try #require(text.firstMatch(of: /action="(\S+enable)"/)).1
      #expect(try await server.post(String(undo), "next=").0.status == 303)
      #expect(try await operations.installation.account(AccountID(2)).disabledAt == nil)
      #expect(try await !server.get(path + "?done=disabled").1.contains(">Undo</button>"))
    }
  }

  @Test("an API token is shown once, gives its rights, and is revoked")
  func tokens() async throws {
    try await withQuietServer { server in
      let form = "name=Pay+%3Cb%3E&days=30&role=manager&coverage=2"
      let (answer, text) = try await server.post("/settings/tokens", form)
      #expect(answer.status == 200)
      let token = String(try #require(text.firstMatch(of: /<code>(sga_[^<]+)<\/code>/)).1)
      let principal = try await server.day.operations.installation.authenticate(apiToken: token)
      #expect(principal.teams == [TeamID(2): .coverage] && principal.actor.name == "Pay <b>")
      let (_, list) = try await server.get("/settings/tokens")
      #expect(list.contains("Pay &lt;b&gt;") && !list.contains(token))
      #expect(list.contains("Sun 20 Dec, 11:42"))
      for wrong in [
        "name=+&days=30&role=manager", "name=a&days=9&role=manager", "name=a&days=30&role=x",
        "name=a&days=30&role=manager&track=99",
        "name=\(String(repeating: "x", count: 101))&days=30&role=manager",
      ] {
        #expect(try await server.post("/settings/tokens", wrong).0.status == 422, "\(wrong)")
      }
      let (_, why) = try await server.post("/settings/tokens", "name=a&days=30&role=manager")
      #expect(why.contains("API token needs at least one team."))
      let (_, question) = try await server.post("/settings/tokens/1/revoke", "")
      #expect(question.contains("Revoke the token “Pay &lt;b&gt;”?"))
      _ = try await server.day.operations.installation.authenticate(apiToken: token)
      let (revoked, _) = try await server.post("/settings/tokens/1/revoke", "sure=yes")
      #expect(revoked.headers["Location"] == "/settings/tokens?done=revoked")
      await #expect(throws: OperationError.unauthorized) {
        _ = try await server.day.operations.installation.authenticate(apiToken: token)
      }
      #expect(try await server.get("/settings/tokens").1.contains("<td>revoked"))
      #expect(try await server.post("/settings/tokens/1/revoke", "").0.status == 404)
    }
  }

  @Test("a team is added and renamed; stale edits are refused")
  func teams() async throws {
    try await withQuietServer { server in
      let (added, _) = try await server.post(
        "/settings/teams", "name=%3Ci%3EEast&zone=Asia%2FTokyo&preset=strict")
      #expect(added.headers["Location"] == "/settings/teams?done=saved")
      let (_, list) = try await server.get("/settings/teams")
      #expect(list.contains("&lt;i&gt;East</a><td class=\"number\">0<td>Asia/Tokyo"))
      let path = "/settings/teams/4/edit"
      let tag = try await server.tag(on: path)
      for (form, fault) in [
        ("name=Coast&zone=UTC", "Another team has this name"),
        ("name=East&zone=Mars", "must be a continent and a city"),
        ("name=+&zone=UTC", "1 to 100 characters"),
      ] {
        for (place, rest) in [
          (path, "&rounding=none&tag=\(tag)"), ("/settings/teams", "&preset=standard"),
        ] {
          let (refused, told) = try await server.post(place, form + rest)
          #expect(refused.status == 422 && told.contains(fault), "\(place) \(form)")
        }
      }
      let edit = "zone=UTC&rounding=none&tag=\(tag)&name="
      #expect(try await server.post(path, edit + "East").0.status == 303)
      let (late, told) = try await server.post(path, edit + "Far+East")
      #expect(late.status == 422 && told.contains("The team has changed since you read it"))
      #expect(told.contains(#"value="East""#))
      let team = try await server.day.operations.people.team(TeamID(4))
      #expect(team.name == "East" && team.timeZone == "UTC" && team.preset == .strict)
    }
  }

  @Test("are offered to administrators only")
  func offered() async throws {
    let places = ["employees", "teams", "accounts", "tokens"].map { "href=\"/settings/\($0)\"" }
    try await withQuietServer { server in
      let (_, text) = try await server.get("/settings")
      for place in places { #expect(text.contains(place)) }
    }
    let manager = Principal(
      actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])
    try await withQuietServer(principal: manager) { server in
      let (_, text) = try await server.get("/settings")
      for place in places { #expect(!text.contains(place)) }
    }
  }
}

@Suite("Browser names") struct BrowserNameTests {
  static let rows = [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
      "Chrome on Windows"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
      "Edge on Windows"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Safari/604.1",
      "Safari on iPhone"
    ),
    ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1", "Safari on Mac"),
    ("curl/8.14", "curl/8.14"), ("", "An unknown program"), ("thing (Linux)", "A program on Linux"),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 60)),
  ]

  @Test("are derived from the user agent", arguments: rows) func named(_ row: (String, String)) {
    #expect(browserName(row.0) == row.1)
  }
}
