import GuardRules
import InstallationOperations
import ManagerCore
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The page of reviews") struct ReviewsPageTests {
  @Test("has a blocked clock-in until it is decided, and every page says that it waits")
  func clockAction() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let link = #"<a href="/employees/11#clock-action-1">Tomislav Jurić</a>"#
      let (response, text) = try await server.get("/reviews")
      #expect(response.status == 200)
      for part in [link, "<td>11:21", "Clock-in blocked<td>location access denied", "Coast"] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      for path in ["/", "/coverage", "/employees/7"] {
        let (_, page) = try await server.get(path)
        // The board's own title counts employees who need attention.
        #expect(page.contains(path == "/" ? "<title>(4) " : "<title>(1) "), "\(path)")
        #expect(page.contains(#"<b class="badge">1<span class="hidden"> waiting</span></b>"#))
      }
      // The link leads to where the decision is made.
      #expect(try await server.get("/employees/11").1.contains(#"id="clock-action-1""#))
      let (dismissed, _) = try await server.post(
        "/employees/11/clock-actions/1/dismiss", "reason=&next=reviews")
      let place = try #require(dismissed.headers["Location"])
      #expect(place == "/reviews?done=dismissed&employee=11&clockAction=1")
      let (_, after) = try await server.get(place)
      #expect(after.contains("Clock action dismissed."))
      #expect(after.contains("No clock action waits for a decision."))
      #expect(after.contains("<title>Reviews ") && !after.contains("badge"))
      let undo = try #require(after.firstMatch(of: /action="(\S+undo-dismissal)"/)).1
      let (undone, _) = try await server.post(String(undo), "next=reviews")
      #expect(undone.headers["Location"] == "/reviews?done=undismissed")
      let (_, back) = try await server.get("/reviews?done=undismissed")
      #expect(back.contains("Dismissal undone.") && !back.contains(">Undo</button>"))
      #expect(back.contains("Tomislav Jurić"))
    }
  }

  @Test("forgets a blocked clock-in that is overtaken: by a clock-in, or by the end of its shift")
  func overtaken() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(
        number: 7, name: "Ana", team: 0, steps: [.clocksIn(320, .denied), .clocksIn(330)]),
      DemoDay.DemoEmployee(number: 8, name: "Ivo", team: 0, steps: [.clocksIn(321, .denied)]),
    ]) { day in
      let server = PageServer(day)
      let (_, text) = try await server.get("/reviews")
      #expect(text.contains(">Ivo</a>") && !text.contains(">Ana</a>"), "\(text)")
      day.wait(.hours(16))
      #expect(
        try await server.get("/reviews").1.contains("No clock action waits for a decision."))
    }
  }

  @Test("has a shift that ended at its limit until it is corrected")
  func shift() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(number: 7, name: "Ana", team: 0, steps: [.clocksIn(330)])
    ]) { day in
      let server = PageServer(day)
      #expect(try await server.get("/reviews").1.contains("No shift waits for a decision."))
      day.wait(.hours(17))
      _ = try await day.operations.background.processDueTime(of: EmployeeID(7))
      let (_, text) = try await server.get("/reviews")
      #expect(text.contains(#"<a href="/employees/7/shifts/1#correct">Ana</a>"#), "\(text)")
      #expect(text.contains("ended automatically") && text.contains("<title>(1) "))
      let (_, shift) = try await server.get("/employees/7/shifts/1")
      #expect(shift.contains("This shift needs review: ended automatically."), "\(shift)")
      _ = try await day.operations.reviews.correct(
        ShiftID(employee: EmployeeID(7), number: 1),
        CorrectionRequest(endedAt: DemoDay.six + .minutes(600), reason: "forgotten"),
        by: Principal.arranger.actor
      ).get()
      #expect(try await server.get("/reviews").1.contains("No shift waits for a decision."))
    }
  }

  @Test("has a shift that ended at its limit until its times are accepted as they are")
  func accepted() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(number: 7, name: "Ana", team: 0, steps: [.clocksIn(330)])
    ]) { day in
      let server = PageServer(day)
      day.wait(.hours(17))
      _ = try await day.operations.background.processDueTime(of: EmployeeID(7))
      let path = "/employees/7/shifts/1"
      let (_, asked) = try await server.get(path)
      let tag = try #require(asked.firstMatch(of: /name="tag" value="([^"]+)"/)).1
      for _ in 1...2 {
        let (done, _) = try await server.post(path + "/accept", "tag=\(tag)")
        #expect(done.headers["Location"] == path + "?done=accepted")
      }
      let (_, shift) = try await server.get(path + "?done=accepted")
      #expect(shift.contains("Recorded times accepted.") && !shift.contains("needs review"))
      #expect(try await server.get("/reviews").1.contains("No shift waits for a decision."))
      let log = try await day.operations.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(log.filter { $0.action == .timesAccepted }.map(\.shift) == [1])
    }
  }

  @Test("has a shift whose times the employee objects to, with the employee's words")
  func objection() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(
        number: 7, name: "Ana", team: 0, steps: [.clocksIn(100), .clocksOut(300)])
    ]) { day in
      let server = PageServer(day)
      let (_, before) = try await server.get("/reviews")
      #expect(before.contains("No shift waits for a decision."))
      try await day.object("Until <b>five</b>", 7)
      let (_, queue) = try await server.get("/reviews")
      #expect(queue.contains("<title>(1) "))
      #expect(queue.contains("the employee objects: “Until &lt;b&gt;five&lt;/b&gt;”"))
      let path = "/employees/7/shifts/1"
      let (_, shift) = try await server.get(path)
      #expect(shift.contains("The employee objected to the times"))
      #expect(shift.contains("Accept the recorded times"))
      let (unread, told) = try await server.post(path + "/accept", "tag=other")
      #expect(unread.status == 422 && told.contains("has changed since you read it"))
      let tag = try #require(shift.firstMatch(of: /name="tag" value="([^"]+)"/)).1
      let (accepted, _) = try await server.post(path + "/accept", "tag=\(tag)")
      #expect(accepted.status == 303)
      #expect(try await server.get("/reviews").1.contains("No shift waits for a decision."))
      #expect(try await server.get(path).1.contains("The employee objected to the times"))
      let (_, log) = try await server.get("/audit")
      #expect(log.contains("objected to the times of"))
    }
  }

  @Test("forgets a blocked clock-in that a shift covers, since another one was accepted")
  func covered() async throws {
    try await DemoDay.run([
      DemoDay.DemoEmployee(
        number: 7, name: "Ana", team: 0, steps: [.clocksIn(320, .denied), .clocksIn(322, .denied)])
    ]) { day in
      let server = PageServer(day)
      #expect(try await server.get("/reviews").1.contains("<title>(2) "))
      let (opened, _) = try await server.post("/employees/7/clock-actions/1/accept", "reason=ok")
      #expect(opened.status == 303)
      #expect(
        try await server.get("/reviews").1.contains("No clock action waits for a decision."))
    }
  }

  private static let blocked = [(7, "Ana"), (8, "Ivo"), (9, "Mia")].map { number, name in
    DemoDay.DemoEmployee(
      number: Int32(number), name: name, team: 0, steps: [.clocksIn(320, .denied)])
  }

  @Test("decides on several clock-ins for one reason, and names each that was decided already")
  func together() async throws {
    try await DemoDay.run(Self.blocked) { day in
      let server = PageServer(day)
      let path = "/reviews/decisions"
      let (_, queue) = try await server.get("/reviews")
      let boxes = queue.matches(of: /name="selected" value="([^"]+)"/).map { String($0.1) }
      #expect(boxes.sorted() == ["7/1/", "8/1/", "9/1/"])
      let (nothing, told) = try await server.post(path, "reason=x&decision=dismissed")
      #expect(nothing.status == 422 && told.contains("Select a clock action first."))
      let (unexplained, again) = try await server.post(
        path, "reason=&decision=accepted&selected=9/1/")
      #expect(unexplained.status == 422 && again.contains("1 to 500 characters"))
      #expect(again.contains(#"name="selected" checked value="9/1/""#))
      _ = try await server.post("/employees/8/clock-actions/1/dismiss", "reason=Late")
      let (partly, text) = try await server.post(
        path,
        "reason=Wrong+phone&decision=dismissed&selected=7/1/&selected=8/1/&selected=99/1/")
      #expect(partly.status == 422)
      for part in [
        "1 clock action dismissed. No shift was changed.",
        "Ivo, clock action 1: The clock action was already reviewed with another result.",
        "clock action 1 of employee 99: Employee 99 does not exist.",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      for (employee, reason) in [(EmployeeID(7), "Wrong phone"), (EmployeeID(8), "Late")] {
        let log = try await day.operations.installation.auditEntries(about: employee, limit: 9)
        #expect(log.filter { $0.action == .clockActionDismissed }.map(\.reason) == [reason])
      }
      let (accepted, _) = try await server.post(
        path, "reason=Seen&decision=accepted&selected=9/1/&selected=junk")
      #expect(accepted.headers["Location"] == "/reviews?decided=accepted&count=1")
      let (_, after) = try await server.get("/reviews?decided=accepted&count=1")
      #expect(after.contains("1 clock action accepted.") && !after.contains(#"name="selected""#))
    }
  }

  @Test("decides on nothing of another team, and names nobody of it")
  func foreignSelection() async throws {
    let mate = Principal(
      actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(2): .coverage])
    try await withQuietServer(Self.blocked, principal: mate) { server in
      let (refused, text) = try await server.post(
        "/reviews/decisions", "reason=x&decision=dismissed&selected=7/1/")
      #expect(refused.status == 422 && !text.contains("Ana"))
      #expect(text.contains("clock action 1 of employee 7: Clock action 1 of employee 7 does not"))
      let waiting = try await server.day.operations.reviews.reviewCount(for: PageServer.principal)
      #expect(waiting == 3)
    }
  }

  @Test("has an override until it is used, withdrawn or expired")
  func override() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      _ = try await server.day.operations.reviews.giveOverride(
        to: EmployeeID(11), [.init(.denied)], reason: "<b>new phone", by: Principal.arranger.actor
      ).get()
      let (_, text) = try await server.get("/reviews")
      #expect(text.contains(#"<a href="/employees/11#override">"#), "\(text)")
      #expect(text.contains("“&lt;b&gt;new phone”, test"), "\(text)")
      server.day.wait(.hours(12))
      #expect(
        try await server.get("/reviews").1.contains("No override waits for its clock-in."))
    }
  }

  @Test("shows managers only their own teams")
  func foreign() async throws {
    for (team, isTheirs) in [(TeamID(1), true), (TeamID(2), false)] {
      let principal = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [team: .coverage])
      try await withQuietServer(DemoDay.demoTeams, principal: principal) { server in
        let (_, text) = try await server.get("/reviews")
        #expect(text.contains("Tomislav") == isTheirs && text.contains("badge") == isTheirs)
      }
    }
  }
}
