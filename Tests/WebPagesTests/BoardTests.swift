import BackgroundOperations
import GuardRules
import ManagerCore
import NotificationOperations
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

/// A text for every field: markup, and the ends of all the places where a text may appear.
let hostile = #"<img src=x onerror=alert(1)>"'></script>&amp;"#

@Suite("The board page") struct BoardTests {
  @Test("shows each employee's state, its start, its reason and the delivery")
  func states() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (response, text) = try await server.get("/")
      #expect(response.status == 200)
      for part in [
        "Friday 20 November", "<strong>16</strong> on shift", "<b>1</b> Blocked",
        "<b>2</b> Not tracked", "<b>1</b> No contact", "<b>2</b> At risk", "<b>1</b> On break",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      for (number, name, state, why) in [
        (
          7, "/shifts/1>Ana Horvat", "Not tracked",
          """
          Location access denied since 11:01, not delivered: \
          <a href=/settings/teams/1/contacts>add an e-mail address or a contact</a>
          """
        ),
        (
          8, "/shifts/1>Ivo Šimunić", "At risk",
          "Location only while the app is open since 07:10, accepted at clock-in"
        ),
        (11, ">Tomislav Jurić", "Blocked", "clock-in at 11:21: location access denied"),
        (9, "/shifts/1>Petra Novak", "No contact", "No contact since 10:53"),
        (15, "/shifts/1>Dario Fabris", "On break", "since 11:18, gaps 16 min"),
        (12, ">Nika Vuković", "Off shift", "06:00–10:11"),
        (23, "/shifts/1>Ante Rukavina", "Tracked", "since 11:10"),
      ] {
        let row = try #require(text.split(separator: "<li id=e\(number) ").dropFirst().first)
          .prefix { $0 != "\n" }
        #expect(
          row.contains("<a href=/employees/\(number)\(name)</a><b>\(state)</b><svg role=none>"),
          "\(row)")
        #expect(row.contains("</i><p>\(why)"), "\(row)")
      }
      #expect(!text.contains("latitude") && !text.contains("45.21"), "the board shows a position")
    }
  }

  @Test("of an empty installation says what to do first, to those who can")
  func empty() async throws {
    try await withQuietServer { server in
      try await server.day.write("TRUNCATE team CASCADE")
      let (_, text) = try await server.get("/")
      #expect(text.contains("<a href=\"/settings/teams\">Add a team</a>"), "\(text)")
      #expect(text.contains("1 of 8 done") && !text.contains("</strong> on shift"))
      #expect(!text.contains("As of") && !text.contains("Legend") && !text.contains("Blocked"))
      #expect(try await server.get("/map").1.contains("No team yet."))
      #expect(try await server.get("/settings").1.contains("No teams yet. <a href"))
      let employees = try await server.get("/settings/employees").1
      #expect(employees.contains("Add a team</a> first.") && !employees.contains("new-name"))
      #expect(try await server.post("/checklist/dismiss", "").0.headers["Location"] == "/")
      #expect(try await server.get("/").1.contains("No team yet. <a href=\"/settings/teams\">Add"))
      let own = PageServer(
        server.day,
        principal: Principal(actor: AuditActor(name: "Mate"), role: .manager, teams: [:]))
      let (_, theirs) = try await own.get("/")
      #expect(theirs.contains("An administrator can add teams") && !theirs.contains("Add a team"))
    }
  }

  @Test("offers to call those who need help, by a number that a phone can dial")
  func call() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      for (employee, number) in [(7, "+44 (0)20 7946-0000"), (23, "+44 20 7946 0001")] {
        _ = try await server.day.operations.people.changeEmployee(
          EmployeeID(Int32(employee)), by: .arranger
        ) { $0.phoneNumber = number }.get()
      }
      let (_, text) = try await server.get("/")
      #expect(text.contains(#" <a href="tel:+442079460000">Call +44 (0)20 7946-0000</a>"#))
      #expect(!text.contains("7946 0001"), "nobody has to call 23, who is tracked")
      let (_, page) = try await server.get("/employees/23")
      for part in [#"href="tel:+442079460001""#, #"href="sms:+442079460001""#] {
        #expect(page.contains(part), "\(part)")
      }
    }
  }

  // R: M4
  @Test("shows why a notification was not delivered, and what to set up")
  func undelivered() async throws {
    let ana = DemoDay.DemoEmployee(
      number: 7, name: "Ana Horvat", team: 0,
      steps: [.clocksIn(330), .walks(330, 341), .says(341, .denied)])
    try await DemoDay.run([ana]) { day in
      let server = PageServer(day)
      func why() async throws -> String {
        let text = try await server.get("/").1
        return String(
          try #require(text.firstMatch(of: /since 11:41, ([^\n]*?)(\n|<svg|<\/ul>)/)?.1, "\(text)"))
      }
      #expect(
        try await why() == """
          not delivered: <a href=/settings/teams/1/contacts>add an e-mail address or a contact</a>
          """)
      try await day.operations.notifications.addContact("boss@example.com", to: day.teams[0])
      #expect(try await why() == "notification pending")
      day.wait(.minutes(20))
      for _ in 0..<2 {
        let sendings = try await day.operations.background.decideDeliveries(EmployeeID(7))
        try await day.operations.background.record(
          sendings.map { SendingResult(of: $0, .refused, reason: "status 550") })
      }
      #expect(
        try await why()
          == "not delivered: every channel rejected it; no push or e-mail is set up")
    }
  }

  @Test("filters are part of the address; counts cover everything that the other filters match")
  func filters() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, impaired) = try await server.get("/?state=not_tracked&team=1")
      #expect(impaired.contains("Ana Horvat") && !impaired.contains("Elena Benussi"))
      #expect(!impaired.contains("Luka Babić") && impaired.contains("<b>2</b> Tracked"))
      #expect(impaired.contains(#"href="/?team=1&amp;state=tracked""#), "\(impaired)")
      let (_, named) = try await server.get("/?q=%20GRGI%C4%86")
      #expect(named.contains("Lucija Grgić") && named.contains("<b>1</b> All"))
      // Teams without rows are folded to one line.
      #expect(named.contains(">No employees to show in Coast, Harbour.</p>"))
      #expect(named.contains(#"<section class="team" aria-labelledby="team-1" hidden>"#))
      #expect(named.contains(#"<section class="team" aria-labelledby="team-3">"#))
      let (_, none) = try await server.get("/?q=nobody")
      #expect(none.contains(#"No employee matches this filter. <a href="/">Show all"#))
      #expect(impaired.contains(#"<p id="folded" class="aside"></p>"#), "one team, with rows")
      // A saved filter may have the name of a state of before.
      let (old, all) = try await server.get("/?state=impaired&team=1")
      #expect(old.status == 200 && all.contains("There is no state “impaired”: employees in every"))
      #expect(all.contains("Luka Babić") && !all.contains("Elena Benussi"))
      let (_, numbered) = try await server.get("/?q=14")
      #expect(numbered.contains("Maja Kralj") && numbered.contains("<b>1</b> All"))
      for path in ["/?team=99", "/?team=x", "/?fragment=rows&employees=1,x"] {
        #expect(try await server.get(path).0.status == 404, "\(path)")
      }
    }
  }

  @Test("the bars of all teams have one axis, with the planned shifts as outlines behind them")
  func axis() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      // From 07:00 to 19:00, of employees on shift, off shift and in another team.
      let span = Interval(from: DemoDay.six + .hours(1), to: DemoDay.six + .hours(13))
      for employee in [1, 13, 25] {
        _ = try await server.day.operations.people.planShift(
          EmployeeID(Int32(employee)), span, by: PageServer.principal
        ).get()
      }
      let (_, text) = try await server.get("/")
      let hours = text.matches(of: #/<svg class="hours" id="hours-(\d)" [^>]*>(.*?)<\/svg>/#)
      #expect(hours.map { $0.1 } == ["1", "3", "2"] && Set(hours.map { $0.2 }).count == 1)
      // Thirteen hours from the first clock-in at 06:00 to the end of the planned shifts.
      let labels = hours[0].2.matches(of: #/x=([0-9.]+)% y=12>([0-9:]+)</#).map {
        "\($0.1) \($0.2)"
      }
      #expect(labels == ["23.0 09:00", "46.1 12:00", "69.2 15:00", "92.3 18:00"])
      let outline = "<svg role=none><rect x=7.6% width=92.4% class=d />"
      #expect(text.contains("<b>Tracked</b>\(outline)<rect x=7.4% width=36.4% /></svg><i>100</i>"))
      #expect(
        text.contains("<b>Scheduled</b>\(outline)</svg><i></i><p>07:00–19:00, not clocked in yet"))
      let (_, fragment) = try await server.get("/?fragment=rows&employees=1")
      #expect(fragment.contains(hours[1].0) && fragment.contains(outline))
    }
  }

  @Test("teams in several time zones show the same instants, each in its own time")
  func zones() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      #expect(try await !server.get("/").1.contains("Europe/Zagreb"))
      let team = try await server.day.operations.people.addTeam(
        name: "Pune", timeZone: "Asia/Kolkata")
      _ = try await server.day.operations.people.addEmployee(
        EmployeeID(77), name: "Asha", team: team)
      let (_, text) = try await server.get("/")
      #expect(text.contains(">Pune</h2><p>Asia/Kolkata · <a"))
      #expect(text.contains(">Coast</h2><p>Europe/Zagreb · <a"))
      // Half an hour after a full hour in Zagreb it is a full hour in Pune.
      #expect(text.contains("<text x=25.0% y=12>08:00</text>"))
      #expect(text.contains("<text x=18.7% y=12>12:00</text>"))
    }
  }

  @Test("the title counts who needs attention, whatever state is shown, and the script reads who")
  func attention() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      for path in ["/", "/?state=tracked"] {
        let (_, text) = try await server.get(path)
        #expect(text.contains("<title>(4) Board"), "\(path)")
        let problems = try #require(text.split(separator: "data-problems=\"").dropFirst().first)
          .prefix { $0 != "\"" }
        #expect(problems.split(separator: " ").sorted() == ["11x1", "22i3", "7i1", "9n1"])
      }
      #expect(try await server.get("/?q=luka").1.contains("<title>Board"))
    }
  }

  @Test("the worker that shows notifications is asked for again each time, and may load nothing")
  func worker() async throws {
    try await withQuietServer { server in
      let (response, text) = try await server.get("/assets/board-worker.js", isLoggedIn: false)
      #expect(response.status == 200 && text.contains("notificationclick"))
      #expect(response.headers["Cache-Control"] == "no-cache")
      #expect(response.headers["Content-Security-Policy"] == "default-src 'none'")
    }
  }

  @Test("teams with problems come first, and within a team the most urgent employees")
  func order() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.get("/")
      let teams = text.matches(of: #/id="ul-(\d)"/#).map { $0.1 }
      #expect(teams == ["1", "3", "2"], "nobody of team 2 needs attention")
    }
  }

  @Test("a fragment has the requested rows only")
  func fragment() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.get("/?fragment=rows&employees=7,1,999&state=not_tracked")
      #expect(text.contains("id=e7 ") && !text.contains("id=e1 ") && !text.contains("id=e8 "))
      #expect(text.contains("<b>2</b> Not tracked") && text.contains("id=\"ul-3\""))
      #expect(text.utf8.count < 4_000)
    }
  }

  @Test("a manager sees their own teams, and nothing of other teams")
  func scope() async throws {
    let manager = Principal(
      actor: AuditActor(name: "Mate"), role: .manager,
      teams: [TeamID(2): .coverage, TeamID(3): .track])
    try await DemoDay.run { day in
      let server = PageServer(day, principal: manager)
      let (_, text) = try await server.get("/")
      #expect(text.contains("Maja Kralj") && text.contains("Harbour"))
      for other in ["Ana Horvat", "Coast", "Hills", "Lucija", "name=\"team\""] {
        #expect(!text.contains(other), "\(other)")
      }
      #expect(text.contains("<b>7</b> All"))
      #expect(try await server.get("/?team=1").0.status == 404)
      #expect(try await server.get("/?team=3").0.status == 404)
    }
  }

  @Test("a name never becomes markup")
  func escaping() async throws {
    let people = [DemoDay.DemoEmployee(number: 4, name: hostile, team: 0, steps: [.clocksIn(300)])]
    let principal = Principal(actor: AuditActor(name: hostile), role: .administrator)
    try await DemoDay.run(people) { day in
      _ = try await day.operations.people.addTeam(name: hostile, timeZone: "UTC")
      let (_, text) = try await PageServer(day, principal: principal).get("/?q=%3Cimg%20src%3Dx")
      #expect(
        text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&gt;&lt;/script&gt;&amp;amp;"))
      #expect(!text.contains("<img"))
    }
  }
}
