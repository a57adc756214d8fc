import BackgroundOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing

@Suite("The page of a team's sites") struct SitesPageTests {
  private static let path = "/settings/teams/1/sites"
  private static let depot = "name=Depot+%3Cb%3E&center=45.3000%2C+13.7000&radius=200"

  private func mate(_ rights: TeamRights) -> Principal {
    Principal(actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): rights])
  }

  // R: M4
  @Test("is reached in two clicks, adds a site, changes it and removes it after a confirmation")
  func life() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      #expect(try await server.get("/settings/teams/1").1.contains(#"href="\#(Self.path)""#))
      #expect(try await server.get("/settings/teams/1/edit").1.contains(#"href="\#(Self.path)""#))
      #expect(try await server.get(Self.path).1.contains("No sites yet"))
      let (added, _) = try await server.post(Self.path, Self.depot)
      #expect(added.headers["Location"] == Self.path + "?done=added")
      let (_, text) = try await server.get(Self.path + "?done=added")
      #expect(text.contains("Site added.") && text.contains("200 m around 45.3, 13.7"), "\(text)")
      #expect(text.contains("<b>Depot &lt;b&gt;</b>"))
      let (again, fault) = try await server.post(Self.path, Self.depot)
      #expect(again.status == 409 || again.status == 422)
      #expect(fault.contains("Team 1 already has the site") && fault.contains("Depot &lt;b&gt;"))
      for (field, value) in [
        ("center=45.3000%2C+13.7000", "center=45.3"), ("center=45.3000", "center=x"),
        ("center=45.3000", "center=91"), ("radius=200", "radius=20"), ("radius=200", "radius="),
        ("name=Depot+%3Cb%3E", "name=+"), ("name=Depot", "name=a%0Ab"),
      ] {
        let form = Self.depot.replacing(field, with: value)
        #expect(try await server.post(Self.path, form).0.status == 422, "\(form)")
      }

      let (_, form) = try await server.get(Self.path + "?site=1")
      #expect(form.contains("Change Depot &lt;b&gt;") && form.contains(#"value="45.3, 13.7""#))
      let changed = "name=Yard&center=-90+180&radius=50"
      #expect(
        try await server.post(Self.path + "/1", changed).0.headers["Location"]
          == Self.path + "?done=changed")
      #expect(try await manager.people.sites(of: TeamID(1)).map(\.name) == ["Yard"])
      #expect(try await server.post(Self.path + "/2", changed).0.status == 404)

      let (asked, question) = try await server.post(Self.path + "/1/remove", "")
      #expect(asked.status == 200 && question.contains("Remove Yard?"))
      let (removed, _) = try await server.post(Self.path + "/1/remove", "sure=yes")
      #expect(removed.headers["Location"] == Self.path + "?done=removed")
      #expect(try await manager.people.sites(of: TeamID(1)).isEmpty)
      #expect(try await server.post(Self.path + "/1/remove", "sure=yes").0.status == 404)
      #expect(try await server.get("/audit").1.contains("removed a site of"))
    }
  }

  // R: W11
  @Test("draws the sites to choose a place on, and takes the place of a stop without adding a site")
  func place() async throws {
    try await withQuietServer { server in
      #expect(!(try await server.get(Self.path).1.contains("class=\"laid pick\"")))
      let (page, text) = try await server.post(Self.path, "center=45.30010%2C+13.70020")
      #expect(page.status == 200 && text.contains(#"value="45.30010, 13.70020""#), "\(text)")
      #expect(text.contains(#"name="radius" type="number""#) && text.contains(#"value="200""#))
      #expect(text.contains("data-fit=\"45.3001,13.7002,") && !text.contains("r=\"3.0\""))
      #expect(try await server.day.operations.manager.people.sites(of: TeamID(1)).isEmpty)
      for center in ["", "%22%3E%3Cscript%3E%00", "91%2C0", String(repeating: "1", count: 200)] {
        let (odd, text) = try await server.post(Self.path, "center=\(center)")
        #expect(odd.status == 200 && !text.contains("<script>") && !text.contains("data-fit"))
      }
      let foreign = try await server.post(Self.path, "center=45%2C13", site: "cross-site")
      #expect(foreign.0.status == 403)

      #expect(try await server.post(Self.path, Self.depot).0.status == 303)
      let (_, all) = try await server.get(Self.path)
      #expect(all.contains("class=\"site\"") && all.contains(">Depot &lt;b&gt;</text>"))
      #expect(all.contains(#"data-site="45.3, 13.7, 200""#) && all.contains(" hidden />"))
      // The site that is changed is the circle that is chosen.
      let (_, changed) = try await server.get(Self.path + "?site=1")
      #expect(!changed.contains("class=\"site\"") && changed.contains("class=\"chosen\""))
    }
    try await withQuietServer(principal: mate(.all)) { server in
      let (answer, _) = try await server.post(Self.path, "center=45%2C13")
      #expect(answer.status == 404)
    }
  }

  // R: W11
  @Test("is led to from the stops of an opened track, for those who may add a site")
  func stops() async throws {
    let path = "/employees/8/shifts/1"
    let form = "<form method=\"post\" action=\"\(Self.path)#site\">"
    try await withQuietServer(DemoDay.demoTeams) { server in
      #expect(!(try await server.get(path).1.contains(form)))
      for track in [path, "/employees/8/days/2026-11-20"] {
        let (_, text) = try await server.post(track + "/track", "purpose=Lost+keys")
        let stop = #/#site"><input type="hidden" name="center" value="(45\.\d{5}, 13\.\d{5})">/#
        let center = try #require(text.firstMatch(of: stop), "\(text)").1
        #expect(text.contains("aria-label=\"Make this a site: stop 1\""))
        #expect(text.contains("<td class=\"place\">\(center)<td>"))
      }
    }
    try await withQuietServer(DemoDay.demoTeams, principal: mate(.all)) { server in
      let (_, text) = try await server.post(path + "/track", "purpose=Lost+keys")
      #expect(text.contains("id=\"stops\"") && !text.contains("Make this a site"))
    }
  }

  // R: W11
  @Test("is read by the team's managers and changed by none of them")
  func managers() async throws {
    try await withQuietServer(principal: mate(.all)) { server in
      let (page, text) = try await server.get(Self.path)
      #expect(page.status == 200 && text.contains("Only administrators can change the sites."))
      for path in [Self.path, Self.path + "/1", Self.path + "/1/remove"] {
        #expect(try await server.post(path, Self.depot).0.status == 404, "\(path)")
      }
      #expect(try await server.get("/settings/teams/2/sites").0.status == 404)
    }
  }

  // R: W11
  @Test("makes arrivals appear on the timeline and the time sheet, for those who may see tracks")
  func visits() async throws {
    let ana = DemoDay.DemoEmployee(
      number: 7, name: "Ana", team: 0, steps: [.clocksIn(0), .walks(0, 60), .clocksOut(300)])
    try await DemoDay.run([ana]) { day in
      let boss = PageServer(day)
      let walked = day.walked(by: 7)
      let (first, second) = (try #require(walked.first), try #require(walked.dropFirst(30).first))
      // All around everything, and around the middle of the walk only.
      for (name, point, radius) in [("Town <i>", first, 5_000), ("Yard", second, 100)] {
        let form = "name=\(name.replacing("<i>", with: "%3Ci%3E"))&center=\(point.place.degrees)"
        let (added, text) = try await boss.post(Self.path, "\(form)&radius=\(radius)")
        #expect(added.status == 303, "\(text)")
      }
      _ = try await day.operations.reviews.correct(
        ShiftID(employee: EmployeeID(7), number: 1),
        CorrectionRequest(endedAt: DemoDay.six + .minutes(299), reason: "x"),
        by: AuditActor(name: "Boss"))
      _ = try await day.operations.background.rollUpPings()
      let pages = ["/employees/7/shifts/1", "/time-sheets"]
      let parts = [
        [
          "<time>06:00:00</time><div>At Town &lt;i&gt;<span>59 min, until 06:59</span>",
          "<div>At Yard<span>", "A later position was outside",
        ],
        [
          #"<p class="aside">Town &lt;i&gt; 06:00, last seen 06:59</p>"#,
          #"<p class="aside">Yard 06:"#,
        ],
      ]
      for (path, parts) in zip(pages, parts) {
        for (rights, isShown) in [(TeamRights.all, true), (.coverage, false)] {
          let (page, text) = try await PageServer(day, principal: mate(rights)).get(path)
          #expect(page.status == 200)
          for part in parts { #expect(text.contains(part) == isShown, "\(part) in \(text)") }
        }
      }
    }
  }
}
