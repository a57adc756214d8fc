import InsightOperations
import InstallationOperations
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

extension DemoDay {
  /// An entry of every action, about employee 1 and shift 1, by the first account; the newest has
  /// the highest action.
  func fillAuditLog(employee: Int32 = 1, actor: String = "Mira", reason: String = "why")
    async throws
  {
    for action in AuditAction.allCases {
      let at = now - .minutes(Int64(AuditAction.allCases.count)) + .minutes(Int64(action.rawValue))
      let id = at.firstID
      try await write(
        """
        INSERT INTO audit_entry (employee_id, entry_id, at, from_at, to_at, account_id, shift_no,
          target, action, actor, reason)
        VALUES (\(employee), \(id), \(at), \(at), \(at), 1, 1, 1, \(Int16(action.rawValue)),
          \(actor), \(reason))
        """)
    }
  }
}

// R: W11
@Suite("The page of the audit log") struct AuditPageTests {
  @Test("shows the times that a reason names in the time zone of the page")
  func times() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let reason = "from 2026-12-01T05:00:00.000Z; Maximum shift: 16 h → 12 h"
      try await server.day.fillAuditLog(reason: reason)
      let text = try await server.get("/audit").1
      #expect(text.contains("from Tue 1 Dec, 06:00; Maximum shift: 16 h → 12 h</p>"))
      #expect(!text.contains("aside\">from 2026"))
    }
  }

  @Test("has a sentence with names for every action")
  func sentences() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      try await server.day.write("DELETE FROM audit_entry")
      try await server.day.fillAuditLog()
      let (response, text) = try await server.get("/audit")
      #expect(response.status == 200)
      let sentences = text.matches(of: /<b>Mira<\/b><\/a> (.*?)<\/p>/).map { String($0.1) }
      #expect(sentences.count == AuditAction.allCases.count)
      let choices = text.split(separator: "name=\"action\"").last?
        .matches(of: /<option value="[a-z_]+">([^<]+)/).map { String($0.1) }
      #expect(choices?.count == AuditAction.allCases.count && choices == choices?.sorted())
      for sentence in sentences {
        // An action without a sentence would be shown by its name or its code.
        #expect(sentence.first?.isLowercase == true && !sentence.contains("_"), "\(sentence)")
      }
      let name = #"<a href="/employees/1">Luka Babić</a>"#
      let shift = #"<a href="/employees/1/shifts/1">shift 1</a>"#
      for sentence in [
        "corrected \(shift) of \(name)", "allowed \(name) one clock-in by override 1",
        "changed the policy of the team “Coast”", "revoked deleted API token 1",
        "reset the password of deleted account 1",
        "accepted clock action 1 of \(name) for \(shift)",
      ] {
        #expect(sentences.contains(sentence), "\(sentence) in \(sentences)")
      }
      #expect(text.contains("Times in Europe/Zagreb"))
    }
  }

  @Test("shows the actions of a newer version plainly, among the others")
  func newer() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      try await server.day.write("DELETE FROM audit_entry")
      try await server.day.fillAuditLog()
      for action in [200, 300] as [Int16] {
        try await server.day.write(
          """
          INSERT INTO audit_entry (employee_id, entry_id, at, action, actor)
          VALUES (0, \(Int64(action)), \(server.day.now), \(action), 'Mira')
          """)
      }
      let (response, text) = try await server.get("/audit")
      #expect(response.status == 200)
      let sentence = "did something that only a newer version of ShiftGuard can describe"
      #expect(text.components(separatedBy: sentence).count == 3)
      #expect(text.contains("corrected <a") && !text.contains("newer_version"))
    }
  }

  @Test("says of what does not exist any more that it is deleted")
  func deleted() async throws {
    try await withQuietServer { server in
      try await server.day.fillAuditLog(employee: 77)
      let (_, text) = try await server.get("/audit")
      #expect(text.contains("corrected shift 1 of deleted employee 77"))
      #expect(!text.contains("href=\"/employees/77"))
    }
  }

  @Test("filters by employee, account, actor, action and days, also the older pages")
  func filters() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let day = server.day
      try await day.write("DELETE FROM audit_entry")
      for number in 1...101 {
        _ = try await day.operations.insight.noteTrackViews(
          of: [ShiftID(employee: EmployeeID(1), number: 1)], by: PageServer.principal,
          purpose: "view-\(number)-")
        day.wait(.milliseconds(2))
      }
      _ = try await day.operations.installation.setPrivacyNotice(
        "Notice", by: .init(.init(name: "Ivo")))
      let (_, all) = try await server.get("/audit")
      #expect(all.contains("published version 1") && !all.contains("view-1-"))
      for query in [
        "employee=1", "employee=luka+b", "actor=mira", "action=track_viewed",
        "employee=&account=&actor=LON%C4%8CAR&action=track_viewed&from=2026-11-20&to=2026-11-20",
      ] {
        let (response, text) = try await server.get("/audit?\(query)")
        #expect(response.status == 200 && text.contains("view-101-"), "\(query)")
        #expect(!text.contains("published version 1") && !text.contains("view-1-"), "\(query)")
        let link = try #require(text.firstMatch(of: /href="(\/audit\?[^"]*before=[^"]*)"/)?.1)
        let (_, older) = try await server.get(String(link).replacing("&amp;", with: "&"))
        #expect(older.contains("view-1-") && !older.contains("view-2-"), "\(query)")
        #expect(!older.contains("before="))
      }
      for query in ["to=2026-11-19", "from=2026-11-21", "account=9", "action=logged_in"] {
        let text = try await server.get("/audit?\(query)").1
        #expect(text.contains("No entry matches."), "\(query)")
      }
    }
  }

  @Test("asks which employee is meant, and explains what it cannot search")
  func unclear() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, several) = try await server.get("/audit?employee=ana&action=logged_in")
      #expect(several.contains("Which employee do you mean?"))
      let link = #"href="/audit?employee=7&amp;action=logged_in">Ana Horvat</a>, Coast"#
      #expect(several.contains(link))
      for (query, fault) in [
        ("employee=nobody", "No employee has this name."),
        ("employee=999", "Employee 999 does not exist."),
        ("from=soon", "Enter dates such as 2026-11-30"),
        ("from=2026-11-20&to=2026-11-19", "the first day before the last"),
      ] {
        let (response, text) = try await server.get("/audit?\(query)")
        #expect(response.status == 422 && text.contains(fault), "\(query)")
      }
      for query in ["account=x", "action=nothing", "before=0"] {
        #expect(try await server.get("/audit?\(query)").0.status == 404, "\(query)")
      }
    }
  }

  @Test("links to the CSV file of the same entries, with days as instants")
  func file() async throws {
    try await DemoDay.run(DemoDay.demoTeams) { day in
      let server = PageServer(day, hasDownloads: true)
      let text = try await server.get(
        "/audit?employee=luka&actor=%3Cb%3E&from=2026-11-20&to=2026-11-20"
      ).1
      #expect(
        text.contains(
          """
          href="/v1/audit?employee=1&amp;actor=%3Cb%3E&amp;from=2026-11-19T23%3A00%3A00.000Z&amp;\
          to=2026-11-20T23%3A00%3A00.000Z&amp;format=csv"
          """), "\(text)")
      #expect(text.contains("At most 100,000 entries"))
      #expect(try await !PageServer(day).get("/audit").1.contains("format=csv"))
    }
  }

  @Test("never makes markup of actors, reasons and searched text")
  func markup() async throws {
    try await withQuietServer { server in
      try await server.day.fillAuditLog(actor: hostile, reason: hostile)
      let (_, text) = try await server.get("/audit?actor=" + "%3Cimg%20src%3Dx%20onerror")
      #expect(text.contains("&lt;img src=x onerror") && !text.contains("<img"))
    }
  }
}
