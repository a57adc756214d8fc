import GuardRules
import ManagerCore
import PeopleOperations
import PolicyOperations
import ShiftDomain
import Testing

@testable import WebPages

@Suite("Planned shifts on pages") struct PlannedShiftPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  private func planned(_ number: Int32, _ server: PageServer) async throws -> [Interval] {
    try await server.day.operations.people.plannedShifts(
      of: EmployeeID(number), includingPast: true
    )
    .map(
      \.span)
  }

  @Test("a shift is planned in the team's time zone, also over midnight, and removed again")
  func plannedShift() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13"
      #expect(try await server.get(path + "/shifts").1.contains("No planned shifts."))
      let (done, _) = try await server.post(
        path + "/planned-shifts", "day=2026-11-21&from=08:00&to=16:30")
      #expect(done.headers["Location"] == "/employees/13/shifts?done=planned")
      _ = try await server.post(path + "/planned-shifts", "day=2026-11-22&from=22%3A00&to=06%3A00")
      _ = try await server.post(path + "/planned-shifts", "day=2026-12-04&from=08:00&to=09:00")
      let day = DemoDay.six - .hours(6)
      #expect(
        try await planned(13, server).prefix(2) == [
          Interval(from: day + .hours(32), to: day + .minutes(40 * 60 + 30)),
          Interval(from: day + .hours(70), to: day + .hours(78)),
        ])
      let (_, text) = try await server.get("/employees/13/shifts?done=planned")
      for part in [
        "Shift planned.", "<p>Sat 21 Nov, 08:00–16:30</p>",
        "<p>Sun 22 Nov, 22:00–06:00 on the next day</p>", "8 h, planned by Mate",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      #expect(text.contains("<p>Fri 4 Dec, 08:00–09:00</p>"), "a shift far ahead is listed")
      let remove = try #require(text.firstMatch(of: /action=\S([^ ]+\/remove)/)).1
      let (_, question) = try await server.post(String(remove), "")
      #expect(question.contains("Remove the planned shift Sat 21 Nov, 08:00–16:30?"))
      #expect(try await planned(13, server).count == 3)
      let (gone, _) = try await server.post(String(remove), "sure=yes")
      #expect(gone.headers["Location"] == "/employees/13/shifts?done=unplanned")
      #expect(try await planned(13, server).count == 2)
    }
  }

  @Test("an invalid planned shift is refused with the reason, and the typed values stay")
  func faults() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      _ = try await server.post(
        "/employees/13/planned-shifts", "day=2026-11-21&from=08:00&to=16:00")
      for (form, fault) in [
        ("day=&from=08:00&to=16:00", "Enter a day and two times"),
        ("day=2026-02-30&from=08:00&to=16:00", "Enter a day and two times"),
        ("day=2026-11-23&from=%22%3E&to=24:00", "Enter a day and two times"),
        ("day=2026-11-23&from=08:00&to=08:00:00", "Start and end must be different"),
        ("day=2026-11-21&from=15:59&to=17:00", "planned from Sat 21 Nov, 08:00 to"),
        // On this night the clock goes back: it has one more hour.
        ("day=2026-10-24&from=03:30&to=03:15", "at most 24 hours"),
        ("day=2026-11-18&from=08:00&to=16:00", "This shift is in the past"),
      ] {
        let (response, text) = try await server.post("/employees/13/planned-shifts", form)
        #expect(response.status == 422 && text.contains(fault), "\(form): \(text)")
      }
      let (_, text) = try await server.post(
        "/employees/13/planned-shifts", "day=x&from=%22%3E&to=24:00")
      #expect(text.contains(#"name="from" type="time" required value="&quot;&gt;""#))
      #expect(try await planned(13, server).count == 1)
      for path in [
        "/employees/14/planned-shifts", "/employees/14/planned-shifts/1/remove",
        "/employees/99/planned-shifts",
      ] {
        let (answer, _) = try await server.post(path, "day=2026-11-21&from=08:00&to=16:00")
        #expect(answer.status == 404, "\(path)")
      }
      #expect(try await server.post("/employees/13/planned-shifts/x/remove", "").0.status == 404)
      #expect(try await planned(14, server).isEmpty)
    }
  }

  @Test("a planned shift is changed, or the reason why not is beside its times")
  func change() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13/planned-shifts"
      for form in ["day=2026-11-21&from=08:00&to=16:00", "day=2026-11-21&from=18:00&to=20:00"] {
        _ = try await server.post(path, form)
      }
      let (_, text) = try await server.get("/employees/13/shifts")
      let id = try #require(
        try await server.day.operations.people.plannedShifts(
          of: EmployeeID(13), includingPast: true
        ).first?.id)
      let action = "/employees/13/planned-shifts/\(id)/change"
      #expect(text.contains("action=\"\(action)#planned\""))
      #expect(text.contains(#"name="from" type="time" required value="08:00""#))
      let (done, _) = try await server.post(action, "day=2026-11-21&from=09:00&to=17:30")
      #expect(done.headers["Location"] == "/employees/13/shifts?done=replanned")
      let day = DemoDay.six - .hours(6)
      let changed = Interval(from: day + .hours(33), to: day + .minutes(41 * 60 + 30))
      #expect(try await planned(13, server).first == changed)
      let (_, shown) = try await server.get("/employees/13/shifts?done=replanned")
      #expect(shown.contains("Planned shift changed."))
      for (form, fault) in [
        ("day=2026-11-21&from=09:00&to=18:01", "overlaps the shift planned from Sat 21 Nov, 18:00"),
        ("day=2026-11-19&from=09:00&to=17:30", "This shift is in the past"),
        ("day=2026-11-21&from=09:00&to=", "Enter a day and two times"),
      ] {
        let (response, text) = try await server.post(action, form)
        #expect(response.status == 422 && text.contains(fault), "\(form): \(text)")
        #expect(text.contains("<details open>"))
      }
      #expect(try await planned(13, server).first == changed)
      for path in [
        action.replacing("/13/", with: "/14/"), "/employees/13/planned-shifts/1/change",
      ] {
        let (answer, _) = try await server.post(path, "day=2026-11-21&from=08:00&to=16:00")
        #expect(answer.status == 404, "\(path)")
      }
    }
  }

  // R: G2
  @Test("the sites of a planned shift are ticked, and its line shows their names")
  func sites() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let (path, people) = ("/employees/13", server.day.operations.people)
      let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
      let before = try await server.get(path + "/shifts").1
      let has = before.contains("Sites: if none is ticked")
      let center = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
      var numbers: [Int16] = []
      for name in ["Stores & Co", "Yard"] {
        let site = try await people.addSite(
          name: name, center: center, radiusMeters: 200, to: TeamID(1), by: boss
        ).get()
        numbers.append(site.number)
      }
      if !has { #expect(!before.contains("name=\"sites\"")) }
      func plan(_ sites: String, _ day: Int) async throws -> (status: Int, text: String) {
        let (answer, text) = try await server.post(
          path + "/planned-shifts", "day=2026-11-\(day)&from=08:00&to=16:00&sites=\(sites)")
        return (answer.status, text)
      }
      for (sites, fault) in [
        ("one", "Choose at most 20 sites."), ("%3D1", "Choose at most 20 sites."),
        ("999", "The team has no site 999."),
        ((1...21).map { "\($0)" }.joined(separator: "&sites="), "Choose at most 20 sites."),
      ] {
        let refused = try await plan(sites, 21)
        #expect(refused.status == 422 && refused.text.contains(fault), "\(refused.text)")
      }
      #expect(try await plan("&sites=\(numbers[1])&sites=\(numbers[0])", 21).status == 303)
      #expect(try await plan("", 22).status == 303)
      let (_, text) = try await server.get(path + "/shifts")
      #expect(text.contains("<p>At Stores &amp; Co, Yard</p>"), "\(text)")
      for number in numbers {
        let tick = "<input type=\"checkbox\" name=\"sites\" value=\"\(number)\""
        #expect(text.contains(tick + ">") && text.contains(tick + " checked>"))
      }
      let id = try #require(
        try await people.plannedShifts(of: EmployeeID(13), includingPast: true).first?.id)
      _ = try await server.post(
        path + "/planned-shifts/\(id)/change", "day=2026-11-21&from=08:00&to=16:00&sites=")
      let changed = try await people.plannedShifts(of: EmployeeID(13), includingPast: true)
      #expect(changed.map(\.sites) == [[], []])
    }
  }

  // R: W10
  @Test("a late employee and a no-show are named alike on the board and on the employee's page")
  func missed() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let (day, now) = (server.day, server.day.clock.now)
      let clock = try TeamClock(zone: "Europe/Zagreb", now: now)
      let spans: [PolicySpan: TimeSpan] = [.lateAfter: .minutes(10), .noShowAfter: .hours(1)]
      _ = try await day.operations.policies.setPolicy(of: TeamID(1), PolicyChanges(spans: spans))
      func plan(_ start: Instant, _ end: Instant) async throws {
        day.clock.now = start - .hours(1)
        _ = try await day.operations.people.planShift(
          EmployeeID(13), Interval(from: start, to: end), by: manager
        ).get()
        day.clock.now = now
      }
      func row() async throws -> String {
        let (_, board) = try await server.get("/")
        return String(try #require(board.firstMatch(of: /<li id=e13 [^\n]*\n?[^\n]*/)).0)
      }
      let start = now - .minutes(20)
      try await plan(start, now + .hours(3))
      let late = try await row()
      let since = clock.hourAndMinute(start)
      #expect(late.contains("class=l") && late.contains("<b>Late</b>"), "\(late)")
      #expect(late.contains("since \(since), planned until"), "\(late)")
      #expect(try await server.get("/employees/13/shifts").1.contains("Late since \(since)"))
      #expect(
        try await server.get("/employees/13").1.contains(
          "warn\">Late since \(since), planned until \(clock.hourAndMinute(now + .hours(3)))<"))

      try await plan(now - .hours(3), now - .hours(2))
      let noShow = try await row()
      #expect(noShow.contains("class=l") && noShow.contains("<b>No-show</b>"), "\(noShow)")
      let (_, text) = try await server.get("/employees/13/shifts")
      #expect(text.contains("No-show") && text.contains("Late since \(since)"))
      let (_, present) = try await server.get("/employees/13")
      #expect(present.contains("bad\">No-show: planned \(clock.hourAndMinute(now - .hours(3)))–"))
    }
  }

  @Test("midnight ends the day, and a time that the clock skips or shows twice is explained")
  func clockChanges() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13/planned-shifts"
      for (form, location, hours) in [
        ("day=2026-11-21&from=16:00&to=00:00", "done=planned", 8),
        ("day=2026-11-22&from=16:00&to=24:00", "done=planned", 8),
        // The clock goes forward from 02:00 to 03:00: 02:30 does not exist.
        ("day=2027-03-28&from=02:30&to=10:30", "done=planned&clock=skipped", 7),
        // The clock goes back from 03:00 to 02:00: 02:30 exists twice.
        ("day=2027-10-31&from=02:30&to=09:30", "done=planned&clock=twice", 8),
        // An end that is not after its start because of that keeps its distance.
        ("day=2028-03-26&from=02:15&to=03:15", "done=planned&clock=skipped", 1),
      ] as [(String, String, Int64)] {
        let before = try await planned(13, server).count
        let (answer, _) = try await server.post(path, form)
        #expect(answer.headers["Location"] == "/employees/13/shifts?\(location)", "\(form)")
        let all = try await planned(13, server)
        #expect(all.count == before + 1 && all.last?.length == .hours(hours), "\(form)")
      }
      let (_, text) = try await server.get("/employees/13/shifts?done=planned&clock=skipped")
      #expect(text.contains("Shift planned. The clock goes forward and skips a time"))
    }
  }

  @Test("a list names at once all shifts that overlap a long one")
  func overlaps() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let day = "%0A13,2026-11-21+"
      let csv =
        "csv=employee,start,end" + day + "09:00,2026-11-21+10:00" + day + "08:00,2026-11-21+20:00"
        + day + "11:00,2026-11-21+12:00" + day + "20:00,2026-11-21+21:00"
      let (faulty, told) = try await server.post("/settings/planned-shifts", csv + "&trial=yes")
      #expect(faulty.status == 422 && told.contains("2 errors:"), "\(told)")
      #expect(told.contains("Line 3: overlaps line 2") && told.contains("Line 4: overlaps line 3"))
    }
  }

  @Test("a list of planned shifts is checked, its errors are shown by line, and it is imported")
  func list() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/settings/planned-shifts"
      #expect(try await server.get(path).1.contains("employee,start,end"))
      let csv = "csv=employee,start,end%0A13,2026-11-21+08:00,2026-11-21+16:00%0A"
      let (_, tried) = try await server.post(path, csv + "&trial=yes")
      #expect(
        tried.contains("Check passed, nothing imported yet: 1 new, 0 unchanged")
          && tried.contains("13,2026"))
      #expect(try await planned(13, server).isEmpty)
      let (faulty, told) = try await server.post(path, csv + "13,2026-11-21+15:00,x&trial=")
      #expect(faulty.status == 422 && told.contains("1 error:"))
      #expect(told.contains("Line 3: <code>end</code>"))
      #expect(try await server.post(path, csv + "&trial=").1.contains("Imported: 1 new"))
      #expect(try await planned(13, server).count == 1)
    }
    try await withQuietServer(principal: manager) { server in
      let (page, _) = try await server.get("/settings/planned-shifts")
      let (form, _) = try await server.post("/settings/planned-shifts", "csv=x")
      #expect(page.status == 404 && form.status == 404)
    }
  }
}
