import HTTPServing
import JSONText
import ShiftDomain
import Testing

@Suite("Planned shifts over the API") struct PlannedShiftRouteTests {
  @Test("are changed in part, and refused with a code")
  func change() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      let page = try await all.page(of: "boss")
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

  // R: G2
  @Test("name sites of the team, which are checked, changed, and dropped when a site is removed")
  func sites() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      let page = try await all.page(of: "boss")
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
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      let page = try await all.page(of: "boss")
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
