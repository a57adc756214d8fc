import Cryptography
import DeviceOperations
import ManagerCore
import PeopleOperations
import ShiftDomain
import Testing

@Suite("The employee pages") struct EmployeesPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])

  @Test("an employee is added and the browser sent on to their enrolment code")
  func enrolled() async throws {
    try await withQuietServer { server in
      let (made, _) = try await server.post(
        "/settings/employees", "name=Ivo&team=1&employee=900&code=yes")
      #expect(made.status == 307)
      let (coded, text) = try await server.post(
        try #require(made.headers["Location"]), "name=Ivo&team=1&employee=900&code=yes")
      #expect(coded.status == 200 && text.contains("Enrolment code"))
      #expect(text.contains("Scan this QR code with the phone’s camera, or open"))
      #expect(
        try await server.get("/settings/employees").1.contains("href=\"#add\">New employee</a>"))
    }
  }

  // R: W25
  @Test("the number of an erased employee is reused only with a tick")
  func usedNumber() async throws {
    try await withQuietServer { server in
      let form = "name=Ivo&team=1&employee=900"
      #expect(try await server.post("/settings/employees", form).0.status == 303)
      _ = try await server.day.operations.people.erase(
        EmployeeID(900), endsShift: true,
        by: Principal(actor: AuditActor(name: "Boss"), role: .administrator))
      let tick = #"name="reuse""#
      let page = try await server.get("/settings/employees").1
      // That of the file is always there.
      #expect(page.split(separator: tick).count == 2)
      let (refused, text) = try await server.post("/settings/employees", form)
      #expect(refused.status == 422 && text.split(separator: tick).count == 3)
      #expect(text.contains("Number 900 belonged to an employee who was erased"))
      #expect(
        try await server.post("/settings/employees", form + "&reuse=yes").0.status == 303)
    }
  }

  @Test("an employee is added, changed and given a code, and their phone is revoked")
  func employee() async throws {
    try await withQuietServer { server in
      let (made, _) = try await server.post(
        "/settings/employees", "name=%3Cb%3EIvo&team=1&email=&employee=900")
      #expect(made.headers["Location"] == "/employees/900/devices?done=added")
      let (_, text) = try await server.get("/employees/900/data")
      #expect(text.contains("&lt;b&gt;Ivo") && !text.contains("<b>Ivo"))
      let tag = try #require(text.firstMatch(of: /name="tag" value="([^"]+)"/)).1
      let (saved, _) = try await server.post(
        "/employees/900/data",
        "name=Ivo&team=2&email=i%40example.org&phoneNumber=%2B385+91&tag=\(tag)")
      #expect(saved.status == 303)
      let (late, told) = try await server.post(
        "/employees/900/data", "name=Iva&team=2&email=&tag=\(tag)")
      #expect(
        late.status == 422 && told.contains("The employee has changed since you read it"))
      #expect(told.contains(#"value="i@example.org""#) && told.contains(#"value="+385 91""#))
      let (_, shown) = try await server.get("/employees/900")
      #expect(shown.contains(#"href="mailto:i@example.org""#))
      #expect(shown.contains(#"href="tel:+38591""#))
      let (_, coded) = try await server.post("/employees/900/devices/codes", "")
      let code = try #require(coded.firstMatch(of: /code-text.>(900-[0-9A-Z-]+)<\/strong>/)).1
      #expect(coded.contains("/app#\(code)"))
      let mail = try #require(coded.firstMatch(of: /href="(mailto:i@example\.org\?[^"]+)"/)).1
      #expect(mail.contains("%23\(code)%0A") && mail.contains("subject=Your%20phone%20for"))
      _ = try await server.day.operations.device.enrol(
        code: String(code), NewDevice(platform: .ios, model: "iPhone13,2"),
        receipt: server.day.receipt)
      #expect(try await server.get("/employees/900/devices").1.contains("iPhone13,2"))
      let revoke = "/employees/900/devices/1/revoke"
      let (asked, question) = try await server.post(revoke, "")
      #expect(asked.status == 200 && question.contains("Revoke phone 1?"), "\(question)")
      #expect(question.contains("This cannot be undone."))
      let (_, unchanged) = try await server.get("/employees/900/devices")
      #expect(!unchanged.contains("revoked"))
      let (revoked, _) = try await server.post(revoke, "sure=yes")
      #expect(revoked.headers["Location"] == "/employees/900/devices?done=revoked")
      let (_, after) = try await server.get("/employees/900/devices?done=revoked")
      #expect(after.contains("Phone revoked.") && after.contains("<td>revoked 11:42"))
      #expect(try await server.post(revoke, "").0.status == 404)
      for form in [
        "name=+&team=1", "name=A&team=99", "name=A&team=1&employee=900",
        "name=A&team=1&phoneNumber=x",
      ] {
        #expect(try await server.post("/settings/employees", form).0.status == 422, "\(form)")
      }
    }
  }

  // R: M1
  @Test("OwnTracks is set up with the team's sites as regions, if that is wanted")
  func sites() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/7/devices/apps"
      let form = "app=owntracks&platform=ios&interval="
      let team = try await server.day.operations.people.employee(EmployeeID(7)).team
      for site in try await server.day.operations.people.sites(of: team) {
        try await server.day.operations.people.removeSite(site.number, from: team, by: .arranger)
      }
      let (none, why) = try await server.post(path, form + "&sites=yes")
      #expect(none.status == 422 && why.contains("The team has no sites yet"))
      let center = try #require(Coordinate(latitude: 45.25, longitude: 13.5))
      for number in 1...22 {
        _ = try await server.day.operations.people.addSite(
          name: "Yard \(number)", center: center, radiusMeters: 150, to: team, by: .arranger)
        guard number == 1 || number == 22 else { continue }
        let (answer, text) = try await server.post(path, form + "&sites=yes")
        #expect(answer.status == 200)
        let fits = number == 1
        #expect(text.contains("QR code of the link") == fits)
        #expect(text.contains("too long for a QR code") == !fits)
        #expect(text.contains("newest 2 of the team are left out") == !fits)
      }
      let (_, without) = try await server.post(path, form)
      #expect(without.contains("QR code of the link"))
      #expect(without.contains("<dt>UserID<dd><code>7</code>"), "\(without)")
      // The interval of the team.
      #expect(without.contains("<dt>locatorInterval<dd><code>60</code>"), "\(without)")
      #expect(!without.contains("shiftguard.otrc"))
      let (_, android) = try await server.post(path, "app=owntracks&platform=android&interval=")
      let file = try #require(
        android.firstMatch(
          of: /download="shiftguard.otrc" href="data:application\/json;base64,([^"]+)"/))
      let content = String(decoding: try #require(Base64.decode(String(file.1))), as: UTF8.self)
      #expect(content.contains(#""_type":"configuration","mode":3"#), "\(content)")
      let (other, told) = try await server.post(
        path, "app=overland&platform=ios&interval=&sites=yes")
      #expect(other.status == 422 && told.contains("Only OwnTracks"))
    }
  }

  @Test("a phone in the middle of a shift is revoked only after a warning that names the shift")
  func revokesTracking() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.post("/employees/7/devices/1/revoke", "")
      #expect(text.contains("It tracks shift 1, which is open"), "\(text)")
    }
  }

  @Test("an employee has one page with tabs, which shows managers what they may change")
  func tabs() async throws {
    // Links and buttons of administrators.
    let steps = ["/devices/codes", "/devices/1/revoke", "/export", "/erase", "Edit details"]
    for (principal, sees) in [(PageServer.principal, true), (manager, false)] {
      try await withQuietServer(DemoDay.demoTeams, principal: principal) { server in
        var all = ""
        for path in [
          "/employees/7", "/employees/7/shifts", "/employees/7/devices",
          "/employees/7/data",
        ] {
          let (response, text) = try await server.get(path)
          #expect(response.status == 200 && text.contains("<h1>Ana Horvat</h1>"), "\(path)")
          let current = text.matches(of: /<a href="(\S*)" aria-current="page">/).map { $0.1 }
          #expect(current == ["/", Substring(path)], "\(current)")
          all += text
        }
        for step in steps {
          #expect(all.contains(step) == sees, "\(step)")
        }
        #expect(all.contains("Pixel") || all.contains("iPhone"))
        #expect(try await server.get("/employees/99/data").0.status == 404)
      }
    }
  }

  @Test("the addresses of the former second page lead to the tabs")
  func formerAddresses() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      for (former, page) in [
        ("/settings/employees/7", "/employees/7/data"),
        ("/settings/employees/7/erase", "/employees/7/erase"),
      ] {
        let (answer, _) = try await server.get(former)
        #expect(answer.status == 303 && answer.headers["Location"] == page, "\(former)")
      }
    }
  }

  @Test("a list is checked, its errors are shown by line, and it is imported")
  func list() async throws {
    try await withQuietServer { server in
      let csv = "employee%2Cname%2Cteam%0A900%2CIvo%2C1%0A"
      let path = "/settings/employees/import"
      let (_, tried) = try await server.post(path, "csv=\(csv)&trial=yes")
      #expect(tried.contains("nothing imported yet: 1 new") && tried.contains("900,Ivo,1"))
      #expect(try await server.get("/employees/900/data").0.status == 404)
      let (faulty, told) = try await server.post(path, "csv=\(csv)901%2C%2C1&trial=")
      #expect(faulty.status == 422 && told.contains("Line 3: <code>name</code> must have"))
      #expect(try await server.post(path, "csv=\(csv)&trial=").1.contains("Imported: 1 new"))
      #expect(try await server.get("/settings/employees?name=iVO").1.contains(">Ivo</a>"))
    }
  }

  @Test("do not exist for managers, and refuse forms of other sites")
  func foreign() async throws {
    try await withQuietServer(principal: manager) { server in
      #expect(try await server.get("/settings/employees").0.status == 404)
      #expect(try await server.get("/settings/employees/1").0.status == 404)
      for path in [
        "/settings/employees", "/settings/employees/import", "/employees/1/data",
        "/employees/1/devices/codes", "/employees/1/devices/1/revoke",
      ] {
        let (answer, _) = try await server.post(path, "name=A&team=1")
        #expect(answer.status == 404, "\(path)")
      }
    }
    try await withQuietServer { server in
      let (answer, _) = try await server.post(
        "/settings/employees", "name=A&team=1", site: "cross-site")
      #expect(answer.status == 403)
    }
  }
}
