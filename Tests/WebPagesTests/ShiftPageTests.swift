import ManagerCore
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The shift page") struct ShiftPageTests {
  private let maja = "/employees/14/shifts/1"

  @Test("shows what happened and why time was not tracked, but no position unless asked for")
  func story() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      try await server.day.note("In the cellar <i>", 14)
      let (response, text) = try await server.get(maja)
      #expect(response.status == 200)
      for part in [
        "<h1>Maja Kralj</h1>", "06:55, still open", "93.0\u{202F}%", "<dd>4:47</dd>",
        "<dt>Location switched off</dt><dd>19 min</dd>",
        "“In the cellar &lt;i&gt;”", "Purpose (visible to the employee)",
        "Location switched off<span>19 min</span>",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      // One line, whose end is the beginning of the next.
      let lines = text.split(separator: "<li")
      let place = try #require(lines.firstIndex { $0.contains("switched off<span") })
      #expect(lines[place].hasPrefix(" class=\"bad\"><time>08:00:00</time>"), "\(lines[place])")
      let next = lines[(place + 1)...].first { $0.contains("chip") }
      #expect(next?.contains("<time>08:19:00</time>") == true, "\(next ?? "")")
      #expect(!text.contains("svg class=\"track\"") && !text.contains("45.2"))
      for path in ["/employees/14/shifts/2", "/employees/99/shifts/1", "/employees/x/shifts/1"] {
        #expect(try await server.get(path).0.status == 404, "\(path)")
      }
    }
  }

  @Test("tells a notification also when a correction has cut out what it was about")
  func toldAllTheSame() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let told = "Notification “Location switched off”"
      try await server.day.markSent(14)
      #expect(try await server.get(maja).1.contains(told))
      let tag = try await server.tag(on: maja)
      let (done, _) = try await server.post(
        "\(maja)/corrections",
        "start=2026-11-20T06:55&end=2026-11-20T07:30&reason=Left&tag=\(tag)")
      #expect(done.status == 303)
      let (_, text) = try await server.get(maja)
      #expect(!text.contains("<dt>Location switched off") && text.contains(told), "\(text)")
    }
  }

  @Test("shows the working time of an ended shift to the minute, as the time sheet has it")
  func worked() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/12/shifts/1"
      let tag = try await server.tag(on: path)
      _ = try await server.post(
        "\(path)/corrections",
        "start=2026-11-20T06:00:50&end=2026-11-20T10:11:30&reason=Exactly&tag=\(tag)")
      let (_, text) = try await server.get(path)
      #expect(text.contains("<dt>Working time</dt><dd>4:11</dd>"), "\(text)")
      #expect(try await server.get("/time-sheets").1.contains("<td class=\"number\">4:11"))
    }
  }

  @Test("shows the employee's note where it belongs, as text")
  func note() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      try await server.day.note("Hands full <b>&amp;</b>", 7)
      let lines = try await server.get("/employees/7/shifts/1").1.split(separator: "<li")
      let place = try #require(lines.firstIndex { $0.contains("Employee’s note") })
      #expect(
        lines[place].contains("<time>11:27:00</time>")
          && lines[place].contains("“Hands full &lt;b&gt;&amp;amp;&lt;/b&gt;”"), "\(lines[place])")
      let before = lines[..<place].suffix(3)
      #expect(before.contains { $0.contains(">Location access denied<span") }, "\(before)")
    }
  }

  // R: W11
  @Test("a track is opened only with a purpose, each time")
  func purpose() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      for purpose in [
        "", "purpose=", "purpose=%20%20", "purpose=" + String(repeating: "x", count: 501),
      ] {
        let (refused, text) = try await server.post(maja + "/track", purpose)
        #expect(refused.status == 422 && text.contains("role=\"alert\""))
        #expect(!text.contains("svg class=\"track\""))
      }
      #expect(server.day.opened.withLock { $0 }.isEmpty)
      let (opened, text) = try await server.post(maja + "/track", "purpose=Lost%20%3Ckeys%3E")
      #expect(opened.status == 200 && text.contains("svg class=\"track\""))
      #expect(text.contains("Purpose: “Lost &lt;keys&gt;”") && text.contains("267 positions"))
      #expect(text.contains("1 gap. The line ends where positions are missing."))
      // The list needs no script.
      #expect(text.contains("<tr class=\"cut\"><td colspan=\"4\">No positions for 21 min"))
      #expect(text.split(separator: "<td>Phone 1<td class=\"place\">45.").count == 268)
      #expect(opened.headers["Cache-Control"] == "no-store")
      // Without a map, the script gets no coordinates.
      #expect(text.contains(",06:55:00,8,0,;") && !text.contains("8,0,,45."))
      #expect(server.day.opened.withLock { $0 } == ["Mira Lončar: Lost <keys>"])
      let (foreign, _) = try await server.post(maja + "/track", "purpose=x", site: "cross-site")
      #expect(foreign.status == 403)
      #expect(server.day.opened.withLock { $0 }.count == 1)
    }
  }

  // R: W11
  @Test("a manager with coverage rights only is not offered the track, and cannot open it")
  func rights() async throws {
    let manager = Principal(
      actor: AuditActor(name: "Mate"), role: .manager,
      teams: [TeamID(1): [.coverage, .track], TeamID(2): .coverage])
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let (_, text) = try await server.get(maja)
      #expect(!text.contains("Purpose (visible to the employee)"))
      #expect(try await server.post(maja + "/track", "purpose=x").0.status == 404)
      #expect(
        try await server.get("/employees/7/shifts/1").1.contains(
          "Purpose (visible to the employee)"))
      for path in ["/employees/21/shifts/1", "/employees/21", "/employees/99"] {
        #expect(try await server.get(path).0.status == 404, "\(path)")
      }
      for path in ["/employees/21/shifts/1/corrections", "/employees/21/overrides"] {
        #expect(try await server.post(path, "reason=x&finding=denied").0.status == 404, "\(path)")
      }
      #expect(server.day.opened.withLock { $0 }.isEmpty)
    }
  }

  // R: W10
  @Test("start and end are corrected in the team's time zone, with a reason shown as plain text")
  func correction() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/12/shifts/1/corrections"
      let tag = "&tag=" + (try await server.tag(on: "/employees/12/shifts/1"))
      let typed = "start=2026-11-20T06:00&end=2026-11-20T10:11"
      for (form, fault) in [
        (typed + "&reason=why", "Change the start, the end or a break first"),
        ("start=2026-11-20T06:00&end=2026-11-20T23:00&reason=why", "in the future"),
        ("start=2026-11-20T06:00&end=2026-11-20T05:00&reason=why", "must end after its start"),
        ("start=2026-11-20T06:00&end=&reason=why", "end of a shift cannot be removed"),
        ("start=2026-10-25T02:50&end=2026-11-20T10:11&reason=r", "shows 02:50 twice"),
        ("start=2026-10-25T02:50&startAgain=second&end=2026-11-20T10:11&reason=r", "would exceed"),
        ("start=2026-03-29T02:30&end=2026-11-20T10:11&reason=r", "enter 01:59 or 03:00"),
        ("start=yesterday&end=2026-11-20T10:11&reason=why", "start as a date and time"),
        ("start=2026-11-20T06:00&end=2026-11-20T10:00&reason=%20", "A reason must have"),
      ] {
        let (response, text) = try await server.post(path, form + tag)
        #expect(response.status == 422 && text.contains(fault), "\(form)")
      }
      let (_, kept) = try await server.post(
        path, "start=%22%3E&end=%3C&reason=%3C/textarea%3E" + tag)
      #expect(
        kept.contains(#"value="&quot;&gt;""#) && kept.contains("&lt;/textarea&gt;</textarea>"))
      let (done, _) = try await server.post(
        path, "start=2026-11-20T06:00&end=2026-11-20T10:00&reason=Left+%3Cearly%3E" + tag)
      #expect(done.status == 303)
      let (_, text) = try await server.get(try #require(done.headers["Location"]))
      #expect(text.contains("Shift corrected."))
      #expect(
        text.contains(" to 06:00–10:00")
          && text.contains("Mira Lončar changed the shift from "))
      #expect(text.contains("“Left &lt;early&gt;”") && text.contains("Clocked out"))
      // Based on the version before that change.
      for tag in [tag, ""] {
        let (late, told) = try await server.post(
          path, "start=2026-11-20T06:00&end=2026-11-20T10:11&reason=Stayed" + tag)
        #expect(late.status == 422 && told.contains("The shift has changed since you read it"))
        #expect(told.contains(#"value="2026-11-20T10:00""#) && told.contains(">Stayed</text"))
      }
    }
  }

  // R: W10
  @Test("the newest correction can be undone, with a reason that is shown as plain text")
  func undo() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/12/shifts/1"
      let tag = "&tag=" + (try await server.tag(on: path))
      let (corrected, _) = try await server.post(
        path + "/corrections", "start=2026-11-20T06:00&end=2026-11-20T10:00&reason=why" + tag)
      #expect(corrected.status == 303)
      for form in ["", "reason=", "reason=%20"] {
        let (refused, text) = try await server.post(path + "/corrections/1/undo", form)
        #expect(refused.status == 422 && text.contains("A reason must have"), "\(form)")
        #expect(text.contains(#"action="/employees/12/shifts/1/corrections/1/undo#correct""#))
      }
      #expect(try await server.get(path).1.contains("06:00–10:00 "))
      #expect(try await server.post(path + "/corrections/9/undo", "reason=x").0.status == 404)
      let (done, _) = try await server.post(path + "/corrections/1/undo", "reason=Not+%3Cher%3E")
      #expect(done.status == 303 && done.headers["Location"] == path + "?done=undone")
      let (_, text) = try await server.get(path + "?done=undone")
      for part in [
        "Correction undone. The employee sees it when the app is opened", "06:00–10:11 ",
        "Mira Lončar undid a correction and changed the shift from 06:00–10:00 to 06:00–10:11",
        "“Not &lt;her&gt;”",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      _ = try await server.day.operations.people.changeEmployee(
        EmployeeID(12), by: PageServer.principal
      ) { $0.email = "nika@example.com" }.get()
      let (_, reached) = try await server.get(path + "?done=undone")
      #expect(reached.contains("Correction undone. The employee is notified."))
      #expect(!text.contains("Undo correction"))
      // As if another manager had undone it first.
      let (late, told) = try await server.post(path + "/corrections/1/undo", "reason=Mine")
      #expect(
        late.status == 422
          && told.contains("Only the newest correction of a shift can be undone."))
    }
  }
}

@Suite("The employee page") struct EmployeePageTests {
  @Test("shows the clock-in readiness, and offers an override for what blocks")
  func standing() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (response, text) = try await server.get("/employees/11")
      #expect(response.status == 200)
      for part in [
        "<h1>Tomislav Jurić</h1>", "bad\">Cannot clock in", "location access denied",
        "Clock-in blocked at 11:21: your decision is needed",
        #"<input type="checkbox" name="finding" value="denied" checked>"#,
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      #expect(try await server.get("/employees/11/shifts").1.contains("No shift yet"))
      #expect(try await server.get("/employees/11/devices").1.contains("Pixel 10"))
      #expect(try await server.get("/employees/21/shifts").1.contains("/employees/21/shifts/1"))
    }
  }

  @Test("shows that an employee is tracked; an old permission check is no alarm")
  func oldCheck() async throws {
    let people = [
      DemoDay.DemoEmployee(
        number: 7, name: "Ana Horvat", team: 0, steps: [.clocksIn(330), .walks(330, 341)]),
      DemoDay.DemoEmployee(
        number: 8, name: "Ivo Šimunić", team: 0,
        steps: [.clocksIn(329, .whenInUse), .walks(329, 341)]),
      DemoDay.DemoEmployee(number: 9, name: "Petra Novak", team: 0, steps: [.says(282, .always)]),
      DemoDay.DemoEmployee(number: 13, name: "Josip Radić", team: 0, steps: []),
    ]
    try await withQuietServer(people) { server in
      for (number, verdict) in [
        (7, #"<p class="verdict good">Tracked</p>"#),
        (8, #"<p class="verdict warn">Tracked, at risk</p>"#),
        (9, #"<p class="verdict">Permission not checked recently</p>"#),
        (13, #"<p class="verdict">No phone enrolled</p>"#),
      ] {
        let (response, text) = try await server.get("/employees/\(number)")
        #expect(response.status == 200 && text.contains(verdict), "\(number): \(text)")
        #expect(text.contains("Permission not checked recently") == (number != 13))
        #expect(!text.contains("No contact yet"), "a phone had contact, or there is none")
        for part in ["Cannot be tracked", "Cannot clock in", "verdict bad"] {
          #expect(!text.contains(part), "\(number): \(part) in \(text)")
        }
        // During a shift nothing blocks, and there is nothing to allow.
        for part in ["would be blocked", ">blocks<", #"name="finding""#] where number < 9 {
          #expect(!text.contains(part), "\(number): \(part) in \(text)")
        }
      }
    }
  }

  // R: W3
  @Test("an override is given and withdrawn, and accepting a blocked clock-in opens its shift")
  func overrides() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/11"
      let tag = "&tag=" + (try await server.tag(on: path))
      for (form, fault) in [
        ("reason=why", "An override needs at least one finding"),
        ("finding=denied&reason=", "A reason must have"),
      ] {
        let (response, text) = try await server.post(path + "/overrides", form + tag)
        #expect(response.status == 422 && text.contains(fault), "\(form)")
      }
      #expect(try await server.post(path + "/overrides", "finding=x&reason=y").0.status == 404)
      let (given, _) = try await server.post(
        path + "/overrides", "finding=denied&finding=stale_report&reason=phone+%3Cbroken%3E" + tag)
      #expect(given.status == 303 && given.headers["Location"] == "/employees/11?done=given")
      // It would replace an override that another manager has added since.
      let (late, told) = try await server.post(
        path + "/overrides", "finding=denied&reason=late" + tag)
      #expect(late.status == 422 && told.contains("The newest override has changed"))
      #expect(told.contains(#"value="late""#) && told.contains("“phone &lt;broken&gt;”"))
      let (_, listed) = try await server.get("/employees/11?done=given")
      #expect(listed.contains("“phone &lt;broken&gt;”") && listed.contains("valid until 23:42"))
      let (taken, _) = try await server.post(path + "/overrides/1/withdraw", "")
      #expect(taken.headers["Location"] == "/employees/11?done=withdrawn")
      #expect(try await server.get(path).1.contains("withdrawn"))
      #expect(try await server.post(path + "/overrides/9/withdraw", "").0.status == 404)
      let (refused, text) = try await server.post(path + "/clock-actions/1/accept", "reason=")
      #expect(refused.status == 422 && text.contains("A reason must have"))
      let (opened, _) = try await server.post(
        path + "/clock-actions/1/accept", "reason=he+is+there")
      #expect(opened.headers["Location"] == "/employees/11?done=opened")
      let (_, shift) = try await server.get("/employees/11/shifts/1")
      #expect(shift.contains("Override by Mira Lončar for location access denied"))
      let (again, _) = try await server.post(path + "/clock-actions/1/dismiss", "")
      #expect(again.status == 422)
    }
  }

  // R: W14
  @Test("a clock-out that was kept for review is accepted by correcting the shift it belongs to")
  func keptClockOut() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let phone = try await TestPhone.enrolled(in: server.day, employee: 12)
      let now = server.day.now
      _ = try await phone.clockOut("late") {
        $0.occurredAt = now - .hours(25)
        $0.sentAt = now
      }
      let (_, text) = try await server.get("/employees/12")
      #expect(text.contains("your decision is needed") && !text.contains("Open the shift from"))
      let link = try #require(
        text.firstMatch(of: /href="(\/employees\/12\/shifts\/1)\?clockAction=(\d+)#correct">/))
      let (path, number) = (String(link.1), String(link.2))
      let (_, shift) = try await server.get("\(path)?clockAction=\(number)")
      let hidden = #"<input type="hidden" name="clockAction" value="\#(number)">"#
      #expect(shift.contains(hidden))
      let unchanged = try await server.tag(on: path)
      // A refusal keeps what the form is about.
      let (refused, again) = try await server.post(
        path + "/corrections", "tag=\(unchanged)&clockAction=\(number)&reason=r&start=&end=")
      #expect(refused.status == 422 && again.contains(hidden))
      let (done, _) = try await server.post(
        path + "/corrections",
        "tag=\(unchanged)&clockAction=\(number)&reason=r&start=2026-11-20T06%3A00%3A00"
          + "&end=2026-11-20T10%3A00%3A00")
      #expect(done.headers["Location"] == "\(path)?done=corrected")
      #expect(try await !server.get("/employees/12").1.contains("your decision is needed"))
    }
  }

  @Test("working time claimed by a superseded clock-in stays until it is reviewed")
  func claims() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.get("/employees/23")
      for part in [
        #"<h2 id="claims">Claimed working time</h2>"#, "<li><p>11:00–11:10</p>",
        "Clock-in attempt 1 was blocked, then superseded by a later clock-in",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      #expect(!text.contains("your decision is needed"))
      // A clock-in that waits for a decision is not listed twice.
      let (_, waiting) = try await server.get("/employees/11")
      #expect(waiting.contains("<p>Claimed working time: 11:21–11:42.</p>"))
      #expect(!waiting.contains(#"id="claims""#))
      let (done, _) = try await server.post("/employees/23/clock-actions/1/dismiss", "")
      #expect(
        done.headers["Location"] == "/employees/23?done=dismissed&employee=23&clockAction=1")
      #expect(try await !server.get("/employees/23").1.contains("Claimed working time"))
    }
  }

  @Test("no text of an employee, a manager or a phone becomes markup")
  func escaping() async throws {
    let people = [
      DemoDay.DemoEmployee(
        number: 4, name: hostile, team: 0, steps: [.clocksIn(300), .says(310, .denied)],
        model: hostile)
    ]
    try await DemoDay.run(people) { day in
      try await day.note(hostile, 4)
      _ = try await day.operations.reviews.giveOverride(
        to: EmployeeID(4), [.init(.denied)], reason: hostile, by: AuditActor(name: hostile))
      _ = try await day.operations.reviews.correct(
        ShiftID(employee: EmployeeID(4), number: 1),
        CorrectionRequest(startedAt: DemoDay.six + .minutes(301), reason: hostile),
        by: AuditActor(name: hostile))
      let server = PageServer(day)
      for path in ["/employees/4", "/employees/4/shifts/1"] {
        let (response, text) = try await server.get(path)
        #expect(response.status == 200)
        #expect(text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&gt;&lt;/script&gt;"))
        #expect(!text.contains("<img"), "\(path)")
      }
    }
  }
}
