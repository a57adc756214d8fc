import HTTPServing
import InstallationOperations
import ShiftDomain
import ShiftTestKit
import Testing

// R: W11
@Suite("The own account page") struct OwnAccountPageTests {
  private let firefox = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"

  private func post(
    _ all: TwoTeamsWorld, _ path: String, _ form: String = "", as page: HTTPHeaders
  ) async throws -> APIAnswer {
    var headers = page
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return try await all.send(.post, path, form, headers)
  }

  private func isIn(_ page: HTTPHeaders, _ all: TwoTeamsWorld) async throws -> Bool {
    try await all.send(.get, "/account", "", page).status == 200
  }

  /// Logs Mira in from three places; the last session makes the requests.
  private func run(
    _ body: (TwoTeamsWorld, _ phone: HTTPHeaders, _ controller: HTTPHeaders, _ here: HTTPHeaders)
      async throws -> Void
  ) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      try await all.hire("mira", teams: [1: .all, 2: .coverage], employee: 7)
      var pages: [HTTPHeaders] = []
      for (address, agent) in [("192.0.2.7", "<b>phone"), ("192.0.2.8", firefox), ("", "")] {
        let answer = try await all.logIn(
          "mira", TwoTeamsWorld.password, ["User-Agent": agent], from: address)
        pages.append(try TwoTeamsWorld.page(with: answer.headers))
        all.wait(.minutes(2))
      }
      try await body(all, pages[0], pages[1], pages[2])
    }
  }

  @Test("shows the name, the rights and the sessions")
  func story() async throws {
    try await run { all, _, controller, here in
      let answer = try await all.send(.get, "/account", "", here)
      let text = answer.text
      #expect(answer.status == 200)
      for part in [
        "<h1>mira</h1>", "Manager · mira@example.org", "Your employee number is 7",
        "North: coverage and track<br>South: coverage", "Firefox on Linux",
        "&lt;b&gt;phone", "From 192.0.2.7 since 09:30", "From an unknown address since 09:34",
        #"<a href="/account" title="Your account" aria-current="page">mira</a>"#,
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      #expect(!text.contains("<b>phone"))
      // The current session has no button here: logging out ends it.
      #expect(text.matches(of: /sessions\/[0-9]+\/end/).count == 2)
      #expect(text.split(separator: "this session").count == 2)
      let boss = try await all.send(.get, "/account", "", try await all.page(of: "boss")).text
      #expect(boss.contains("Every team") && !boss.contains("End all other sessions"))
      #expect(try await isIn(controller, all))
    }
  }

  @Test("ends one session or all others, and only one's own")
  func sessions() async throws {
    try await run { all, phone, controller, here in
      let mira = try await all.operations.installation.accounts().first {
        $0.settings.name == "mira"
      }
      let sessions = try await all.operations.installation.sessions(of: mira?.account)
      let boss = try await all.page(of: "boss")
      let first = "/account/sessions/\(try #require(sessions.last).session.rawValue)/end"
      // This page also limits an administrator to their own account; sessions of others count as
      // ended.
      #expect(try await post(all, first, "sure=yes", as: boss).status == 303)
      #expect(try await isIn(phone, all))
      #expect(try await post(all, first, as: here).text.contains("End the session of"))
      let others = try await post(all, "/account/sessions/end", as: here)
      #expect(others.status == 200 && others.text.contains("End all other sessions?"))
      #expect(try await isIn(phone, all))
      let ended = try await post(all, first, "sure=yes", as: here)
      #expect(ended.status == 303 && ended.headers["Location"] == "/account?done=endedOne")
      #expect(try await !isIn(phone, all))
      #expect(try await isIn(controller, all))
      let again = try await post(all, first, as: here)
      #expect(again.headers["Location"] == "/account?done=endedOne")
      for _ in 1...2 {
        #expect(try await post(all, "/account/sessions/end", "sure=yes", as: here).status == 303)
        #expect(try await !isIn(controller, all))
        #expect(try await isIn(here, all))
      }
      #expect(try await isIn(boss, all))
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 20)
      #expect(log.count { $0.action == .sessionRevoked && $0.actor == "mira" } == 2)
    }
  }

  // R: M4
  @Test("switches alerts on and off in a browser, which logging out does, too")
  func alerts() async throws {
    try await run { all, phone, controller, here in
      let first = try await all.send(.get, "/account", "", controller).text
      #expect(first.contains(#"data-push-key="BCVxsr7N" hidden"#))
      #expect(first.contains("add this page to the Home Screen"))
      let key =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
      let form = "p256dh=\(key)&auth=BTBZMqHH6r4Tts7J_aSIgg&endpoint=https%3A%2F%2Fpush.example%2F"
      for wrong in [
        "", "endpoint=https%3A%2F%2Fpush.example", form.replacing("https", with: "http"),
      ] {
        let refused = try await post(all, "/account/browsers", wrong, as: controller)
        #expect(refused.status == 422 && refused.text.contains("no usable address"), "\(wrong)")
      }
      for (page, place) in [(controller, "a"), (phone, "b")] {
        let added = try await post(all, "/account/browsers", form + place, as: page)
        #expect(added.status == 303 && added.headers["Location"] == "/account?done=alertsOn")
      }
      let listed = try await all.send(.get, "/account?done=alertsOn", "", controller).text
      #expect(listed.contains("Alerts are on in this browser."))
      #expect(listed.split(separator: "this browser</span>").count == 2)
      let removals = listed.matches(of: /\/account\/browsers\/[0-9]+\/remove/).map(\.output)
      #expect(removals.count == 2)
      let boss = try await all.page(of: "boss")
      for place in removals { _ = try await post(all, String(place), as: boss) }
      _ = try await post(all, "/logout", as: phone)
      let rest = try await all.send(.get, "/account", "", controller).text
      #expect(rest.matches(of: /browsers\/[0-9]+\/remove/).count == 1)
      for place in removals {
        #expect(try await post(all, String(place), as: here).status == 303)
      }
      #expect(try await post(all, "/account/browsers/99999/remove", as: here).status == 404)
      let none = try await all.send(.get, "/account", "", here).text
      #expect(none.matches(of: /browsers\/[0-9]+\/remove/).isEmpty)
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 20)
      #expect(log.count { $0.action == .browserAdded && $0.actor == "mira" } == 2)
      #expect(log.count { $0.action == .browserRemoved } == 1)
    }
  }

  @Test("changes the password with the current one, and keeps only this session")
  func password() async throws {
    try await run { all, phone, _, here in
      let present = TwoTeamsWorld.password.replacing(" ", with: "+")
      let wanted = "another+walk+by+the+sea"
      for (form, status, fault) in [
        ("current=\(present)&wanted=\(wanted)&again=x", 422, "two new passwords are different"),
        ("current=wrong+one&wanted=\(wanted)&again=\(wanted)", 422, "current password is wrong"),
        ("current=\(present)&wanted=short&again=short", 422, "at least 12 characters"),
        ("", 422, "current password is wrong"),
      ] {
        let answer = try await post(all, "/account/password", form, as: here)
        let text = answer.text
        #expect(answer.status == status && text.contains(fault), "\(form)")
        #expect(!text.contains("walk") && !text.contains("wrong one") && !text.contains("short\""))
      }
      let form = "current=\(present)&wanted=\(wanted)&again=\(wanted)"
      let changed = try await post(all, "/account/password", form, as: here)
      #expect(changed.status == 303 && changed.headers["Location"] == "/account?done=password")
      let next = try TwoTeamsWorld.page(with: changed.headers)
      #expect(try await isIn(next, all))
      for page in [phone, here] { #expect(try await !isIn(page, all)) }
      #expect(try await all.logIn("mira").status == 401)
      #expect(try await all.logIn("mira", "another walk by the sea").status == 201)
      // Guessing here is limited as at login.
      var status = 0
      for _ in 1...11 {
        status = try await post(
          all, "/account/password", "current=x&wanted=\(wanted)&again=\(wanted)", as: next
        ).status
      }
      #expect(status == 429)
    }
  }
}
