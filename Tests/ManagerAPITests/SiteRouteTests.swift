import HTTPServing
import InstallationOperations
import JSONText
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Sites, by the API") struct SiteRouteTests {
  private static let all = "/v1/teams/1/sites"
  private static let depot = #"{"name":"Depot","latitude":45.3,"longitude":13.7,"radius":200}"#

  @Test("are added, listed, changed and removed")
  func life() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      let made = try await world.send(.post, Self.all, Self.depot, boss)
      #expect(made.status == 201 && made.headers["Location"] == Self.all + "/1")
      let shown = #"{"site":1,"name":"Depot","latitude":45.3,"longitude":13.7,"radius":200}"#
      #expect(made.text == shown)
      let listed = try await world.send(.get, Self.all, "", boss)
      #expect(listed.text == #"{"sites":[\#(shown)]}"#)
      #expect(try await world.send(.get, Self.all + "/1", "", boss).text == shown)
      for (body, status, part) in [
        (#"{"name":"Yard"}"#, 200, #""name":"Yard","latitude":45.3"#), ("{}", 200, "Yard"),
        (#"{"latitude":-90,"longitude":180}"#, 200, #""latitude":-90.0,"longitude":180.0"#),
        (#"{"latitude":1}"#, 422, "/longitude"), (#"{"radius":49}"#, 422, "/radius"),
        (#"{"radius":100.5}"#, 422, "/radius"), (#"{"name":" "}"#, 422, "/name"),
        (#"{"name":"x","team":2}"#, 422, "/team"),
      ] {
        let answer = try await world.send(.patch, Self.all + "/1", body, boss)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      #expect(try await world.send(.patch, Self.all + "/2", "{}", boss).status == 404)
      #expect(try await world.send(.delete, Self.all + "/1", "", boss).status == 204)
      #expect(try await world.send(.delete, Self.all + "/1", "", boss).status == 404)
      #expect(try await world.send(.get, Self.all + "/1", "", boss).status == 404)
    }
  }

  @Test("are refused with a pointer to what is wrong")
  func refused() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      for (body, status, part) in [
        ("", 400, "malformed_json"), ("{}", 422, "/name"), (#"{"name":"x"}"#, 422, "/latitude"),
        (#"{"name":"x","latitude":1,"longitude":2}"#, 422, "/radius"),
        (Self.depot.replacing("45.3", with: "90.1"), 422, "/latitude"),
        (Self.depot.replacing("13.7", with: "-180.1"), 422, "/longitude"),
        (Self.depot.replacing("13.7", with: "1e400"), 422, "/longitude"),
        (Self.depot.replacing("13.7", with: "\"13.7\""), 422, "/longitude"),
        (Self.depot.replacing("200", with: "5001"), 422, "/radius"),
        (Self.depot.replacing("Depot", with: #"a\nb"#), 422, "/name"),
        (Self.depot, 201, "Depot"), (Self.depot, 409, "site_exists"),
      ] {
        let answer = try await world.send(.post, Self.all, body, boss)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      for path in ["/v1/teams/99/sites", "/v1/teams/x/sites", Self.all + "/x"] {
        #expect(try await world.send(.get, path, "", boss).status == 404, "\(path)")
      }
    }
  }

  // R: W11
  @Test("are read by the team's managers and changed by none of them")
  func managers() async throws {
    try await TwoTeamsWorld.run { world in
      try await world.hire("own", teams: [1: .coverage])
      try await world.hire("other", teams: [2: .all])
      let own = try await world.page(of: "own")
      #expect(try await world.send(.get, Self.all, "", own).text == #"{"sites":[]}"#)
      let other = try await world.page(of: "other")
      #expect(try await world.send(.get, Self.all, "", other).status == 404)
      #expect(try await world.send(.post, Self.all, Self.depot, own).status == 403)
      #expect(try await world.send(.patch, Self.all + "/1", "{}", own).status == 403)
      #expect(try await world.send(.delete, Self.all + "/1", "", own).status == 403)
    }
  }

  /// A shift, open, with fixes at the depot from 9:40 to 9:50, and another one outside.
  private func work(_ world: ManagerWorld) async throws {
    _ = try await world.clockIn("in", "always")
    for (time, latitude) in [("09:40", "45.3"), ("09:50", "45.3"), ("10:00", "45.4")] {
      world.wait(.minutes(10))
      let ping = """
        {"recordedAt":"2026-11-20T\(time):00.000Z","latitude":\(latitude),"longitude":13.7,\
        "accuracy":10}
        """
      let sent = try await world.send(.post, "/v1/pings", ping, as: world.phone)
      #expect(sent.status < 300, "\(sent.text)")
    }
  }

  // R: W11
  @Test("are in a shift and on the time sheet, with arrival and the time last seen")
  func visits() async throws {
    try await ManagerWorld.run { world in
      let formula = Self.depot.replacing("Depot", with: "=cmd(),<b>")
      #expect(try await world.post(Self.all, formula).status == 201)
      try await work(world)
      let visit = """
        {"site":1,"name":"=cmd(),<b>","arrivedAt":"2026-11-20T09:40:00.000Z",\
        "lastSeenAt":"2026-11-20T09:50:00.000Z","left":true}
        """
      let shift = "/v1/employees/7/shifts/1"
      #expect(try await world.get(shift).text.contains(#""visits":[]"#), "an open shift has none")
      world.wait(.minutes(1))
      _ = try await world.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      #expect(try await world.get(shift).text.contains(#""visits":[\#(visit)]"#))
      let period = "/v1/time-sheets?from=2026-11-01&to=2026-11-30"
      let whole = try await world.get(period + "&visits=true")
      #expect(whole.text.contains(#""visits":[\#(visit)]"#), "\(whole.text)")
      #expect(try await !world.get(period).text.contains("visits"))
      #expect(try await world.get(period + "&visits=1").status == 422)
      let settings = """
        {"period":"month","startsOn":"2026-11-01","hoursFormat":"decimal","columns":["sites"]}
        """
      #expect(
        try await world.send(.put, "/v1/payroll-settings", settings, as: world.access).status == 200
      )
      let file = try await world.get(period + "&format=csv").text
      #expect(file == "sites\r\n\"'=cmd(),<b> 09:40, last seen 09:50\"\r\n", "\(file)")
      // The employee sees the same.
      let own = try await world.send(.get, "/v1/me/shifts/1", "", as: world.phone)
      #expect(own.text.contains(#""visits":[\#(visit)]"#), "\(own.text)")
      // By coverage alone, none of it.
      let token = try await world.operations.installation.createAPIToken(
        name: "Mate", role: .manager, teams: [TeamID(1): .coverage], validFor: .hours(1))
      let shown = try await world.send(.get, shift, "", as: token.token)
      #expect(shown.status == 200 && shown.text.contains(#""visits":[]"#), "\(shown.text)")
      let sheet = try await world.send(.get, period + "&visits=true", "", as: token.token)
      #expect(sheet.status == 200 && !sheet.text.contains("cmd"))
      let theirs = try await world.send(.get, period + "&format=csv", "", as: token.token)
      #expect(theirs.text == "sites\r\n\r\n", "\(theirs.text)")
    }
  }
}
