import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The page of time sheets") struct TimeSheetPageTests {
  /// Ana worked from 6:00 to 11:00 with a break of half an hour; Ivo is on shift.
  private static let employees = [
    DemoDay.DemoEmployee(
      number: 7, name: "Ana <b>", team: 0,
      steps: [.clocksIn(0), .pauses(120), .resumes(150), .clocksOut(300)]),
    DemoDay.DemoEmployee(number: 8, name: "Ivo", team: 1, steps: [.clocksIn(330)]),
  ]

  private func run(
    principal: Principal = PageServer.principal, _ body: (PageServer) async throws -> Void
  ) async throws {
    try await DemoDay.run(Self.employees) { day in
      try await body(PageServer(day, principal: principal, hasDownloads: true))
    }
  }

  private func boxes(on page: String) -> [String] {
    page.replacing(" checked value", with: " value")
      .split(separator: #"name="shift" value=""#).dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
  }

  @Test("lists shifts with their minutes")
  func lines() async throws {
    try await run { server in
      let (response, page) = try await server.get("/time-sheets")
      #expect(response.status == 200)
      for part in [
        "1 November to Monday 30 November", "Ana &lt;b&gt;", "<td>06:00–11:00",
        #"<td class="number spare">0:30<td class="number">4:30"#, "<dt>Working time</dt><dd>4:30",
        "<td>Ready", "<td>Open", "<td>11:30–<td", "Approve selected shifts",
        "from=2026-11-01&amp;to=2026-11-30&amp;format=csv&amp;state=approved\">CSV for payroll",
        "from=2026-11-01&amp;to=2026-11-30&amp;format=csv\">CSV of all shifts",
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      #expect(boxes(on: page).count == 1)
    }
  }

  @Test("approves the shifts that are ready, and says how many were not")
  func approve() async throws {
    try await run { server in
      let box = try #require(boxes(on: try await server.get("/time-sheets").1).first)
      let form = "from=2026-11-01&to=2026-11-30&team=&after=&shift=\(box)&shift=8/1/x&shift=junk"
      let (sent, _) = try await server.post("/time-sheets/approvals", form)
      let at = server.day.now.milliseconds
      #expect(
        sent.headers["Location"]
          == "/time-sheets?from=2026-11-01&to=2026-11-30&approved=1&left=1&at=\(at)")
      let (_, after) = try await server.get(try #require(sent.headers["Location"]))
      for part in [
        "1 shift approved.", "1 shift was not approved", "Approved", "Mira Lončar, Fri",
      ] {
        #expect(after.contains(part), "\(part) in \(after)")
      }
      #expect(boxes(on: after).isEmpty && !after.contains("Approve selected"))
    }
  }

  @Test("asks once before it approves, with the number of shifts and their hours")
  func question() async throws {
    try await run { server in
      let (_, sheet) = try await server.get("/time-sheets")
      #expect(sheet.contains(#"action="/time-sheets/approve""#))
      let box = try #require(boxes(on: sheet).first)
      let form = "from=2026-11-01&to=2026-11-30&team=&after="
      let (asked, page) = try await server.post(
        "/time-sheets/approve", form + "&shift=\(box)&shift=8/1/x&shift=junk")
      #expect(asked.status == 200)
      for part in [
        "<h1>Approve 1 shift?</h1>", "<dt>Working time</dt><dd>4:30", "<dt>Paid time</dt><dd>4:30",
        "1 selected shift is left out", #"action="/time-sheets/approvals""#,
        #"name="shift" value="\#(box)""#, "<button>Approve 1 shift</button>",
        #"href="/time-sheets?from=2026-11-01&amp;to=2026-11-30">Back"#,
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      #expect(boxes(on: try await server.get("/time-sheets").1) == [box], "nothing is approved yet")
      for selected in ["", "&shift=7/1/AAAA", "&shift=junk"] {
        let (none, _) = try await server.post("/time-sheets/approve", form + selected)
        #expect(none.status == 303 && none.headers["Location"]?.contains("approved=0") == true)
      }
      for place in ["from=x&to=y", "", "from=2026-11-01&to=2026-11-30&team=x"] {
        let (sent, _) = try await server.post("/time-sheets/approve", place + "&shift=\(box)")
        #expect(sent.status == 303, "\(place)")
      }
    }
  }

  // R: W21
  @Test("approves an added shift a week after its employee was told, also without their word")
  func added() async throws {
    try await run { server in
      let (day, form) = (server.day, "from=2026-11-01&to=2026-11-30&team=&after=")
      let (added, _) = try await server.post(
        "/employees/7/shifts", "day=2026-11-19&from=08:00&to=16:00&reason=r")
      #expect(added.headers["Location"] == "/employees/7/shifts/2?done=added")
      try await day.write(
        """
        INSERT INTO delivery_attempt (
          employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at, outcome)
        VALUES (7, \(NotificationTopic.shiftAdded.column), 2, 1, 1,
          \(EscalationStep.push.column), 1, \(day.now), \(DeliveryOutcome.accepted.column))
        """)
      for (wait, result) in [
        (TimeSpan.hours(0), "approved=0&left=1"), (.hours(8 * 24), "approved=1&left=0"),
      ] {
        day.wait(wait)
        let (_, sheet) = try await server.get("/time-sheets?from=2026-11-01&to=2026-11-30")
        #expect(sheet.contains("<td>08:00–16:00") && sheet.contains("<td>Not confirmed"))
        let box = try #require(boxes(on: sheet).first { $0.hasPrefix("7/2/") })
        let (asked, page) = try await server.post("/time-sheets/approve", form + "&shift=\(box)")
        #expect(asked.status == 200)
        for part in [
          "<h1>Approve 1 shift?</h1>", "<dt>Working time</dt><dd>8:00",
          "<dt>Paid time</dt><dd>8:00", "told of it a week ago or more", #"value="\#(box)""#,
        ] {
          #expect(page.contains(part), "\(part) in \(page)")
        }
        let (sent, _) = try await server.post("/time-sheets/approvals", form + "&shift=\(box)")
        #expect(sent.headers["Location"]?.contains(result) == true, "\(result)")
      }
    }
  }

  @Test("takes an approval back at once, and keeps what was typed if it cannot")
  func undo() async throws {
    try await run { server in
      let box = try #require(boxes(on: try await server.get("/time-sheets").1).first)
      let (sent, _) = try await server.post(
        "/time-sheets/approvals", "from=2026-11-01&to=2026-11-30&team=&after=&shift=\(box)")
      let (_, done) = try await server.get(try #require(sent.headers["Location"]))
      let match = try #require(done.firstMatch(of: /approved\. <a href="([^"]*)">Undo/))
      let link = String(match.1).replacing("&amp;", with: "&")
      #expect(done.contains("<h2 id=\"approvals\">Approvals") && done.contains(">Reopen</a>"))
      let (_, question) = try await server.get(link)
      for part in [
        "<h1>Reopen 1 shift?</h1>", "<dt>Working time</dt><dd>4:30", "Approved by Mira Lončar",
        "<button>Reopen 1 shift</button>",
      ] {
        #expect(question.contains(part), "\(part) in \(question)")
      }
      let at = server.day.now.milliseconds
      let form =
        "from=2026-11-01&to=2026-11-30&by=Mira+Lon%C4%8Dar&at=\(at)&shift=\(box)"
      let long = String(repeating: "x", count: 501)
      for reason in ["", "+", long] {
        let (refused, again) = try await server.post(
          "/time-sheets/reopenings", form + "&reason=\(reason)")
        #expect(refused.status == 422 && again.contains("role=\"alert\""), "\(reason)")
        #expect(again.contains(">\(reason == "+" ? " " : reason)</textarea>"), "\(reason)")
      }
      let (reopened, _) = try await server.post(
        "/time-sheets/reopenings", form + "&reason=wrong+month")
      #expect(
        reopened.headers["Location"]
          == "/time-sheets?from=2026-11-01&to=2026-11-30&reopened=1&kept=0")
      let (_, after) = try await server.get(try #require(reopened.headers["Location"]))
      #expect(after.contains("1 shift reopened.") && boxes(on: after) == [box])
      #expect(!after.contains("<h2 id=\"approvals\">"))
      // Nothing is left of it.
      #expect(try await server.get(link).0.status == 303)
      let (late, _) = try await server.post(
        "/time-sheets/reopenings", form + "&reason=wrong+month")
      #expect(late.headers["Location"]?.hasSuffix("reopened=0&kept=1") == true)
    }
  }

  @Test("shows paid time beside working time where a team has a rule")
  func paid() async throws {
    try await run { server in
      #expect(try await !server.get("/time-sheets").1.contains("Paid"))
      #expect(try await !server.get("/employees/7/shifts/1").1.contains("Paid time"))
      let path = "/settings/teams/1/edit"
      let tag = try await server.tag(on: path)
      let form = "tag=\(tag)&name=Coast&zone=Europe/Zagreb"
      let (wrong, again) = try await server.post(path, form + "&breaks=paid&rounding=weekly")
      #expect(wrong.status == 422 && again.contains("Choose how paid time is rounded."))
      #expect(again.contains(#"value="paid" checked"#))
      let (saved, _) = try await server.post(path, form + "&breaks=paid&rounding=up_15")
      #expect(saved.status == 303)
      let (_, team) = try await server.get(path)
      #expect(team.contains(#"value="up_15" selected"#) && team.contains(#"value="paid" checked"#))
      let (_, sheet) = try await server.get("/time-sheets")
      for part in [
        "<dt>Working time</dt><dd>4:30", "<dt>Paid time</dt><dd>5:00",
        #"<td class="number">4:30<td class="number">5:00"#,
      ] {
        #expect(sheet.contains(part), "\(part) in \(sheet)")
      }
      let (_, shift) = try await server.get("/employees/7/shifts/1")
      #expect(shift.contains("<dt>Working time</dt><dd>4:30</dd>"), "\(shift)")
      #expect(shift.contains("<dt>Paid time</dt><dd>5:00</dd>"))
    }
  }

  @Test("locks the shift's page until it is reopened there")
  func reopen() async throws {
    try await run { server in
      let box = try #require(boxes(on: try await server.get("/time-sheets").1).first)
      _ = try await server.post("/time-sheets/approvals", "shift=\(box)")
      let path = "/employees/7/shifts/1"
      let (_, locked) = try await server.get(path)
      #expect(locked.contains("Times approved") && locked.contains("Times approved by Mira Lončar"))
      #expect(!locked.contains("Save correction") && locked.contains("Reopen shift"))
      let (refused, again) = try await server.post(path + "/reopen", "reason=")
      #expect(refused.status == 422 && again.contains("role=\"alert\""))
      let (reopened, _) = try await server.post(path + "/reopen", "reason=too+early")
      #expect(reopened.headers["Location"] == path + "?done=reopened#correct")
      let (_, open) = try await server.get(path + "?done=reopened")
      #expect(open.contains("Shift reopened.") && open.contains("Save correction"))
      #expect(boxes(on: try await server.get("/time-sheets").1) == [box])
    }
  }

  @Test("shows an approved shift in the team and time zone of its approval")
  func moved() async throws {
    try await run { server in
      let box = try #require(boxes(on: try await server.get("/time-sheets").1).first)
      _ = try await server.post("/time-sheets/approvals", "shift=\(box)")
      let (people, teams) = (server.day.operations.people, server.day.teams)
      _ = try await people.changeTeam(
        teams[0], TeamChange(timeZone: "Asia/Tokyo"), by: PageServer.principal
      ).get()
      _ = try await people.changeEmployee(EmployeeID(7), by: PageServer.principal) {
        $0.team = teams[2]
      }.get()
      let (_, page) = try await server.get("/time-sheets?team=\(teams[0].rawValue)")
      for part in [
        "number 7, Hills", #"shifts/1">Fri 20 Nov</a><p class="aside">Coast</p><td>06:00–11:00"#,
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      let (_, hills) = try await server.get("/time-sheets?team=\(teams[2].rawValue)")
      #expect(hills.contains("No shift began in this period."))
      let coast = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [teams[0]: .coverage])
      let (_, theirs) = try await PageServer(server.day, principal: coast).get("/time-sheets")
      #expect(theirs.contains("06:00–11:00") && !theirs.contains("/employees/7"))
    }
  }

  @Test("selects nothing after an approval, because what is left was left on purpose")
  func leftAlone() async throws {
    try await run { server in
      #expect(try await server.get("/time-sheets").1.contains(#"name="shift" checked"#))
      let (sent, _) = try await server.post("/time-sheets/approvals", "team=1")
      #expect(sent.headers["Location"] == "/time-sheets?team=1&approved=0")
      let (_, after) = try await server.get("/time-sheets?team=1&approved=0")
      #expect(after.contains("No shift was approved.") && boxes(on: after).count == 1)
      #expect(!after.contains(#"name="shift" checked"#))
    }
  }

  @Test("shows working time that a blocked clock-in claims until a manager decides on it")
  func claims() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(
        number: 7, name: "Ana", team: 0, steps: [.clocksIn(120, .denied), .clocksIn(240)])
    ]) { day in
      let server = PageServer(day)
      let (_, page) = try await server.get("/time-sheets")
      for part in [
        "<td>08:00–10:00<td colspan=\"5\">",
        "Clock-in blocked, superseded by the clock-in at 10:00</a><p class=\"aside\">location",
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      #expect(!page.contains("not reviewed"))
      _ = try await server.post("/employees/7/clock-actions/1/dismiss", "reason=")
      #expect(try await !server.get("/time-sheets").1.contains("Clock-in blocked"))
    }
    try await DemoDay.run([
      DemoDay.DemoEmployee(number: 7, name: "Ana", team: 0, steps: [.clocksIn(120, .denied)])
    ]) { day in
      let (_, page) = try await PageServer(day).get("/time-sheets")
      #expect(page.contains("1 clock action is not reviewed"))
      #expect(page.contains("Clock-in blocked, not reviewed</a>"))
    }
  }

  @Test("asks for another period, and explains what is wrong with one")
  func periods() async throws {
    try await run { server in
      let (_, none) = try await server.get("/time-sheets?from=2026-10-01&to=2026-10-31")
      #expect(none.contains("No shift began in this period."))
      for (query, words) in [
        ("from=2026-11-30&to=2026-11-01", "The period ends before it begins."),
        ("from=2024-11-30&to=2026-11-01", "A period can have at most 400 days."),
        ("from=2026-11-30", "Enter dates such as 2026-11-30."),
        ("from=x&to=y", "Enter dates such as 2026-11-30."),
      ] {
        let (response, page) = try await server.get("/time-sheets?\(query)")
        #expect(response.status == 422 && page.contains(words), "\(query)")
      }
      #expect(try await server.get("/time-sheets?team=99").0.status == 404)
    }
  }

  @Test("offers nobody the approval of their own shifts, and managers no other team's")
  func rights() async throws {
    let own = Principal(
      actor: AuditActor(name: "Ana", employee: EmployeeID(7)), role: .manager,
      teams: [TeamID(1): .coverage])
    try await run(principal: own) { server in
      let (_, page) = try await server.get("/time-sheets")
      #expect(page.contains("<td>Ready") && !page.contains("Ivo"))
      #expect(boxes(on: page).isEmpty)
      #expect(try await server.get("/time-sheets?team=2").0.status == 404)
    }
  }

  @Test("has pages of whole employees")
  func paging() async throws {
    try await run { server in
      for number in Int32(2)...400 {
        let start = DemoDay.six - .hours(24) + .minutes(Int64(number))
        try await server.day.plantShift(number: number, from: start, to: start + .seconds(50))
      }
      let (_, page) = try await server.get("/time-sheets")
      #expect(boxes(on: page).count == 400 && page.utf8.count < 400_000, "\(page.utf8.count)")
      #expect(page.contains("after=7\">More employees") && !page.contains("Ivo"))
      let (_, next) = try await server.get("/time-sheets?from=2026-11-01&to=2026-11-30&after=7")
      #expect(next.contains("Ivo") && !next.contains("Ana") && !next.contains("More employees"))
      let form = boxes(on: page).map { "shift=\($0)" }.joined(separator: "&")
      let (sent, _) = try await server.post("/time-sheets/approvals", form)
      let place = try #require(sent.headers["Location"])
      #expect(place.hasPrefix("/time-sheets?approved=400&left=0&at="), "\(place)")
    }
  }
}

@Suite("The payroll settings") struct PayrollPageTests {
  @Test("choose the pay period and the columns of the file")
  func change() async throws {
    try await withQuietServer([]) { server in
      let path = "/settings/payroll"
      #expect(try await server.get("/settings").1.contains(path))
      let tag = try await server.tag(on: path)
      let form =
        "tag=\(tag)&period=week&startsOn=2026-01-04&hoursFormat=decimal&worked=2&employee=1"
      let (saved, _) = try await server.post(path, form)
      #expect(saved.headers["Location"] == path + "?done=changed")
      let kept = try await server.day.operations.reviews.payrollSettings()
      #expect(kept.columns == [.employee, .worked] && kept.hoursFormat == .decimal)
      #expect(kept.firstDay.text == "2026-01-04" && kept.period == .week)
      // Sunday to Saturday.
      let (_, sheet) = try await server.get("/time-sheets")
      #expect(sheet.contains("Sunday 15 November to Saturday 21 November"), "\(sheet)")
      let (stale, page) = try await server.post(path, form)
      #expect(stale.status == 422 && page.contains("has changed since you read"), "\(page)")
      let now = try await server.tag(on: path)
      for wrong in [
        "period=year&startsOn=2026-01-04&hoursFormat=decimal&worked=1",
        "period=week&startsOn=x&hoursFormat=decimal&worked=1",
        "period=week&startsOn=2026-01-04&hoursFormat=decimal",
        "period=week&startsOn=2026-01-04&hoursFormat=decimal&worked=1&name=1",
        "period=week&startsOn=2026-01-04&hoursFormat=decimal&worked=0",
      ] {
        let (refused, again) = try await server.post(path, "tag=\(now)&\(wrong)")
        #expect(refused.status == 422 && again.contains("Enter a date, and"), "\(wrong)")
      }
      #expect(try await server.day.operations.reviews.payrollSettings() == kept)
    }
  }
}
