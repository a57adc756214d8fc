import HTTPServing
import InstallationOperations
import ManagerCore
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

// R: W11
@Suite("The pages for an employee's data") struct EmployeeDataPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])

  private static let eve = [
    DemoDay.DemoEmployee(number: 4, name: "<b>Eve</b>  \"Ann\"", team: 0, steps: [])
  ]

  @Test("the data of an employee is downloaded as an archive, which is recorded")
  func export() async throws {
    try await withQuietServer(Self.eve) { server in
      let (_, page) = try await server.get("/employees/4/data")
      #expect(page.contains(#"method="post" action="/employees/4/export">"#))
      let (answer, _) = try await server.post("/employees/4/export", "")
      #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store")
      #expect(
        answer.headers["Content-Disposition"]
          == #"attachment; filename="employee-4-2026-11-20.tar""#)
      guard case .file(let pieces) = answer.body else {
        Issue.record("the body is not a file")
        return
      }
      var bytes: [UInt8] = []
      for try await piece in pieces { bytes += piece }
      #expect(bytes.starts(with: "README.txt".utf8) && bytes.count % 512 == 0)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("tables/employee.jsonl") && text.contains(#"<b>Eve</b>  \"Ann\""#))
      let log = try await server.day.operations.installation.auditEntries(
        about: EmployeeID(4), limit: 9)
      #expect(log.filter { $0.action == .employeeExported }.map(\.actor) == ["Mira Lončar"])
      #expect(try await server.post("/employees/99/export", "").0.status == 404)
    }
  }

  @Test("an employee is erased only after the name or the number was typed")
  func erasure() async throws {
    try await withQuietServer(Self.eve) { server in
      let path = "/employees/4/erase"
      #expect(try await server.get("/employees/4/data").1.contains(#"href="\#(path)""#))
      let (_, question) = try await server.get(path)
      #expect(question.contains("This cannot be undone.") && !question.contains("endShift"))
      #expect(question.contains("&lt;b&gt;Eve") && !question.contains("<b>Eve"))
      let before = try await server.day.pool.rows(of: 4)
      for typed in ["", "+", "5", "4+4", "Eve", "%3Cb%3Eeve%3C%2Fb%3E+%22Ann%22", "%3Cscript%3E"] {
        let (refused, text) = try await server.post(path, "confirmation=\(typed)&endShift=yes")
        #expect(refused.status == 422 && text.contains("Nothing was deleted."), "\(typed)")
        #expect(!text.contains("<script>") && !text.contains("<b>eve"), "\(typed)")
      }
      #expect(try await server.day.pool.rows(of: 4) == before && before["employee"] == 1)
      let name = "+%3Cb%3EEve%3C%2Fb%3E+%22Ann%22+"
      let (erased, _) = try await server.post(path, "confirmation=\(name)")
      #expect(erased.headers["Location"] == "/settings/employees?erased=4")
      #expect(try await server.day.pool.rows(of: 4) == [:])
      let (_, list) = try await server.get("/settings/employees?erased=4")
      #expect(list.contains("Employee 4 erased.") && !list.contains("Eve"))
      #expect(try await server.get(path).0.status == 404)
      #expect(try await server.post(path, "confirmation=4").0.status == 404)
    }
  }

  @Test("an open shift is named, and is ended only if that was chosen")
  func openShift() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/7/erase"
      #expect(try await server.get(path).1.contains("Shift 1 is open."))
      let before = try await server.day.pool.rows(of: 7)
      let (refused, text) = try await server.post(path, "confirmation=7")
      #expect(refused.status == 422 && text.contains("Shift 1 is open; end it first."))
      #expect(text.contains(#"name="endShift""#) && text.contains(#"value="7""#))
      #expect(try await server.day.pool.rows(of: 7) == before)
      let (erased, _) = try await server.post(path, "confirmation=7&endShift=yes")
      #expect(erased.status == 303)
      #expect(try await server.day.pool.rows(of: 7) == [:])
    }
  }

  @Test("a privacy notice is published as typed, and earlier versions stay readable")
  func privacyNotice() async throws {
    try await withQuietServer { server in
      let path = "/settings/privacy-notice"
      #expect(try await server.get("/settings").1.contains(#"href="\#(path)""#))
      #expect(try await server.get(path).1.contains("No privacy notice yet."))
      let (asked, question) = try await server.post(path, "text=We+keep%0D%0A%3Ci%3Eshifts.")
      #expect(asked.status == 200 && question.contains("Publish version 1?"))
      #expect(question.contains(#"name="text" value="We keep\#n&lt;i&gt;shifts.""#))
      #expect(try await server.day.operations.manager.installation.privacyNotice() == nil)
      let (first, _) = try await server.post(
        path, "text=We+keep%0D%0A%3Ci%3Eshifts.&sure=yes")
      #expect(first.headers["Location"] == "\(path)?published=1")
      let manager = server.day.operations.manager
      #expect(try await manager.installation.privacyNotice()?.text == "We keep\n<i>shifts.")
      let (_, page) = try await server.get("\(path)?published=1")
      #expect(page.contains("Version 1 published.") && page.contains("time in Europe/Zagreb"))
      #expect(page.contains("We keep\n&lt;i&gt;shifts.") && !page.contains("<details>"))
      let long = String(repeating: "x", count: 20_001)
      for (form, fault) in [
        ("text=We+keep%0D%0A%3Ci%3Eshifts.", "same as in the current version"),
        ("text=", "must have 1 to 20,000 characters"), ("text=+%0D%0A", "must not be blank"),
        ("text=\(long)", "must have 1 to 20,000 characters"), ("", "must not be blank"),
      ] {
        let (refused, text) = try await server.post(path, form)
        #expect(refused.status == 422 && text.contains(fault), "\(form.prefix(40))")
      }
      let longest = String(repeating: "%F0%9F%98%80", count: 20_000)
      #expect(try await server.post(path, "text=\(longest)&sure=yes").0.status == 303)
      #expect(try await server.post(path, "text=Third.&sure=yes").0.status == 303)
      #expect(try await manager.installation.privacyNotices(limit: 9).map(\.version) == [3, 2, 1])
      let (_, all) = try await server.get(path)
      #expect(all.contains(">Version 3</h2>") && all.matches(of: /<details>/).count == 2)
      #expect(all.contains("<summary>Version 1, since"))
    }
  }

  @Test("they do not exist for managers, who change nothing")
  func foreign() async throws {
    try await withQuietServer(Self.eve, principal: manager) { server in
      let before = try await server.day.pool.rows(of: 4)
      for path in ["/employees/4/erase", "/settings/privacy-notice"] {
        #expect(try await server.get(path).0.status == 404, "\(path)")
      }
      for path in [
        "/employees/4/erase", "/employees/4/export", "/settings/privacy-notice",
      ] {
        let (answer, _) = try await server.post(path, "confirmation=4&text=x")
        #expect(answer.status == 404, "\(path)")
      }
      #expect(try await server.day.pool.rows(of: 4) == before)
      #expect(try await server.day.operations.installation.privacyNotice() == nil)
      #expect(try await !server.get("/settings").1.contains("/settings/privacy-notice"))
    }
  }
}
