import CivilTime
import GuardRules
import HTTPServing
import ManagerCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The plan of a team") struct PlanPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])
  private let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
  /// Friday, 20 November 2026.
  private let midnight = DemoDay.six - .hours(6)

  private func hours(_ from: Int64, _ to: Int64) -> Interval {
    Interval(from: midnight + .hours(from), to: midnight + .hours(to))
  }

  private func plan(_ number: Int32, _ span: Interval, _ server: PageServer) async throws {
    _ = try await server.day.operations.people.planShift(EmployeeID(number), span, by: boss).get()
  }

  private func planned(_ number: Int32, _ server: PageServer) async throws -> [Interval] {
    try await server.day.operations.people.plannedShifts(
      of: EmployeeID(number), includingPast: true
    ).map(\.span)
  }

  /// The cell of an employee: 0 is Monday.
  private func cell(_ number: Int32, _ day: Int, in text: String) throws -> Substring {
    let row = try #require(text.split(separator: "<tr>").first { $0.contains("id=\"e\(number)\"") })
    let cells = row.split(separator: "<td")
    return try #require(cells.dropFirst().dropFirst(day).first)
  }

  // R: W10, W17
  @Test("shows each day of each employee, in the words of the board")
  func grid() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let (day, now) = (server.day, server.day.clock.now)
      let spans: [PolicySpan: TimeSpan] = [.lateAfter: .minutes(10), .noShowAfter: .hours(1)]
      _ = try await day.operations.policies.setPolicy(of: TeamID(1), PolicyChanges(spans: spans))
      day.clock.now = midnight
      try await plan(1, hours(7, 15), server)
      try await plan(12, hours(6, 10), server)
      try await plan(13, hours(8, 10), server)
      try await plan(13, Interval(from: now - .minutes(20), to: now + .hours(3)), server)
      try await plan(13, hours(24 + 22, 48 + 6), server)
      try await plan(11, hours(11, 19), server)
      try await plan(9, hours(3, 4), server)
      _ = try await day.operations.people.addAbsence(
        of: EmployeeID(9), hours(0, 24), note: "x", by: boss
      ).get()
      _ = try await day.operations.people.addAbsence(
        of: EmployeeID(2), hours(36, 54), note: nil, by: boss
      ).get()
      day.clock.now = now
      let (answer, text) = try await server.get("/plan?team=1&day=2026-11-20")
      #expect(answer.status == 200 && text.contains("Coast, week of Mon 16 Nov"))
      for (number, day, parts) in [
        (Int32(1), 4, ["07:00–15:00", "Clocked in."]), (12, 4, ["06:00–10:00", "Worked."]),
        (13, 4, ["08:00–10:00", "No-show", "11:22–14:42", "Late since 11:22"]),
        (13, 5, ["22:00–06:00"]), (13, 6, ["+</a>"]), (11, 4, ["was blocked at 11:21"]),
        (9, 4, ["Absent</p>", "03:00–04:00"]), (2, 5, ["Absent 12:00–24:00"]),
        (2, 6, ["Absent 00:00–06:00", "+</a>"]),
      ] {
        let cell = try cell(number, day, in: text)
        for part in parts { #expect(cell.contains(part), "\(number) \(day): \(cell)") }
      }
      #expect(!(try cell(9, 4, in: text).contains("Not worked")))
      #expect(!text.contains("Maja Kralj"), "of another team")
      let board = try await server.get("/").1
      let row = try #require(board.firstMatch(of: /<li id=e13 [^\n]*\n?[^\n]*/)).0
      #expect(row.contains("<b>No-show</b>"), "\(row)")
      // What nobody was notified of is not worked either, once it is over.
      _ = try await day.operations.policies.setPolicy(
        of: TeamID(1), PolicyChanges(spans: [.lateAfter: .zero, .noShowAfter: .zero]))
      let silent = try await server.get("/plan?team=1").1
      #expect(try cell(13, 4, in: silent).contains("Not worked."))
    }
  }

  @Test("of tomorrow is one link away from the board, and marked")
  func tomorrow() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      try await plan(13, hours(32, 40), server)
      let board = try await server.get("/").1
      let link = try #require(board.firstMatch(of: /<a href=\S([^ ]+)\S>Plan for tomorrow/)).1
      let (answer, text) = try await server.get(String(link).replacing("&amp;", with: "&"))
      #expect(answer.status == 200)
      #expect(
        text.contains("<th scope=\"col\" id=\"d5\" class=\"on\">Sat 21 <small>Tomorrow</small>"))
      #expect(try cell(13, 5, in: text).hasPrefix(" class=\"on\">"))
      #expect(try cell(13, 4, in: text).hasPrefix(">"))
      #expect(text.contains("aria-current=\"date\">Sat 21"))
      for day in ["x", "2026-02-30", "%00"] {
        let (answer, text) = try await server.get("/plan?team=1&day=\(day)")
        #expect(answer.status == 422 && text.contains("Enter a day such as 2026-11-30."))
      }
      for day in ["0001-01-01", "9999-12-31"] {
        #expect(try await server.get("/plan?day=\(day)").0.status == 200, "\(day)")
      }
      let other = try await server.get("/plan?team=2").0
      let unknown = try await server.get("/plan?team=99").0
      #expect(other.status == 404 && unknown.status == 404)
    }
    let nobody = Principal(actor: AuditActor(name: "New"), role: .manager)
    try await withQuietServer(DemoDay.demoTeams, principal: nobody) { server in
      let (_, text) = try await server.get("/plan")
      #expect(text.contains("There is no team that you can see."))
    }
  }

  @Test("has forms for one employee and day, and comes back to them with what was typed")
  func editing() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let place = "/plan/13/2026-11-21"
      let (_, grid) = try await server.get("/plan")
      #expect(
        grid.contains("<a class=\"add\" href=\"\(place)#edit\" aria-labelledby=\"add e13 d5\""))
      let (_, empty) = try await server.get(place)
      #expect(empty.contains("<h2>Josip Radić, Saturday 21 November</h2>"))
      #expect(empty.contains(#"name="day" type="date" required value="2026-11-21""#))
      let (done, _) = try await server.post(
        place + "/planned-shifts", "day=2026-11-21&from=08:00&to=16:30")
      #expect(done.headers["Location"] == place + "?done=planned")
      let (_, shown) = try await server.get(place + "?done=planned")
      #expect(shown.contains("Shift planned.") && shown.contains("08:00–16:30</a>"))
      let (refused, text) = try await server.post(
        place + "/planned-shifts", "day=2026-11-21&from=16:00&to=%22%3E")
      #expect(refused.status == 422 && text.contains("Enter a day and two times"))
      #expect(text.contains(#"required value="16:00""#) && text.contains("&quot;&gt;"))
      #expect(text.contains("class=\"plan\""))
      let id = try #require(
        try await server.day.operations.people.plannedShifts(
          of: EmployeeID(13), includingPast: true
        ).first?.id)
      let changed = try await server.post(
        "\(place)/planned-shifts/\(id)/change", "day=2026-11-22&from=08:00&to=16:30"
      ).0
      #expect(changed.headers["Location"] == place + "?done=replanned")
      #expect(
        try await planned(13, server) == [
          Interval(
            from: midnight + .hours(56), to: midnight + .minutes(64 * 60 + 30))
        ])
      // It is on another day now, so its own form is not shown.
      let over = try await server.post(
        "\(place)/planned-shifts/\(id)/change", "day=2026-11-18&from=08:00&to=16:30")
      #expect(over.0.status == 422 && over.1.contains("This shift is in the past."))
      let sunday = "/plan/13/2026-11-22"
      let (_, question) = try await server.post("\(sunday)/planned-shifts/\(id)/remove", "")
      #expect(question.contains("Remove the planned shift Sun 22 Nov, 08:00–16:30?"))
      let gone = try await server.post("\(sunday)/planned-shifts/\(id)/remove", "sure=yes").0
      #expect(gone.headers["Location"] == sunday + "?done=unplanned")
    }
  }

  // R: W10
  @Test("has a form for an absence, which is removed there, too")
  func absences() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let place = "/plan/13/2026-11-21"
      let absent = try await server.post(
        place + "/absences", "first=2026-11-21&last=2026-11-22&note=%3Cb%3E"
      ).0
      #expect(absent.headers["Location"] == place + "?done=absenceAdded")
      let (_, away) = try await server.get(place)
      #expect(away.contains("Sat 21 Nov–Sun 22 Nov") && away.contains("&lt;b&gt;"))
      let remove = try #require(away.firstMatch(of: /action=\S([^ ]+absences[^ ]+\/remove)/)).1
      _ = try await server.post(String(remove), "sure=yes")
      #expect(!(try await server.get(place).1.contains("&lt;b&gt;")))
    }
  }

  // R: W11
  @Test("of another team's employee is neither shown nor changed")
  func tenancy() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      for path in [
        "/plan/14/2026-11-21", "/plan/99/2026-11-21", "/plan/13/2026-02-30", "/plan/x/y",
      ] {
        #expect(try await server.get(path).0.status == 404, "\(path)")
        let (answer, _) = try await server.post(
          path + "/planned-shifts", "day=2026-11-21&from=08:00&to=16:00")
        #expect(answer.status == 404, "\(path)")
      }
      #expect(try await server.post("/plan/copy", "to=2026-11-30").0.status == 404)
      #expect(try await server.post("/plan/copy?team=2", "to=2026-11-30").0.status == 404)
      #expect(try await planned(14, server).isEmpty)
      #expect(try await planned(13, server).isEmpty)
    }
  }

  @Test("is copied after saying what is left out")
  func copying() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      try await plan(13, hours(-48, -40), server)
      try await plan(12, hours(6, 14), server)
      try await plan(12, hours(7 * 24 + 13, 7 * 24 + 15), server)
      let path = "/plan/copy?team=1&day=2026-11-20"
      #expect(
        try await server.get("/plan").1.contains("action=\"/plan/copy?team=1&amp;day=2026-11-16\""))
      let (_, question) = try await server.post(path, "to=2026-11-24")
      for part in [
        "Copy to the week of Mon 23 Nov?", "1 shift of Coast will be planned",
        "1 shift cannot be copied:", "Nika Vuković, Fri 27 Nov, 06:00–14:00: overlaps the shift",
        "name=\"to\" value=\"2026-11-24\"",
      ] {
        #expect(question.contains(part), "\(part) in \(question)")
      }
      #expect(try await planned(13, server).count == 1)
      let (done, _) = try await server.post(path, "to=2026-11-24&sure=yes")
      #expect(done.headers["Location"] == "/plan?copied=1&skipped=1&team=1&day=2026-11-24")
      let (_, text) = try await server.get("/plan?copied=1&skipped=1&team=1&day=2026-11-24")
      #expect(text.contains("1 shift planned. Not copied: 1."))
      #expect(try await planned(13, server) == [hours(-48, -40), hours(120, 128)])
      for (form, fault) in [
        ("to=2026-11-24", "Nothing is left to copy."), ("to=2026-11-17", "in different weeks"),
        ("to=2026-11-10", "The week to copy to is over."), ("to=x", "Enter a day of the week"),
        ("", "Enter a day of the week"), ("to=%22%3E", "Enter a day of the week"),
      ] {
        let (answer, text) = try await server.post(path, form)
        #expect(answer.status == 422 && text.contains(fault), "\(form): \(text)")
        #expect(text.contains("class=\"plan\""))
      }
      #expect(try await server.post(path, "to=%22%3E").1.contains(#"value="&quot;&gt;">"#))
    }
  }

  @Test("of 200 employees fits in 300 kB, and works in a browser")
  func big() async throws {
    let crowd = (Int32(1)...200).map {
      DemoDay.DemoEmployee(number: $0, name: "Vesna Županić \($0)", team: 0, steps: [])
    }
    try await withQuietServer(crowd) { server in
      let day = server.day
      let lines = (1...200).flatMap { number in
        (16...22).map { "\(number),2026-11-\($0) 08:00,2026-11-\($0) 16:00\n" }
      }
      _ = try await day.operations.people.importPlannedShifts(
        Array("employee,start,end\n\(lines.joined())".utf8), isTrial: false, by: boss)
      try await day.write("ANALYZE")
      let text = try await server.get("/plan?team=1").1
      #expect(text.matches(of: /08:00–16:00<\/a>/).count == 1_400)
      #expect(text.utf8.count <= 300_000)
      try await server.serve { address in
        let faults = try await Browser.run("plan", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  @Test("is read from a file, which is chosen instead of typed, with all errors at once")
  func file() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      func send(_ path: String, file: [UInt8], _ fields: String = "", trial: String) async throws
        -> (HTTPResponse, String)
      {
        let head = "--x\r\nContent-Disposition: form-data; name="
        let body =
          Array("\(head)\"csv\"\r\n\r\n\(fields)\r\n".utf8)
          + Array("\(head)\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n".utf8)
          + file + Array("\r\n\(head)\"trial\"\r\n\r\n\(trial)\r\n--x--\r\n".utf8)
        return try await server.post(
          path, bytes: body, type: "multipart/form-data; boundary=x")
      }
      let path = "/settings/planned-shifts"
      #expect(try await server.get(path).1.contains("enctype=\"multipart/form-data\""))
      let csv = "employee,start,end\r\n13,2026-11-21 08:00,2026-11-21 16:00\r\n"
      let (_, tried) = try await send(path, file: Array(csv.utf8), "x", trial: "yes")
      #expect(tried.contains("Check passed, nothing imported yet: 1 new"), "\(tried)")
      // So that it can be imported as it was checked.
      #expect(tried.contains("13,2026-11-21 08:00"))
      let wrong = csv + "13,2026-11-21 15:00,2026-11-21 17:00\r\n13,x,2026-11-22 08:00\r\n"
      let (faulty, told) = try await send(path, file: Array(wrong.utf8), trial: "")
      #expect(faulty.status == 422 && told.contains("2 errors:"), "\(told)")
      #expect(told.contains("Line 3: overlaps line 2") && told.contains("Line 4: <code>start"))
      let (garbled, bytes) = try await send(
        path, file: Array(csv.utf8) + [0xFF, 0x00], trial: "")
      #expect(garbled.status == 422 && bytes.contains("Line 3: is not UTF-8 text"), "\(bytes)")
      #expect(!bytes.contains("13,2026-11-21 08:00"), "what is no text is not shown as such")
      #expect(try await planned(13, server).isEmpty)
      #expect(try await send(path, file: Array(csv.utf8), trial: "").1.contains("Imported: 1 new"))
      #expect(try await planned(13, server).count == 1)
      let people = "employee,name,team\r\n900,Ivo,1\r\n901,,1\r\n"
      let (_, named) = try await send(
        "/settings/employees/import", file: Array(people.utf8), trial: "yes")
      #expect(named.contains("Line 3: <code>name</code>"))
      let cut = try await server.post(
        path, bytes: Array("--x\r\n".utf8), type: "multipart/form-data; boundary=x")
      #expect(cut.0.status == 400 && cut.1.contains("Invalid request"))
    }
  }
}
