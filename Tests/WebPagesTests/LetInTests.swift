import HTTPServing
import ManagerCore
import ShiftDomain
import Testing

/// Pages of a day on which nothing happens beyond what `people` do.
func withQuietServer(
  _ people: [DemoDay.DemoEmployee] = [], principal: Principal = PageServer.principal,
  _ body: (PageServer) async throws -> Void
) async throws {
  try await DemoDay.run(people) { day in try await body(PageServer(day, principal: principal)) }
}

@Suite("Access to pages") struct LetInTests {
  @Test("an unknown address gets a page that leads on, and a form's address leads to its page")
  func unknown() async throws {
    try await withQuietServer { server in
      for path in [
        "/nonexistent", "/messages", "/employees/7/nothing/here", "//evil.example/overrides",
      ] {
        let (response, text) = try await server.get(path)
        #expect(response.status == 404, "\(path)")
        #expect(text.contains("Page not found") && text.contains("Go to the board"))
        #expect(response.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
      }
      for (form, page) in [
        ("/logout", "/"), ("/employees/7/clock-actions/1/accept", "/employees/7"),
        ("/employees/7/devices/codes", "/employees/7/devices"),
        ("/employees/7/shifts/3/corrections", "/employees/7/shifts/3"),
        ("/employees/%2F%2Fevil.example/overrides", "/employees/%2F%2Fevil.example"),
      ] {
        let (response, _) = try await server.get(form)
        #expect(response.status == 303 && response.headers["Location"] == page, "\(form)")
      }
      let program = await server.router.respond(to: try HTTPRequest(.get, "/nonexistent"))
      #expect(program.status == 404)
      #expect(program.headers["Content-Type"] == "application/problem+json")
      let wrong = await server.router.respond(to: try HTTPRequest(.get, "/logout"))
      #expect(wrong.status == 405 && wrong.headers["Allow"] == "POST")
      let caller = await server.router.respond(
        to: try HTTPRequest(.get, "/v1/nothing", headers: ["Accept": "text/html"]))
      #expect(caller.headers["Content-Type"] == "application/problem+json")
    }
  }

  @Test("requests without a session are sent to the login, and back afterwards")
  func redirect() async throws {
    try await withQuietServer { server in
      let (sent, _) = try await server.get("/?state=not_tracked&q=a%20b", isLoggedIn: false)
      #expect(sent.status == 303)
      #expect(sent.headers["Location"] == "/login?next=%2F%3Fstate%3Dnot_tracked%26q%3Da%2520b")
      let (form, text) = try await server.get(
        try #require(sent.headers["Location"]), isLoggedIn: false)
      #expect(form.status == 200)
      #expect(text.contains(#"name="next" value="/?state=not_tracked&amp;q=a%20b""#))
      let (let_in, _) = try await server.post(
        "/login",
        "email=mira%40example.com&password=correct+horse+battery&next=%2F%3Fstate%3Dnot_tracked",
        isLoggedIn: false)
      #expect(let_in.status == 303 && let_in.headers["Location"] == "/?state=not_tracked")
      #expect(let_in.headers["Set-Cookie"]?.hasPrefix("session=mira;") == true)
    }
  }

  @Test("a visitor whose session has ended reads so at the login")
  func ended() async throws {
    try await withQuietServer { server in
      let old: HTTPHeaders = ["Cookie": "__Host-session=old"]
      let sent = await server.router.respond(to: try HTTPRequest(.get, "/reviews", headers: old))
      #expect(sent.headers["Location"] == "/login?next=%2Freviews&ended=1")
      // A form leads back to its page, where the script puts what was typed.
      let form = await server.router.respond(
        to: try HTTPRequest(
          .post, "/employees/7/overrides",
          headers: ["Cookie": "__Host-session=old", "Sec-Fetch-Site": "same-origin"]))
      let back = "/employees/7/overrides"
      #expect(form.headers["Location"] == "/login?next=%2Femployees%2F7%2Foverrides&ended=1")
      let (after, _) = try await server.get(back)
      #expect(after.headers["Location"] == "/employees/7")
      let told = "Your session has ended. Log in again."
      let (_, page) = try await server.get("/login?next=%2Freviews&ended=1", isLoggedIn: false)
      #expect(page.contains(told) && page.contains(#"name="next" value="/reviews""#))
      for path in ["/login", "/login?ended=2", "/login?next=%2Freviews"] {
        #expect(try await !server.get(path, isLoggedIn: false).1.contains(told), "\(path)")
      }
    }
  }

  @Test("a failed login shows an error and keeps the address, but not the password")
  func wrong() async throws {
    try await withQuietServer { server in
      for (form, status) in [
        ("email=eve%22%3E%40example.com&password=secret-guess", 403),
        ("email=eve%22%3E%40example.com&password=", 422),
      ] {
        let (response, text) = try await server.post("/login", form, isLoggedIn: false)
        #expect(response.status == status && response.headers["Set-Cookie"] == nil)
        #expect(text.contains(#"value="eve&quot;&gt;@example.com""#), "\(text)")
        #expect(text.contains("role=\"alert\"") && !text.contains("secret-guess"))
      }
      let (late, _) = try await server.post(
        "/login", "email=flood%40example.com&password=x", isLoggedIn: false)
      #expect(late.status == 429 && late.headers["Retry-After"] == "30")
    }
  }

  @Test(
    "a form of another site has no effect",
    arguments: [
      ("cross-site", nil), ("same-site", nil), ("none", nil), (nil, nil),
      (nil, "https://evil.example"),
    ] as [(String?, String?)])
  func foreign(_ site: String?, _ origin: String?) async throws {
    try await withQuietServer { pages in
      for path in ["/login", "/logout"] {
        var headers: HTTPHeaders = [
          "Content-Type": "application/x-www-form-urlencoded", "Host": "guard.example",
          "Cookie": "session=mira",
        ]
        headers["Sec-Fetch-Site"] = site
        headers["Origin"] = origin
        let body = "email=mira%40example.com&password=correct+horse+battery"
        let response = await pages.router.respond(
          to: try HTTPRequest(.post, path, headers: headers, body: Array(body.utf8)))
        #expect(response.status == 403 && response.headers["Set-Cookie"] == nil)
      }
    }
  }

  @Test("a form of an old browser is accepted for its `Origin` header")
  func origin() async throws {
    try await withQuietServer { pages in
      let response = await pages.router.respond(
        to: try HTTPRequest(
          .post, "/logout",
          headers: ["Host": "guard.example", "Origin": "https://guard.example"]))
      #expect(response.status == 303 && response.headers["Location"] == "/login")
      #expect(response.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    }
  }

  @Test("pages are never cached or framed, and run only our own scripts")
  func headers() async throws {
    try await withQuietServer { server in
      for (path, isLoggedIn) in [("/", true), ("/login", false), ("/?team=99", true)] {
        let (response, text) = try await server.get(path, isLoggedIn: isLoggedIn)
        let policy = try #require(response.headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        #expect(response.headers["Referrer-Policy"] == "no-referrer")
        #expect(
          !text.contains(" style=") && !text.contains("<style") && !text.contains(" on" + "click="))
      }
    }
  }
}
