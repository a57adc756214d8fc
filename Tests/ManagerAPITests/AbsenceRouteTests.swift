import HTTPServing
import JSONText
import ShiftDomain
import Testing

@Suite("Absences over the API") struct AbsenceRouteTests {
  private static let list = "/v1/employees/7/absences"
  private static let week =
    #"{"start":"2099-11-20T00:00:00+01:00","end":"2099-11-27T00:00:00+01:00","note":"=1+1"}"#

  // R: G3
  @Test("are added once, listed by team, employee and time, and removed")
  func life() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("north", teams: [1: .coverage])
      try await all.hire("boss", .administrator)
      let (page, boss) = (try await all.page(of: "north"), try await all.page(of: "boss"))
      let added = try await all.send(.post, Self.list, Self.week, page)
      #expect(added.status == 201)
      let id = String(try #require(added.text.firstMatch(of: /"absence":"(\d+)"/)).1)
      let shown = """
        {"absence":"\(id)","employee":7,"start":"2099-11-19T23:00:00.000Z",\
        "end":"2099-11-26T23:00:00.000Z","note":"=1+1","by":"north"}
        """
      #expect(added.text == shown)
      let again = try await all.send(.post, Self.list, Self.week, page)
      #expect(again.status == 200 && again.text == shown)
      // One that touches it is another one.
      let next = #"{"start":"2099-11-26T23:00:00Z","end":"2099-11-26T23:01:00Z"}"#
      #expect(try await all.send(.post, Self.list, next, page).status == 201)
      _ = try await all.send(.post, "/v1/employees/8/absences", Self.week, boss)
      for (query, employees) in [
        ("", [7, 8, 7]), ("?team=1", [7, 7]), ("?team=2", [8]), ("?employee=7", [7, 7]),
        ("?employee=8&team=1", []), ("?to=2099-11-19T23:00:00Z", []),
        ("?to=2099-11-19T23:00:01Z", [7, 8]), ("?from=2099-11-26T23:00:00Z", [7]),
        ("?from=2099-11-26T23:01:00Z", []),
      ] as [(String, [Int])] {
        let text = try await all.send(.get, "/v1/absences" + query, "", boss).text
        let found = text.matches(of: /"employee":(\d)/).map { Int($0.1) }
        #expect(found == employees, "\(query): \(text)")
      }
      #expect(try await all.send(.delete, "\(Self.list)/\(id)", "", page).status == 204)
      #expect(try await all.send(.delete, "\(Self.list)/\(id)", "", page).status == 204)
      let left = try await all.send(.get, "/v1/absences?team=1", "", page).text
      #expect(!left.contains(id) && left.contains("23:01:00"))
    }
  }

  @Test("come in pages, each once")
  func pages() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      for employee in [8, 7] {
        for day in 10...12 {
          let body = #"{"start":"2099-11-\#(day)T00:00:00Z","end":"2099-11-\#(day)T09:00:00Z"}"#
          let path = "/v1/employees/\(employee)/absences"
          #expect(try await all.send(.post, path, body, page).status == 201)
        }
      }
      var (found, cursor, pages) = ([String](), "", 0)
      repeat {
        let text = try await all.send(.get, "/v1/absences?limit=4\(cursor)", "", page).text
        found += text.matches(of: /"employee":(\d),"start":"2099-11-(\d\d)/).map {
          "\($0.1) \($0.2)"
        }
        cursor = text.firstMatch(of: /"next":"([^"]+)"/).map { "&cursor=\($0.1)" } ?? ""
        pages += 1
      } while !cursor.isEmpty && pages < 9
      #expect(found == ["7 10", "8 10", "7 11", "8 11", "7 12", "8 12"] && pages == 2)
      for query in [
        "cursor=x", "limit=0", "from=24:00", "from=2099-01-02T00:00:00Z&to=2099-01-01T00:00:00Z",
      ] {
        #expect(try await all.send(.get, "/v1/absences?\(query)", "", page).status == 422)
      }
    }
  }

  // R: G3
  @Test("are refused with a pointer, or with the absence in the way")
  func refused() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      func body(_ start: String, _ end: String, _ note: String = "null") -> String {
        #"{"start":"\#(start)","end":"\#(end)","note":\#(note)}"#
      }
      let (start, end) = ("2099-11-20T08:00:00Z", "2099-11-21T08:00:00Z")
      let long = String(repeating: "x", count: 201)
      for (body, status, part) in [
        ("{}", 422, "/start"), (#"{"start":"\#(start)"}"#, 422, "/end"),
        (body(start, start), 422, "/end"), (body(end, start), 422, "/end"),
        (body(start, "2099-11-20T08:00:59.999Z"), 422, "at least a minute"),
        (body(start, "2100-11-21T08:00:00.001Z"), 422, "366 days"),
        (body(start, end, #""\#(long)""#), 422, "/note"),
        (body(start, end, #""a\nb""#), 422, "/note"),
        (body(start, end, #""a\u2028b""#), 422, "/note"),
        (body(start, end, #""a\u0000b""#), 422, "/note"), (body(start, end, "1"), 422, "/note"),
        (#"{"start":"\#(start)","end":"\#(end)","by":"x"}"#, 422, "/by"),
        (body(start, "2100-11-21T08:00:00Z", #"" ""#), 201, #"08:00:00.000Z","by":"boss""#),
        (body("2100-11-21T07:59:00Z", "2100-11-22T08:00:00Z"), 409, #""code":"overlaps_absence""#),
        (body(start, "2100-11-21T08:00:00Z", #""other""#), 409, #""absence":{"absence":""#),
      ] {
        let answer = try await all.send(.post, Self.list, body, page)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      #expect(
        try await all.send(.post, "/v1/employees/99/absences", body(start, end), page).status
          == 404)
    }
  }

  // R: W11
  @Test("are neither seen nor changed by the managers of another team")
  func tenancy() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("north", teams: [1: .coverage])
      try await all.hire("south", teams: [2: .all])
      let (north, south) = (try await all.page(of: "north"), try await all.page(of: "south"))
      let added = try await all.send(.post, Self.list, Self.week, north)
      let id = String(try #require(added.text.firstMatch(of: /"absence":"(\d+)"/)).1)
      #expect(try await all.send(.get, "/v1/absences", "", south).text == #"{"absences":[]}"#)
      for query in ["?team=1", "?employee=7"] {
        #expect(try await all.send(.get, "/v1/absences" + query, "", south).status == 404)
      }
      #expect(try await all.send(.post, Self.list, Self.week, south).status == 404)
      #expect(try await all.send(.delete, "\(Self.list)/\(id)", "", south).status == 404)
      // Under an employee of theirs there is none of this id.
      let path = "/v1/employees/8/absences/\(id)"
      #expect(try await all.send(.delete, path, "", south).status == 204)
      #expect(try await all.send(.get, "/v1/absences", "", north).text.contains(id))
    }
  }
}
