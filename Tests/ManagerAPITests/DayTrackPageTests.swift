import HTTPServing
import ShiftDomain
import Testing

@Suite("The track of a day") struct DayTrackPageTests {
  private static let path = "/employees/7/days/2026-11-20"

  /// Employee 7 has two shifts on the day, with two positions in each.
  private static func run(_ body: (TwoTeamsWorld) async throws -> Void) async throws {
    try await TwoTeamsWorld.run { all in
      let phone: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      try await all.sendPositions(phone, north: 45)
      let ended = try await all.send(.post, "/v1/clock-out", #"{"actionId":"c"}"#, phone)
      #expect(ended.status == 200)
      all.wait(.minutes(30))
      let report = #"{"authorization":"always","accuracy":"full","services":"on"}"#
      let begun = try await all.send(
        .post, "/v1/clock-in", #"{"actionId":"d","report":\#(report)}"#, phone)
      #expect(begun.status == 201)
      try await all.sendPositions(phone, north: 46)
      try await all.write("DELETE FROM audit_entry")
      try await all.hire("own", teams: [1: .all])
      try await body(all)
    }
  }

  // R: W11
  @Test("has all its shifts, for a purpose; the employee can read an entry for each")
  func shifts() async throws {
    try await Self.run { all in
      let headers = try await all.form(of: "own")
      let (asked, refused) = (
        try await all.send(.get, Self.path, "", headers),
        try await all.send(.post, Self.path + "/track", "purpose=+", headers)
      )
      #expect(asked.status == 200 && asked.text.contains("Purpose (visible to the employee)"))
      #expect(asked.text.contains(">Shift 1</a>") && asked.text.contains(">Shift 2</a>"))
      #expect(refused.status == 422)
      for text in [asked.text, refused.text] { #expect(!text.contains("45.00")) }
      #expect(try await all.viewed(by: 7) == [])
      let opened = try await all.send(.post, Self.path + "/track", "purpose=Lost+keys", headers)
      #expect(opened.status == 200 && opened.headers["Cache-Control"] == "no-store")
      #expect(opened.text.contains("4 positions, 0.2 km, 0 gaps."))
      #expect(opened.text.contains("colspan=\"4\">Off shift for 31 min"))
      #expect(opened.text.contains("45.00100, 14.00000") && opened.text.contains("46.00000, 14"))
      #expect(try await all.viewed(by: 7).sorted() == ["own 1 Lost keys", "own 2 Lost keys"])
      #expect(try await all.viewed(by: 8) == [])
    }
  }

  @Test("without a shift shows nothing, and records nothing")
  func empty() async throws {
    try await Self.run { all in
      let headers = try await all.form(of: "own")
      for day in ["2026-11-19", "2026-11-21", "0001-01-01", "9999-12-31"] {
        let path = "/employees/7/days/\(day)"
        let page = try await all.send(.get, path, "", headers)
        #expect(page.status == 200 && page.text.contains("No shift began on this day."), "\(day)")
        let opened = try await all.send(.post, path + "/track", "purpose=x", headers)
        #expect(opened.status == 200 && !opened.text.contains("<svg class=\"track\""))
      }
      for day in ["2026-02-30", "today", "1"] {
        #expect(try await all.send(.get, "/employees/7/days/\(day)", "", headers).status == 404)
      }
      #expect(try await all.viewed(by: 7) == [])
    }
  }
}

extension TwoTeamsWorld {
  /// Two positions a minute apart, 111 meters from each other.
  func sendPositions(_ phone: HTTPHeaders, north: Int) async throws {
    for step in 0...1 {
      let sent = try await send(
        .post, "/v1/pings",
        #"{"recordedAt":"\#(clock.now.rfc3339)","latitude":\#(north).00\#(step),"longitude":14,"#
          + #""accuracy":10}"#, phone)
      #expect(sent.status == 200)
      wait(.minutes(1))
    }
  }

  /// The headers of a form that a browser sends.
  func form(of name: String) async throws -> HTTPHeaders {
    var headers = try await page(of: name)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return headers
  }

  /// Who viewed positions, as the employee reads it: actor, shift and purpose, newest first.
  func viewed(by employee: Int32) async throws -> [String] {
    let phone: HTTPHeaders = ["Authorization": "Bearer \(phones[employee] ?? "")"]
    let text = try await send(.get, "/v1/me/audit", "", phone).text
    return text.matches(
      of: /"action":"(?:track|map)_viewed","by":"([^"]+)".*?"shift":(\d+).*?"reason":"([^"]+)"/
    ).map { "\($0.1) \($0.2) \($0.3)" }
  }
}
