import HTTPServing
import JSONText
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Time sheets in the API") struct TimeSheetRouteTests {
  /// An hour and a half with a break of ten minutes.
  private func work(_ world: ManagerWorld) async throws {
    _ = try await world.clockIn("in", "always")
    world.wait(.minutes(30))
    _ = try await world.clockAction("break-start", "pause")
    world.wait(.minutes(10))
    _ = try await world.clockAction("break-end", "back")
    world.wait(.minutes(50))
    _ = try await world.clockOut("out")
  }

  private let period = "/v1/time-sheets?from=2026-11-01&to=2026-11-30"

  private func approval(_ revision: String) -> String {
    #"{"shifts":[{"employee":7,"shift":1,"revision":"\#(revision)"}]}"#
  }

  @Test("give files of different shifts different names")
  func names() async throws {
    try await ManagerWorld.run { world in
      for (query, name) in [
        ("", "all-shifts"), ("&state=approved", "payroll"), ("&state=ready", "time-sheet-ready"),
      ] {
        let file = try await world.ask(.get, period + "&format=csv" + query)
        #expect(
          file.headers["Content-Disposition"]
            == "attachment; filename=\"\(name)-2026-11-01-to-2026-11-30.csv\"")
      }
    }
  }

  @Test("list shifts, approve them and open them again")
  func life() async throws {
    try await ManagerWorld.run { world in
      try await work(world)
      let sheet = try await world.ask(.get, period)
      #expect(sheet.status == 200)
      func field(_ name: String) -> JSONValue? {
        sheet["employees", 0, "shifts", 0, .name(name)]
      }
      #expect(field("workedMinutes") == .integer(80) && field("breakMinutes") == .integer(10))
      #expect(field("state") == "ready" && field("date") == "2026-11-20")
      #expect(sheet["totals", "workedMinutes"] == .integer(80))
      #expect(sheet["totals", "states", "ready"] == .integer(1))
      guard case .string(let revision)? = field("revision") else { throw Missing() }
      let approvals = "/v1/time-sheets/approvals"
      let changed = try await world.ask(.post, approvals, approval("AAAA"))
      #expect(changed["results", 0, "outcome"] == "changed")
      let approved = try await world.ask(.post, approvals, approval(revision))
      #expect(approved["results", 0, "outcome"] == "approved")
      #expect(approved["results", 0, "approval", "by"] == "Mira")
      let corrections = "/v1/employees/7/shifts/1/corrections"
      let correction = #"{"startedAt":"2026-11-20T00:00:00Z","reason":"early"}"#
      let refused = try await world.ask(.post, corrections, correction)
      #expect(refused.status == 409 && refused["code"] == "shift_approved", "\(refused.text)")
      let shown = try await world.ask(.get, "/v1/employees/7/shifts/1")
      #expect(shown["approval", "by"] == "Mira")
      let reopen = "/v1/employees/7/shifts/1/reopen"
      #expect(try await world.ask(.post, reopen, "{}").status == 422)
      let reopened = try await world.ask(.post, reopen, #"{"reason":"early"}"#)
      #expect(reopened.status == 200 && reopened["state"] == "ready")
      let again = try await world.ask(.post, reopen, #"{"reason":"early"}"#)
      #expect(again.status == 409 && again["code"] == "not_approved")
      let none = try await world.ask(
        .post, "/v1/employees/7/shifts/9/reopen", #"{"reason":"x"}"#)
      #expect(none.status == 404)
    }
  }

  @Test("take an approval of many shifts back, and no later one")
  func reopenings() async throws {
    try await ManagerWorld.run { world in
      try await work(world)
      let path = "/v1/time-sheets/reopenings"
      func reopen(_ more: String) async throws -> JSONValue? {
        let body = #"{"shifts":[{"employee":7,"shift":1}],"reason":"the wrong month"\#(more)}"#
        return try await world.ask(.post, path, body)["results", 0, "outcome"]
      }
      #expect(try await reopen("") == "not_approved")
      let sheet = try await world.ask(.get, period)
      guard case .string(let revision)? = sheet["employees", 0, "shifts", 0, "revision"] else {
        throw Missing()
      }
      let approved = try await world.ask(
        .post, "/v1/time-sheets/approvals", approval(revision))
      guard case .string(let at)? = approved["results", 0, "approval", "at"] else {
        throw Missing()
      }
      #expect(try await reopen(#","approvedAt":"2026-11-20T00:00:00Z""#) == "changed")
      #expect(try await reopen(#","approvedAt":"\#(at)""#) == "reopened")
      #expect(try await world.ask(.get, period)["totals", "states", "ready"] == .integer(1))
      let shift = #"{"employee":7,"shift":1}"#
      for body in [
        "", "{}", #"{"shifts":[],"reason":"x"}"#, #"{"shifts":[\#(shift)]}"#,
        #"{"shifts":[\#(shift)],"reason":" "}"#, #"{"shifts":[\#(shift),\#(shift)],"reason":"x"}"#,
        #"{"shifts":[\#(shift)],"reason":"x","approvedAt":"now"}"#,
        #"{"shifts":[{"employee":7,"shift":1,"revision":"x"}],"reason":"x"}"#,
      ] {
        let status = try await world.ask(.post, path, body).status
        #expect([400, 422].contains(status), "\(status) \(body)")
      }
    }
  }

  @Test("follow the team's rule for rounding and breaks, which teams show")
  func payRule() async throws {
    try await ManagerWorld.run { world in
      try await work(world)
      let team = "/v1/teams/1"
      let before = try await world.ask(.get, team)
      #expect(before["payRounding"] == "none" && before["paysBreaks"] == .bool(false))
      let rule = #"{"payRounding":"nearest_15"}"#
      #expect(try await world.ask(.patch, team, rule)["payRounding"] == "nearest_15")
      func shift(_ field: String) async throws -> JSONValue? {
        try await world.ask(.get, period)["employees", 0, "shifts", 0, .name(field)]
      }
      #expect(try await shift("workedMinutes") == .integer(80))
      #expect(try await shift("paidMinutes") == .integer(75))
      #expect(try await shift("paidMilliseconds") == .integer(75 * 60_000))
      #expect(try await world.ask(.patch, team, #"{"paysBreaks":true}"#).status == 200)
      #expect(try await shift("paidMinutes") == .integer(90))
      #expect(try await shift("paysBreaks") == .bool(true))
      for wrong in [#"{"payRounding":"nearest_7"}"#, #"{"payRounding":5}"#, #"{"paysBreaks":1}"#] {
        #expect(try await world.ask(.patch, team, wrong).status == 422, "\(wrong)")
      }
    }
  }

  @Test("refuse bodies that name nothing, too much, twice or nonsense")
  func badBodies() async throws {
    try await ManagerWorld.run { world in
      let many = (1...1_001).map { #"{"employee":7,"shift":\#($0),"revision":"x"}"# }
      for body in [
        "", "[]", "{}", #"{"shifts":[]}"#, #"{"shifts":[{"employee":7,"shift":1}]}"#,
        #"{"shifts":[{"employee":0,"shift":1,"revision":"x"}]}"#,
        #"{"shifts":[{"employee":7,"shift":1,"revision":"x","by":"me"}]}"#,
        #"{"shifts":[{"employee":7,"shift":1,"revision":"x"},"#
          + #"{"employee":7,"shift":1,"revision":"y"}]}"#,
        #"{"shifts":[\#(many.joined(separator: ","))]}"#,
      ] {
        let status = try await world.ask(.post, "/v1/time-sheets/approvals", body).status
        #expect([400, 422].contains(status), "\(status) \(body.prefix(80))")
      }
      for query in [
        "from=2026-11-01", "from=x&to=y", "from=2026-11-02&to=2026-11-01", "state=paid",
      ] {
        #expect(try await world.ask(.get, "/v1/time-sheets?\(query)").status == 422, "\(query)")
      }
      #expect(try await world.ask(.get, "/v1/time-sheets").status == 200)
    }
  }

  @Test("are downloaded with the columns of the payroll settings, and without formulas")
  func file() async throws {
    try await ManagerWorld.run(name: "=cmd(), \"A\"") { world in
      try await work(world)
      let standard = try await world.ask(.get, period + "&format=csv")
      #expect(
        standard.text == """
          employee,name,date,start,end,breaks,worked,paid,corrections,tracking_rate,state\r
          7,"'=cmd(), ""A""\",2026-11-20,09:30:00,11:00:00,0:10:00,1:20:00,1:20:00,0,0.0,ready\r

          """, "\(standard.text)")
      let settings = """
        {"period":"two_weeks","startsOn":"2026-01-05","hoursFormat":"decimal",\
        "columns":["employee","end_date","duration","worked","breaks","approved_by","time_zone",\
        "started_at","ended_at"]}
        """
      let saved = try await world.ask(.put, "/v1/payroll-settings", settings)
      #expect(saved.status == 200 && saved["period"] == "two_weeks")
      #expect(try await world.ask(.get, "/v1/payroll-settings").json == saved.json)
      let chosen = try await world.ask(.get, period + "&format=csv")
      #expect(
        chosen.text == """
          employee,end_date,duration,worked,breaks,approved_by,time_zone,started_at,ended_at\r
          7,2026-11-20,1.50,1.33,0.17,,UTC,2026-11-20T09:30:00.000Z,2026-11-20T11:00:00.000Z\r

          """, "\(chosen.text)")
      // Two weeks from Monday 16 November.
      #expect(try await world.ask(.get, "/v1/time-sheets")["from"] == "2026-11-09")
      for body in [
        "{}", settings.replacing("two_weeks", with: "year"),
        settings.replacing("01-05", with: "13-05"),
        settings.replacing("\"end_date\"", with: "\"employee\""),
        settings.replacing("\"end_date\"", with: "\"place\""),
        settings.replacing("decimal", with: "hours"),
      ] {
        let answer = try await world.ask(.put, "/v1/payroll-settings", body)
        #expect(answer.status == 422, "\(body)")
      }
    }
  }

  @Test("keep approved shifts as they were when their team's time zone changes")
  func fixed() async throws {
    try await ManagerWorld.run { world in
      try await work(world)
      let settings = """
        {"period":"month","startsOn":"2026-01-05","hoursFormat":"decimal",\
        "columns":["team","date","start","end_date","end","time_zone"]}
        """
      #expect(try await world.ask(.put, "/v1/payroll-settings", settings).status == 200)
      let before = try await world.ask(.get, period + "&format=csv")
      let sheet = try await world.ask(.get, period)
      guard case .string(let revision)? = sheet["employees", 0, "shifts", 0, "revision"] else {
        throw Missing()
      }
      _ = try await world.ask(.post, "/v1/time-sheets/approvals", approval(revision))
      let zone = #"{"timeZone":"Pacific/Auckland"}"#
      #expect(try await world.ask(.patch, "/v1/teams/1", zone).status == 200)
      for query in ["", "&state=approved"] {
        let file = try await world.ask(.get, period + "&format=csv" + query)
        #expect(file.text == before.text, "\(file.text)")
      }
      let after = try await world.ask(.get, period)
      #expect(after["employees", 0, "shifts", 0, "date"] == "2026-11-20")
      #expect(after["employees", 0, "shifts", 0, "timeZone"] == "UTC")
      #expect(after["employees", 0, "shifts", 0, "team"] == .integer(1))
      let reopen = "/v1/employees/7/shifts/1/reopen"
      _ = try await world.ask(.post, reopen, #"{"reason":"early"}"#)
      let reopened = try await world.ask(.get, period)
      #expect(reopened["employees", 0, "shifts", 0, "timeZone"] == "Pacific/Auckland")
    }
  }
}

extension ManagerWorld {
  fileprivate func ask(_ method: HTTPMethod, _ path: String, _ body: String = "") async throws
    -> APIAnswer
  {
    try await router.answer(method, path, Array(body.utf8), as: access)
  }
}

private struct Missing: Error {}
