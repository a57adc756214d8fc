import GuardRules
import HTTPServing
import JSONText
import PeopleOperations
import ShiftDomain
import Testing

@Suite("Planned shifts over the API") struct PlannedShiftRouteTests {
  @Test("are changed in part, and refused with a code")
  func change() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let list = "/v1/employees/7/planned-shifts"
      let times = #"{"start":"2099-11-20T08:00:00Z","end":"2099-11-20T16:00:00Z"}"#
      let planned = try await all.send(.post, list, times, page)
      #expect(planned.status == 201)
      let id = String(try #require(planned.text.firstMatch(of: /"plannedShift":"(\d+)"/)).1)
      let other = #"{"start":"2099-11-20T20:00:00Z","end":"2099-11-20T22:00:00Z"}"#
      #expect(try await all.send(.post, list, other, page).status == 201)
      func patch(_ body: String, _ id: String) async throws -> (status: Int, text: String) {
        let answer = try await all.send(.patch, "\(list)/\(id)", body, page)
        return (answer.status, answer.text)
      }
      let changed = try await patch(#"{"end":"2099-11-20T17:00:00+01:00"}"#, id)
      #expect(changed.status == 200 && changed.text.contains(#""end":"2099-11-20T16:00:00.000Z""#))
      let later = try await patch(#"{"start":"2099-11-20T09:00:00Z"}"#, id)
      #expect(later.status == 200 && later.text.contains(#""start":"2099-11-20T09:00:00.000Z""#))
      for (body, status, part) in [
        ("{}", 422, "must have `start`, `end` or `sites`"),
        (#"{"from":1}"#, 422, "/from"),
        (#"{"start":"24:00"}"#, 422, "/start"),
        (#"{"end":"2099-11-20T24:00:00Z"}"#, 422, "/end"),
        (#"{"end":"2099-11-20T09:00:00Z"}"#, 422, "within 24 hours"),
        (#"{"end":"2099-11-20T20:30:00Z"}"#, 409, "overlaps_planned_shift"),
        (#"{"start":"2001-11-20T08:00:00Z","end":"2001-11-20T16:00:00Z"}"#, 409, "in_the_past"),
      ] {
        let answer = try await patch(body, id)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer)")
      }
      #expect(try await patch(times, "1").status == 404)
    }
  }

  // R: W11
  @Test("are listed by team, employee and time in pages, with whether their employees have come")
  func list() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      try await all.hire("north", teams: [1: .coverage])
      let (boss, north) = (try await all.page(of: "boss"), try await all.page(of: "north"))
      for (employee, day) in [(8, 20), (7, 20), (7, 21)] {
        let times = #"{"start":"2099-11-\#(day)T08:00:00Z","end":"2099-11-\#(day)T16:00:00Z"}"#
        let path = "/v1/employees/\(employee)/planned-shifts"
        #expect(try await all.send(.post, path, times, boss).status == 201)
      }
      func employees(_ query: String, _ page: HTTPHeaders) async throws -> [Int] {
        try await all.send(.get, "/v1/planned-shifts" + query, "", page).text
          .matches(of: /"employee":(\d)/).compactMap { Int($0.1) }
      }
      #expect(try await employees("", boss) == [7, 8, 7])
      #expect(try await employees("", north) == [7, 7])
      #expect(try await employees("?team=2", boss) == [8])
      #expect(try await employees("?employee=7&from=2099-11-20T16:00:00Z", boss) == [7])
      #expect(try await employees("?to=2099-11-20T08:00:01Z", boss) == [7, 8])
      #expect(try await employees("?to=2099-11-20T08:00:00Z", boss) == [])
      let first = try await all.send(.get, "/v1/planned-shifts?limit=2", "", boss).text
      let next = try #require(first.firstMatch(of: /"next":"(.+?)"/)).1
      #expect(try await employees("?cursor=\(next)", boss) == [7])
      #expect(!first.contains("attendance"))
      for query in ["?team=2", "?employee=8", "?team=99"] {
        let answer = try await all.send(.get, "/v1/planned-shifts" + query, "", north)
        #expect(answer.status == 404, "\(query)")
      }
      for query in ["?team=x", "?cursor=x", "?limit=0", "?from=yesterday"] {
        let answer = try await all.send(.get, "/v1/planned-shifts" + query, "", boss)
        #expect(answer.status == 422, "\(query)")
      }
      let past = Interval(from: all.now - .hours(3), to: all.now - .hours(1))
      _ = try await all.operations.people.planShift(EmployeeID(7), past, by: all.boss).get()
      let begun = try await all.send(.get, "/v1/planned-shifts?team=1&limit=1", "", boss).text
      #expect(begun.contains(#""attendance":"awaited""#), "\(begun)")
    }
  }

  // R: W11
  @Test("of a week are copied to another one, after a dry run that names what is left out")
  func copy() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("north", teams: [1: .coverage])
      let north = try await all.page(of: "north")
      for day in [18, 19] {
        let times = #"{"start":"2099-11-\#(day)T08:00:00Z","end":"2099-11-\#(day)T16:00:00Z"}"#
        _ = try await all.send(.post, "/v1/employees/7/planned-shifts", times, north)
      }
      let other = #"{"start":"2099-11-26T07:00:00Z","end":"2099-11-26T09:00:00Z"}"#
      _ = try await all.send(.post, "/v1/employees/7/planned-shifts", other, north)
      let path = "/v1/teams/1/planned-shifts/copy"
      let body = #"{"from":"2099-11-20","to":"2099-11-23"}"#
      func copied(_ query: String) async throws -> (status: Int, text: String) {
        let answer = try await all.send(.post, path + query, body, north)
        return (answer.status, answer.text)
      }
      let left = #""reason":"overlaps""#
      let tried = try await copied("?dryRun=true")
      #expect(tried.text.contains(#"{"dryRun":true,"added":1,"unchanged":0,"skipped":[{"#))
      #expect(tried.text.contains(left), "\(tried.text)")
      #expect(try await copied("").text.contains(#"{"dryRun":false,"added":1,"unchanged":0"#))
      #expect(try await copied("").text.contains(#"{"dryRun":false,"added":0,"unchanged":1"#))
      for (body, part) in [
        ("{}", "/from"), (#"{"from":"2099-11-20","to":"x"}"#, "/to"),
        (#"{"from":"2099-11-20","to":"2099-11-21"}"#, "/to"),
        (#"{"from":"2099-11-20","to":"2099-11-30","x":1}"#, "/x"),
        (#"{"from":"2099-11-20","to":20991130}"#, "/to"),
      ] {
        let answer = try await all.send(.post, path, body, north)
        #expect(answer.status == 422 && answer.text.contains(part), "\(body): \(answer.text)")
      }
      let past = #"{"from":"2099-11-20","to":"2001-01-01"}"#
      #expect(try await all.send(.post, path, past, north).text.contains("week_over"))
      #expect(
        try await all.send(.post, "/v1/teams/2/planned-shifts/copy", body, north).status == 404)
    }
  }

  // R: G2
  @Test("name sites of the team, which are checked, changed, and dropped when a site is removed")
  func sites() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      for (team, name) in [(1, "Depot"), (1, "Yard"), (2, "Mine")] {
        let site = #"{"name":"\#(name)","latitude":45,"longitude":13,"radius":200}"#
        #expect(try await all.send(.post, "/v1/teams/\(team)/sites", site, page).status == 201)
      }
      let list = "/v1/employees/7/planned-shifts"
      func plan(_ sites: String, day: Int = 20) async throws -> (status: Int, text: String) {
        let times = #""start":"2099-11-\#(day)T08:00:00Z","end":"2099-11-\#(day)T16:00:00Z""#
        let answer = try await all.send(.post, list, "{\(times)\(sites)}", page)
        return (answer.status, answer.text)
      }
      let tooMany = (1...21).map(String.init).joined(separator: ",")
      for (sites, part) in [
        (#","sites":[3]"#, "site 3 of team 1 does not exist"), (#","sites":[0]"#, "/sites/0"),
        (#","sites":[1,"2"]"#, "/sites/1"), (#","sites":[1,2.5]"#, "/sites/1"),
        (#","sites":1"#, "/sites"), (#","sites":[40000]"#, "/sites/0"),
        (#","sites":[\#(tooMany)]"#, "at most 20"),
      ] {
        let answer = try await plan(sites)
        #expect(answer.status == 422 && answer.text.contains(part), "\(sites): \(answer)")
      }
      let planned = try await plan(#","sites":[2,1,2]"#)
      #expect(planned.status == 201 && planned.text.contains(#""sites":[1,2]"#))
      let id = String(try #require(planned.text.firstMatch(of: /"plannedShift":"(\d+)"/)).1)
      // Without sites it is the same; with others it is another one in its way.
      #expect(try await plan("").status == 200)
      #expect(try await plan(#","sites":[1]"#).status == 409)
      #expect(try await plan(#","sites":[]"#).status == 409)
      func patch(_ body: String) async throws -> (status: Int, text: String) {
        let answer = try await all.send(.patch, "\(list)/\(id)", body, page)
        return (answer.status, answer.text)
      }
      #expect(try await patch(#"{"sites":[1,3]}"#).status == 422)
      #expect(try await patch(#"{"end":"2099-11-20T15:00:00Z"}"#).text.contains(#""sites":[1,2]"#))
      #expect(try await patch(#"{"sites":[2]}"#).text.contains(#""sites":[2]"#))
      let audit = try await all.send(.get, "/v1/employees/7/audit", "", page).text
      #expect(audit.contains("T15:00:00.000Z, sites 1 2"), "\(audit)")
      // Another team's manager neither sees nor changes it.
      try await all.hire("south", teams: [2: .all])
      let south = try await all.page(of: "south")
      #expect(try await all.send(.patch, "\(list)/\(id)", #"{"sites":[]}"#, south).status == 404)
      #expect(try await all.send(.delete, "/v1/teams/1/sites/2", "", page).status == 204)
      #expect(try await all.send(.get, list, "", page).text.contains(#""sites":[]"#))
      #expect(try await plan(#","sites":[2]"#, day: 21).status == 422)
    }
  }

  // R: G2
  @Test("name no sites any more when their employee gets another team")
  func moved() async throws {
    try await TwoTeamsWorld.withBoss { (all, page) async throws in
      let site = #"{"name":"Depot","latitude":45,"longitude":13,"radius":200}"#
      for team in [1, 2] {
        #expect(try await all.send(.post, "/v1/teams/\(team)/sites", site, page).status == 201)
      }
      let list = "/v1/employees/7/planned-shifts"
      let times = #""start":"2099-11-20T08:00:00Z","end":"2099-11-20T16:00:00Z""#
      #expect(try await all.send(.post, list, #"{\#(times),"sites":[1]}"#, page).status == 201)
      let employee = "/v1/employees/7"
      // Not while they are on shift.
      #expect(try await all.send(.patch, employee, #"{"team":2}"#, page).status == 409)
      all.wait(.minutes(1))
      let end = #"{"endedAt":"\#(all.now.rfc3339)","reason":"x"}"#
      #expect(
        try await all.send(.post, employee + "/shifts/1/corrections", end, page).status < 300)
      #expect(try await all.send(.patch, employee, #"{"team":2}"#, page).status == 200)
      #expect(try await all.send(.get, list, "", page).text.contains(#""sites":[]"#))
    }
  }
}
