import HTTPServing
import InstallationOperations
import JSONText
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The map of the employees on shift") struct PositionMapTests {
  private static func phone(_ employee: Int32, _ all: TwoTeamsWorld) -> HTTPHeaders {
    ["Authorization": "Bearer \(all.phones[employee] ?? "")"]
  }

  private static func employees(_ text: String) throws -> [JSONObject] {
    guard case .object(let object) = try JSONValue(parsing: Array(text.utf8)),
      case .array(let employees) = object["employees"]
    else {
      Issue.record("\(text)")
      return []
    }
    return employees.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }

  /// Both employees have sent positions, and there are managers with different rights.
  private static func run(_ body: (TwoTeamsWorld) async throws -> Void) async throws {
    try await TwoTeamsWorld.run { all in
      for employee in [Int32(7), 8] {
        try await all.sendPositions(phone(employee, all), north: 40 + Int(employee))
      }
      try await all.hire("north", teams: [1: .all])
      try await all.hire("track", teams: [2: .track])
      try await all.hire("coverage", teams: [1: .coverage, 2: .coverage])
      try await body(all)
    }
  }

  // R: W11
  @Test("needs the right and a purpose")
  func rights() async throws {
    try await Self.run { all in
      let north = try await all.form(of: "north")
      let long = String(repeating: "x", count: 501)
      for query in ["", "?purpose=", "?purpose=%20", "?purpose=\(long)"] {
        #expect(try await all.send(.get, "/v1/map" + query, "", north).status == 422, "\(query)")
      }
      for form in ["", "purpose=+"] {
        let refused = try await all.send(.post, "/map", form, north)
        #expect(refused.status == 422 && !refused.text.contains("47.0"), "\(form)")
      }
      let coverage = try await all.form(of: "coverage")
      let none = try await all.send(.get, "/v1/map?purpose=x", "", coverage)
      #expect(none.status == 200 && none.text.contains("\"employees\":[]"))
      for (path, body) in [("/map", "purpose=x&team=2"), ("/map?team=2", "purpose=x")] {
        #expect(try await all.send(.post, path, body, north).status == 404)
      }
      #expect(try await all.send(.post, "/map", "purpose=x&team=other", north).status == 404)
      #expect(try await all.send(.get, "/v1/map?purpose=x&team=2", "", north).status == 404)
      // A page of another site cannot make a browser look, and nothing is recorded for it.
      var foreign = north
      foreign["Sec-Fetch-Site"] = "cross-site"
      #expect(try await all.send(.post, "/map", "purpose=x", foreign).status == 403)
      #expect(try await all.send(.get, "/v1/map?purpose=x", "", foreign).status == 403)
      #expect(try await all.send(.head, "/v1/map?purpose=x", "", north).status == 405)
      for employee in [Int32(7), 8] { #expect(try await all.viewed(by: employee) == []) }
    }
  }

  // R: W11
  @Test("is recorded for every employee on it, who can read who looked")
  func recorded() async throws {
    try await Self.run { all in
      let (north, track) = (try await all.form(of: "north"), try await all.form(of: "track"))
      let page = try await all.send(.post, "/map", "purpose=Who+is+near&team=", north)
      #expect(page.status == 200 && page.headers["Cache-Control"] == "no-store")
      #expect(page.text.contains("47.00100, 14.00000") && !page.text.contains("48.00"))
      #expect(page.text.contains("<a href=/employees/7/shifts/1>Person 7</a>"))
      #expect(try await all.viewed(by: 7) == ["north 1 Who is near"])
      #expect(try await all.viewed(by: 8) == [])
      let answer = try await all.send(.get, "/v1/map?team=2&purpose=Storm", "", track)
      #expect(answer.headers["Cache-Control"] == "no-store")
      let found = try Self.employees(answer.text)
      #expect(found.map { $0["employee"] } == [.integer(8)])
      let position = #""position":{"at":"2026-11-20T09:33:00.000Z","latitude":48.001"#
      #expect(answer.text.contains(position), "\(answer.text)")
      #expect(try await all.viewed(by: 8) == ["track 1 Storm"])
      // Without the right to coverage, there is no shift page to lead to.
      let plain = try await all.send(.post, "/map", "purpose=Storm", track).text
      #expect(plain.contains("<th scope=row>Person 8<td>") && !plain.contains("/employees/8"))
      let boss = try await all.bossPage()
      let log = try await all.send(.get, "/v1/audit?action=map_viewed", "", boss)
      #expect(log.text.split(separator: "\"map_viewed\"").count == 4)
    }
  }

  // R: W11
  @Test(
    "is refreshed by its page without further entries, but for whom it shows for the first time")
  func refreshed() async throws {
    try await Self.run { all in
      let form = try await all.bossForm()
      func show(_ form: HTTPHeaders, _ body: String) async throws -> APIAnswer {
        try await all.send(.post, "/map", body, form)
      }
      let page = try await show(form, "purpose=A%26B&team=1").text
      let view = try #require(page.firstMatch(of: /data-view="\?([^"]+)"/)).1
      let opened = try #require(view.firstMatch(of: /opened=\d+/)).0
      #expect(view == "purpose=A%26B&amp;team=1&amp;\(opened)")
      try await all.sendPositions(Self.phone(7, all), north: 46)
      let fresh = try await show(form, "purpose=A%26B&team=1&\(opened)")
      #expect(fresh.status == 200 && fresh.headers["Cache-Control"] == "no-store")
      #expect(fresh.text.contains("<td class=\"place\">46.00") && !fresh.text.contains("<html"))
      #expect(try await all.viewed(by: 7) == ["chief 1 A&B"])
      #expect(try await all.viewed(by: 8) == [])
      // Another team, another purpose and another manager are views of their own.
      _ = try await show(form, "purpose=A%26B&team=&\(opened)")
      #expect(try await all.viewed(by: 8) == ["chief 1 A&B"])
      #expect(try await all.viewed(by: 7) == ["chief 1 A&B"])
      _ = try await show(form, "purpose=Other&team=1&\(opened)")
      _ = try await show(try await all.form(of: "north"), "purpose=A%26B&\(opened)")
      #expect(
        try await all.viewed(by: 7).sorted() == ["chief 1 A&B", "chief 1 Other", "north 1 A&B"])
      let now = all.clock.now.milliseconds
      for time in ["x", "", "\(now - 3_600_001)", "\(now + 60_000)", "-99999999999999999999"] {
        #expect(try await show(form, "purpose=A%26B&opened=\(time)").status == 404, "\(time)")
      }
      #expect(try await show(form, "purpose=&\(opened)").status == 422)
      #expect(try await all.viewed(by: 7).count == 3)
    }
  }

  // R: W5, W11
  @Test("has nobody off shift, no position on a break, and none that does not count")
  func absences() async throws {
    try await TwoTeamsWorld.run { all in
      let seven = Self.phone(7, all)
      let boss = try await all.bossPage()
      func seen() async throws -> String {
        try await all.send(.get, "/v1/map?purpose=x&team=1", "", boss).text
      }
      #expect(try await seen().contains(#""absence":"no_position""#))
      try await all.sendPositions(seven, north: 45)
      #expect(try await seen().contains(#""latitude":45.001"#))
      // A fix of a later effective time replaces it, an older one does not.
      let late = #"{"recordedAt":"2026-11-20T09:30:30Z","latitude":44,"longitude":14,"mock":true}"#
      #expect(try await all.send(.post, "/v1/pings", late, seven).status == 200)
      #expect(try await seen().contains(#""latitude":45.001"#))
      let rest = try await all.send(.post, "/v1/break-start", #"{"actionId":"p"}"#, seven)
      #expect(rest.status == 200)
      var text = try await seen()
      #expect(text.contains(#""absence":"on_break""#) && !text.contains("latitude"))
      let page = try await all.send(.post, "/map", "purpose=x", try await all.bossForm())
      #expect(page.text.contains("On a break since 09:32") && !page.text.contains("45.00"))
      all.wait(.minutes(5))
      let back = try await all.send(.post, "/v1/break-end", #"{"actionId":"q"}"#, seven)
      #expect(back.status == 200)
      #expect(try await seen().contains(#""latitude":45.001"#))
      all.wait(.minutes(1))
      let mock =
        #"{"recordedAt":"\#(all.clock.now.rfc3339)","latitude":43,"longitude":14,"mock":true}"#
      #expect(try await all.send(.post, "/v1/pings", mock, seven).status == 200)
      text = try await seen()
      #expect(text.contains(#""latitude":43"#) && text.contains(#""mock":true"#), "\(text)")
      let marked = try await all.send(.post, "/map", "purpose=x", try await all.bossForm())
      #expect(marked.text.contains(", mocked<td class=\"place\">43.00000"))
      let ended = try await all.send(.post, "/v1/clock-out", #"{"actionId":"c"}"#, seven)
      #expect(ended.status == 200)
      #expect(try Self.employees(try await seen()).isEmpty)
    }
  }

  @Test("shows names as text, and marks positions that are old")
  func names() async throws {
    try await TwoTeamsWorld.run { all in
      _ = try await all.operations.people.changeEmployee(EmployeeID(7), by: all.boss) {
        $0.name = "</svg><script>\"'&"
      }.get()
      try await all.sendPositions(Self.phone(7, all), north: 45)
      let form = try await all.bossForm()
      let fresh = try await all.send(.post, "/map", "purpose=%3Cb%3E", form).text
      #expect(fresh.contains("value=\"&lt;b&gt;\"") && !fresh.contains("<b>\""))
      #expect(fresh.split(separator: "&lt;/svg&gt;&lt;script&gt;&quot;&#39;&amp;").count == 3)
      #expect(!fresh.contains("</svg><script>") && !fresh.contains("class=old"))
      all.wait(.minutes(3))
      let old = try await all.send(.post, "/map", "purpose=x", form).text
      #expect(old.contains("<td class=old>09:31, 4 min ago"))
    }
  }
}

extension TwoTeamsWorld {
  /// The headers of an administrator's browser.
  func bossPage() async throws -> HTTPHeaders {
    if try await !operations.installation.accounts().contains(where: { $0.settings.name == "chief" }
    ) {
      try await hire("chief", .administrator)
    }
    return try await page(of: "chief")
  }

  func bossForm() async throws -> HTTPHeaders {
    _ = try await bossPage()
    return try await form(of: "chief")
  }
}
