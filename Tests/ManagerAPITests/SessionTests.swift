import HTTPAPI
import HTTPServing
import InstallationOperations
import ShiftDomain
import Testing

// R: W11
@Suite("A session") struct SessionTests {
  @Test("has a cookie that is sent only to its own host and hidden from scripts")
  func cookie() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      let answer = try await all.logIn("mira")
      #expect(answer.status == 201)
      let expected =
        #"{"account":1,"name":"mira","role":"manager","teams":[{"team":1,"rights":["coverage"]}]}"#
      #expect(answer.text == expected)
      let cookie = try #require(answer.headers["Set-Cookie"])
      let parts = cookie.split(separator: "; ")
      #expect(parts[0].wholeMatch(of: /__Host-session=sgs_\d+_[A-Za-z0-9_-]{43}/) != nil)
      #expect(
        parts.dropFirst() == ["Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=604800"])
      #expect(answer.headers["Cache-Control"] == "no-store")
      #expect(!answer.text.contains("sgs_"))
      let page = try TwoTeamsWorld.page(with: answer.headers)
      #expect(try await all.send(.get, "/v1/account", "", page).text == expected)
      let out = try await all.send(.delete, "/v1/sessions/current", "", page)
      #expect(out.status == 204)
      #expect(out.headers["Set-Cookie"]?.hasPrefix("__Host-session=; ") == true)
      #expect(out.headers["Set-Cookie"]?.hasSuffix("; Max-Age=0") == true)
      #expect(try await all.send(.get, "/v1/account", "", page).status == 401)
    }
  }

  @Test("is refused with the same text whatever is wrong")
  func refused() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      let gone = try await all.hire("gone")
      _ = try await all.operations.installation.setAccount(gone, isDisabled: true, by: all.boss)
      var texts: Set<String> = []
      for (name, password) in [
        ("mira", "a walk in the raim"), ("nobody", TwoTeamsWorld.password),
        ("gone", TwoTeamsWorld.password), ("mira", String(repeating: "x", count: 4_096)),
      ] {
        let answer = try await all.logIn(name, password)
        #expect(answer.status == 401 && answer.headers["Set-Cookie"] == nil, "\(name)")
        texts.insert(answer.text)
      }
      #expect(texts.count == 1)
      #expect(try await all.logIn("MIRA").status == 201, "e-mail addresses are case-insensitive")
    }
  }

  @Test("is always new at login, and an earlier one ends")
  func fixation() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      let before = try await all.page(of: "mira")
      let answer = try await all.logIn("mira", TwoTeamsWorld.password, before)
      #expect(answer.status == 201)
      let after = try TwoTeamsWorld.page(with: answer.headers)
      #expect(after["Cookie"] != before["Cookie"])
      #expect(try await all.send(.get, "/v1/account", "", before).status == 401)
      #expect(try await all.send(.get, "/v1/account", "", after).status == 200)
      // An invented session gives no access, before or after the login.
      let made: HTTPHeaders = [
        "Cookie": "__Host-session=sgs_7_" + String(repeating: "A", count: 43),
        "Sec-Fetch-Site": "same-origin",
      ]
      let fresh = try await all.logIn("mira", TwoTeamsWorld.password, made)
      #expect(fresh.status == 201 && fresh.headers["Set-Cookie"]?.contains("sgs_7_") == false)
      #expect(try await all.send(.get, "/v1/account", "", made).status == 401)
    }
  }

  @Test(
    "gets a new secret from time to time, and the old one is valid until the new one is used",
    arguments: ["/v1/account", "/account", "/login"])
  func rotation(_ page: String) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      let first = try await all.page(of: "mira")
      all.wait(.minutes(59))
      #expect(try await all.send(.get, "/v1/account", "", first).headers["Set-Cookie"] == nil)
      all.wait(.minutes(2))
      let lost = try await all.send(.get, "/v1/account", "", first)
      #expect(lost.status == 200 && lost.headers["Set-Cookie"] != nil)
      // That response was lost: the old secret stays valid, and the next hour tries again.
      all.wait(.minutes(61))
      let renewed = try await all.send(.get, page, "", first)
      #expect(renewed.headers.values(of: "Set-Cookie").count == 1)
      let second = try TwoTeamsWorld.page(with: renewed.headers)
      #expect(second["Cookie"] != first["Cookie"])
      #expect(
        try await all.send(.get, "/v1/account", "", TwoTeamsWorld.page(with: lost.headers)).status
          == 401)
      #expect(try await all.send(.get, "/v1/account", "", first).status == 200)
      #expect(try await all.send(.get, "/v1/account", "", second).status == 200)
      // The new secret was used: the old one expires after a minute.
      all.wait(.seconds(59))
      #expect(try await all.send(.get, "/v1/account", "", first).status == 200)
      all.wait(.seconds(2))
      #expect(try await all.send(.get, "/v1/account", "", first).status == 401)
      #expect(try await all.send(.get, "/v1/account", "", second).status == 200)
    }
  }

  @Test("ends after eight hours without use and after seven days at most")
  func expiry() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      var page = try await all.page(of: "mira")
      all.wait(.hours(8) + .milliseconds(1))
      #expect(try await all.send(.get, "/v1/account", "", page).status == 401)
      page = try await all.page(of: "mira")
      for _ in 0..<24 {
        all.wait(.hours(7))
        let answer = try await all.send(.get, "/v1/account", "", page)
        guard answer.status == 200 else { break }
        if answer.headers["Set-Cookie"] != nil {
          page = try TwoTeamsWorld.page(with: answer.headers)
        }
      }
      #expect(try await all.send(.get, "/v1/account", "", page).status == 401)
      #expect(all.now - TwoTeamsWorld.start <= .hours(8 + 7 * 24 + 7))
      #expect(all.now - TwoTeamsWorld.start >= .hours(8 + 7 * 24))
    }
  }

  @Test("is listed by its owner and can be ended only by the owner or an administrator")
  func listed() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      try await all.hire("jon", teams: [1: .coverage])
      try await all.hire("boss", .administrator)
      let old = try await all.logIn(
        "mira", TwoTeamsWorld.password, ["User-Agent": "<b>Phone</b>"], from: "2001:db8::7")
      all.wait(.milliseconds(1))
      let mira = try await all.page(of: "mira")
      let text = try await all.send(.get, "/v1/sessions", "", mira).text
      #expect(text.contains(#""address":"2001:db8::7","userAgent":"<b>Phone</b>""#))
      #expect(text.split(separator: #""session":""#).count == 3)
      #expect(text.split(separator: #""current":true"#).count == 2)
      let sessions = try await all.operations.installation.sessions(of: AccountID(1))
      let oldest = try #require(sessions.last?.session.rawValue)
      for (name, status) in [("jon", 404), ("mira", 204), ("mira", 404)] {
        let page = name == "mira" ? mira : try await all.page(of: name)
        #expect(
          try await all.send(.delete, "/v1/sessions/\(oldest)", "", page).status == status,
          "\(name)")
      }
      let ended = try TwoTeamsWorld.page(with: old.headers)
      #expect(try await all.send(.get, "/v1/account", "", ended).status == 401)
      let newest = try #require(sessions.first?.session.rawValue)
      let boss = try await all.page(of: "boss")
      #expect(try await all.send(.delete, "/v1/sessions/\(newest)", "", boss).status == 204)
      #expect(try await all.send(.get, "/v1/account", "", mira).status == 401)
    }
  }

  @Test("accepts write requests only from our own pages")
  func crossSite() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .all])
      let cookie = try await all.page(of: "mira")["Cookie"] ?? ""
      let path = "/v1/employees/7/overrides/1/withdraw"
      let rows: [(HTTPHeaders, Bool)] = [
        (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "none"], false),
        (["Sec-Fetch-Site": "same-site"], false), (["Sec-Fetch-Site": "cross-site"], false),
        (["Sec-Fetch-Site": ""], false),
        (["Sec-Fetch-Site": "cross-site", "Origin": "https://a", "Host": "a"], false),
        (["Origin": "https://a.example", "Host": "a.example"], true),
        (["Origin": "http://127.0.0.1:8080", "Host": "127.0.0.1:8080"], true),
        (["Origin": "https://b.example", "Host": "a.example"], false),
        (["Origin": "https://a.example:444", "Host": "a.example"], false),
        (["Origin": "null", "Host": "a.example"], false), (["Origin": "https://a.example"], false),
        (["Host": "a.example"], false), ([:], false),
      ]
      for (headers, isOurs) in rows {
        var headers = headers
        headers["Cookie"] = "theme=dark; \(cookie)"
        let answer = try await all.send(.post, path, "", headers)
        #expect((answer.status == 403) == !isOurs, "\(headers.fields) \(answer.text)")
        #expect(answer.text.contains("cross_site_request") == !isOurs)
        #expect(try await all.send(.get, "/v1/board", "", headers).status == 200)
      }
      for (headers, isElsewhere) in [
        (["Sec-Fetch-Site": "cross-site"], true), (["Sec-Fetch-Site": "same-site"], true),
        (["Origin": "https://b.example", "Host": "a.example"], true), (["Origin": "null"], true),
        (["Sec-Fetch-Site": "same-origin"], false), (["Sec-Fetch-Site": "none"], false),
        (["Origin": "https://a.example", "Host": "a.example"], false), ([:], false),
      ] as [(HTTPHeaders, Bool)] {
        let answer = try await all.logIn("mira", TwoTeamsWorld.password, headers)
        #expect(answer.status == (isElsewhere ? 403 : 201), "\(headers.fields)")
        #expect((answer.headers["Set-Cookie"] == nil) == isElsewhere)
      }
    }
  }
}
