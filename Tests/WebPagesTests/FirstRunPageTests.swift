import Guidance
import HTTPServing
import InstallationOperations
import ManagerCore
import NotificationOperations
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing
import WebPages

@Suite("The first run, by pages", .serialized) struct FirstRunPageTests {
  /// With what only guardd knows of channels and backups.
  private func server(
    _ day: DemoDay, as principal: Principal = PageServer.principal,
    mail: @escaping @Sendable (String) async -> TestMailResult = { _ in .accepted }
  ) -> PageServer {
    var settings = PageSettings(
      now: { day.now }, authenticate: { _ in principal }, logIn: { _, _, _ in "" },
      logOut: { _ in "" })
    settings.setUpChannels = { [.email, .webhook] }
    settings.channelSetup = {
      ChannelSetup(
        file: "/etc/shiftguard/channels.json", namedBy: "/etc/shiftguard/guardd.conf:3",
        details: [.email: "mail.example:587, STARTTLS, from shifts@example.com"])
    }
    settings.sendTestMail = mail
    settings.publicURL = "https://shifts.example.com"
    settings.backupAgeMax = .hours(48)
    return PageServer(day, settings)
  }

  @Test("leads by a checklist, whose lines are ticked when true, until it is dismissed")
  func checklist() async throws {
    try await withQuietServer { server in
      let board: () async throws -> String = { try await server.get("/").1 }
      let begun = try await board()
      // The day has teams, and e-mail is set up.
      #expect(
        begun.contains("2 of 8 done") && begun.contains("<details class=\"card checklist\" open>"))
      for path in ["/settings/teams/1/contacts", "/settings/employees", "/settings/rehearsals"] {
        #expect(begun.contains("<a href=\"\(path)\""), "\(path)")
      }
      _ = try await server.day.operations.people.addEmployee(
        EmployeeID(7), name: "Ana <b>", team: TeamID(1))
      let employed = try await board()
      #expect(
        employed.contains("3 of 8 done") && employed.contains("href=\"/employees/7/devices\""))
      let manager = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])
      let theirs = PageServer(server.day, principal: manager)
      #expect(try await theirs.get("/").1.contains("checklist") == false)
      #expect(try await theirs.post("/checklist/dismiss", "").0.status == 404)
      for _ in 0..<2 {
        let (answer, _) = try await server.post("/checklist/dismiss", "")
        #expect(answer.status == 303 && answer.headers["Location"] == "/")
      }
      #expect(try await board().contains("checklist") == false)
      let log = try await server.day.operations.installation.auditEntries(about: nil, limit: 9)
      #expect(log.filter { $0.action == .checklistDismissed }.count == 1)
    }
  }

  @Test("an empty board is usable on phone and desktop, in light and dark mode")
  func look() async throws {
    try await withQuietServer { server in
      try await server.day.write("TRUNCATE team CASCADE")
      try await server.serve { address in
        let faults = try await Browser.run("look", address, Browser.pictures, #"{"empty": "/"}"#)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  // R: W11
  @Test("a team is removed after a question, and never with employees in it")
  func removal() async throws {
    try await withQuietServer { server in
      _ = try await server.day.operations.people.addEmployee(
        EmployeeID(7), name: "Ana", team: TeamID(1))
      let path = "/settings/teams/3/remove"
      let (asked, question) = try await server.post(path, "")
      #expect(asked.status == 200 && question.contains("Remove Hills?"))
      #expect(try await server.day.operations.people.teams().count == 3)
      let (kept, why) = try await server.post("/settings/teams/1/remove", "sure=yes")
      #expect(kept.status == 422 && why.contains("Team 1 has employees; move or erase them first"))
      let (removed, _) = try await server.post(path, "sure=yes")
      #expect(removed.headers["Location"] == "/settings/teams?done=removed")
      #expect(try await server.get("/settings/teams?done=removed").1.contains("Team removed."))
      #expect(try await server.post(path, "sure=yes").0.status == 404)
      #expect(try await server.get("/audit").1.contains("removed team 3"))
    }
  }

  // R: M4
  @Test("warns of a missing privacy notice, contact and backup, until each is there")
  func warnings() async throws {
    try await DemoDay.run([]) { day in
      let server = self.server(day)
      let warned: () async throws -> [Bool] = {
        let text = try await server.get("/settings").1
        return ["There is no <a", "No manager is notified about", "No backup of the database"].map {
          text.contains($0)
        }
      }
      #expect(try await warned() == [true, false, true])
      _ = try await day.operations.people.addEmployee(
        EmployeeID(7), name: "Ana", team: day.teams[0])
      #expect(try await warned() == [true, true, true])
      _ = try await day.operations.installation.setPrivacyNotice("x", by: PageServer.principal)
      try await day.operations.notifications.addContact("boss@example.com", to: day.teams[0])
      try await day.write(
        "INSERT INTO backup (finished_at, method) VALUES ('2026-11-20T01:00:00Z', 'pg_dump')")
      #expect(try await server.get("/settings").1.contains("Needs attention") == false)
      try await day.write("UPDATE backup SET finished_at = '2026-11-17T01:00:00Z'")
      let (_, old) = try await server.get("/settings")
      #expect(old.contains("The last backup of the database was finished 3 d ago."), "\(old)")
      let mate = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [day.teams[0]: .all])
      #expect(try await self.server(day, as: mate).get("/settings").1.contains("backup") == false)
    }
  }

  @Test("Channels says what is set and where, and sends a test to whoever asks")
  func channels() async throws {
    try await DemoDay.run([]) { day in
      let row = try await day.operations.installation.addAccount(
        email: "mira@example.com", AccountSettings(name: "Mira", role: .administrator),
        password: Password("correct horse battery"), by: PageServer.principal
      ).get()
      var mira = PageServer.principal
      mira.account = row.account
      let path = "/settings/channels"
      let (_, text) = try await server(day, as: mira).get(path)
      for part in [
        "<code>/etc/shiftguard/channels.json</code>", "/etc/shiftguard/guardd.conf:3",
        "mail.example:587, STARTTLS, from shifts@example.com", "Send a test e-mail to my account",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      let (sent, done) = try await server(day, as: mira).post(path + "/test", "")
      #expect(sent.status == 200 && done.contains("Test accepted for mira@example.com."))
      let failing = server(day, as: mira) { .failed(reason: "status 550 to \($0.count)") }
      let (failed, why) = try await failing.post(path + "/test", "")
      #expect(failed.status == 422)
      #expect(why.contains("Test to mira@example.com not delivered: status 550 to 16."))
      // Nobody to send it to, or nothing to send it with.
      #expect(try await server(day).post(path + "/test", "").0.status == 422)
      #expect(try await PageServer(day, principal: mira).post(path + "/test", "").0.status == 422)
      let (_, without) = try await PageServer(day, principal: mira).get(path)
      #expect(!without.contains("Send a test") && without.contains("No file of channels is set"))
      let log = try await server(day).get("/audit").1
      #expect(log.contains("sent a test e-mail to their own account"))
    }
  }

  // R: W11
  @Test("what a works council and employees are given is printed in each language")
  func papers() async throws {
    try await DemoDay.run([]) { day in
      try await day.operations.notifications.addContact("boss@example.com", to: day.teams[0])
      try await day.operations.notifications.addContact(
        "https://hooks.example.com/s3cret", by: .webhook, to: day.teams[0])
      _ = try await day.operations.installation.addAccount(
        email: "mate@example.com",
        AccountSettings(name: "Mate <i>", role: .manager, teams: [day.teams[0]: .all]),
        password: Password("correct horse battery"), by: PageServer.principal
      ).get()
      _ = try await day.operations.installation.setRetention([.fixes: 21], by: PageServer.principal)
      let server = self.server(day)
      for language in Language.allCases {
        let (report, text) = try await server.get(
          "/settings/privacy-report?language=\(language.code)")
        #expect(report.status == 200 && text.contains("lang=\"\(language.code)\">"))
        let parts = [
          "<td>21 \(PrivacyText.days.text(in: language))", "boss@example.com, hooks.example.com",
          "<td>Mate &lt;i&gt;", PrivacyText.assessmentTitle.text(in: language),
          "mail.example:587",
        ]
        for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("s3cret") && !text.contains(PrivacyText.apple.text(in: language)))
        let (page, paper) = try await server.get(
          "/settings/hand-out?team=1&language=\(language.code)")
        #expect(page.status == 200 && paper.contains("https://shifts.example.com/app"))
        #expect(paper.contains(PrivacyText.lightGreen.text(in: language)))
        #expect(paper.contains("Mate &lt;i&gt;") && paper.contains(" 21."))
      }
      #expect(try await server.get("/settings/hand-out?team=9").0.status == 404)
      #expect(try await server.get("/settings/hand-out?language=xx").0.status == 200)
      try await day.write("TRUNCATE team CASCADE")
      let (none, _) = try await server.get("/settings/hand-out")
      #expect(none.headers["Location"] == "/settings/teams")
    }
  }
}
