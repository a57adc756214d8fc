import HTTPServing
import JSONText
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

// R: W11
@Suite("Filters of the audit log") struct AuditFilterTests {
  private static let start = TwoTeamsWorld.start
  private static let entries = [
    AuditEntry(
      id: 1, .trackViewed, at: start + .hours(1), actor: "Mira Lončar", account: AccountID(5),
      employee: EmployeeID(7), team: TeamID(1), shift: 1, reason: "one"),
    AuditEntry(
      id: 2, .overrideGiven, at: start + .hours(2), actor: "Mira Lončar", account: AccountID(5),
      employee: EmployeeID(8), target: 1, reason: "two"),
    AuditEntry(
      id: 3, .teamChanged, at: start + .hours(3), actor: "payroll", target: 1, reason: "three"),
    AuditEntry(
      id: 4, .shiftCorrected, at: start + .hours(4), actor: "Ivo", account: AccountID(6),
      employee: EmployeeID(7), shift: 1, target: 1, reason: "four"),
  ]

  /// Runs `body` with only these entries, whose ids begin with their time.
  private static func run(
    _ entries: [AuditEntry] = entries, _ body: (TwoTeamsWorld, HTTPHeaders) async throws -> Void
  ) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("ada", .administrator)
      let page = try await all.page(of: "ada")
      try await all.write(
        ["DELETE FROM audit_entry"]
          + entries.map { entry in
            var entry = entry
            entry.id += entry.at.firstID
            return insert(entry)
          })
      try await body(all, page)
    }
  }

  private static func instant(_ hours: Int64) -> String {
    (start + .hours(hours)).rfc3339.replacing(":", with: "%3A")
  }

  @Test("select by employee, account, actor, action and time, in any combination")
  func filters() async throws {
    try await Self.run { all, page in
      for (query, reasons) in [
        ("", ["four", "three", "two", "one"]),
        ("employee=7", ["four", "one"]), ("employee=8", ["two"]),
        ("account=5", ["two", "one"]), ("account=9", []),
        ("actor=mira", ["two", "one"]), ("actor=LON%C4%8CAR", ["two", "one"]),
        ("actor=%25", []), ("actor=p_yroll", []), ("actor=%5C", []),
        ("actor=payroll", ["three"]),
        ("action=team_changed", ["three"]), ("action=logged_in", []),
        ("action=team_changed,shift_corrected", ["four", "three"]),
        ("from=\(Self.instant(2))", ["four", "three", "two"]),
        ("to=\(Self.instant(2))", ["one"]),
        ("from=\(Self.instant(2))&to=\(Self.instant(4))", ["three", "two"]),
        ("from=1960-01-01T00:00:00Z&to=9999-01-01T00:00:00Z", ["four", "three", "two", "one"]),
        ("employee=7&account=5", ["one"]), ("employee=7&actor=ivo", ["four"]),
        ("employee=7&from=\(Self.instant(2))", ["four"]),
        ("employee=7&action=track_viewed", ["one"]),
        ("account=5&action=override_given", ["two"]),
      ] {
        let answer = try await all.send(.get, "/v1/audit?\(query)", "", page)
        #expect(answer.status == 200, "\(query): \(answer.text)")
        let found = answer.text.matches(of: /"reason":"(\w+)"/).map { String($0.1) }
        #expect(found == reasons, "\(query)")
      }
    }
  }

  @Test("are kept from page to page")
  func pages() async throws {
    try await Self.run { all, page in
      for (query, wanted) in [
        ("account=5", ["two", "one"]), ("employee=7", ["four", "one"]),
        ("from=\(Self.instant(2))", ["four", "three", "two"]),
        ("to=\(Self.instant(4))", ["three", "two", "one"]),
      ] {
        var seen: [String] = []
        var before = ""
        repeat {
          let answer = try await all.send(.get, "/v1/audit?limit=1&\(query)\(before)", "", page)
          seen += answer.text.matches(of: /"reason":"(\w+)"/).map { String($0.1) }
          let next = answer.text.firstMatch(of: /"next":"(\d+)"/)
          before = next.map { "&before=\($0.1)" } ?? ""
        } while !before.isEmpty && seen.count < 9
        #expect(seen == wanted, "\(query)")
      }
    }
  }

  @Test("find entries of a newer version among the others, in JSON, as CSV and for the employee")
  func newer() async throws {
    try await Self.run { all, page in
      try await all.write([
        """
        INSERT INTO audit_entry (employee_id, entry_id, at, action, actor, reason)
        VALUES (7, \(Self.start.firstID), \(Self.start), 200, 'Eva', 'five')
        """
      ])
      for path in ["/v1/audit?employee=7", "/v1/audit", "/v1/employees/7/audit"] {
        let answer = try await all.send(.get, path, "", page)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.contains(#""action":"newer_version","by":"Eva""#), "\(answer.text)")
        #expect(answer.text.contains("shift_corrected"))
      }
      let file = try await all.send(.get, "/v1/audit?format=csv", "", page)
      #expect(file.text.contains("newer_version,Eva,,7,"))
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      let seen = try await all.send(.get, "/v1/me/audit", "", own)
      #expect(seen.status == 200 && seen.text.contains("newer_version"))
      // It cannot be asked for, because this version does not know which one it is.
      #expect(try await all.send(.get, "/v1/audit?action=newer_version", "", page).status == 422)
    }
  }

  @Test("that are not valid are refused with the parameter's name")
  func refused() async throws {
    try await Self.run { all, page in
      for (query, name) in [
        ("employee=0", "employee"), ("account=x", "account"), ("account=0", "account"),
        ("actor=", "actor"),
        ("actor=" + String(repeating: "x", count: 101), "actor"), ("action=nothing", "action"),
        ("action=logged_in,", "action"),
        ("from=yesterday", "from"), ("to=2026-11-20", "to"),
        ("from=2026-11-20T08:00:00Z&to=2026-11-20T08:00:00Z", "to"), ("before=-1", "before"),
        ("format=gpx", "format"), ("limit=0", "limit"),
      ] {
        let answer = try await all.send(.get, "/v1/audit?\(query)", "", page)
        #expect(answer.status == 422 && answer.text.contains("`\(name)`"), "\(answer.text)")
      }
      let unknown = try await all.send(.get, "/v1/audit?employee=99", "", page)
      #expect(unknown.status == 404)
    }
  }

  @Test("select the lines of a CSV file, in which no text is a formula")
  func file() async throws {
    let hostile = AuditEntry(
      id: 5, .shiftCorrected, at: Self.start + .hours(5), actor: "@SUM(A1)",
      employee: EmployeeID(7), shift: 1, target: 2, reason: "=HYPERLINK(\"http://x\"),\r\nnext")
    try await Self.run(Self.entries + [hostile]) { all, page in
      let answer = try await all.send(.get, "/v1/audit?format=csv&employee=7", "", page)
      #expect(answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present")
      let name = answer.headers["Content-Disposition"] ?? ""
      #expect(name.contains(/filename="audit-log-to-2026-11-2\dT\d{4}Z\.csv"$/), "\(name)")
      let span = "&from=\(Self.instant(1))&to=\(Self.instant(30))"
      let part = try await all.send(.get, "/v1/audit?format=csv\(span)", "", page)
      #expect(
        part.headers["Content-Disposition"]
          == #"attachment; filename="audit-log-from-2026-11-20T1030Z-to-2026-11-21T1530Z.csv""#)
      #expect(
        answer.text == """
          time,action,by,account,employee,name,team,shift,from,to,target,reason\r
          2026-11-20T14:30:00.000Z,shift_corrected,'@SUM(A1),,7,Person 7,,1,,,2,\
          "'=HYPERLINK(""http://x""),\r
          next"\r
          2026-11-20T13:30:00.000Z,shift_corrected,Ivo,6,7,Person 7,,1,,,1,four\r
          2026-11-20T10:30:00.000Z,track_viewed,Mira Lončar,5,7,Person 7,1,1,,,,one\r

          """)
      var accepting = page
      accepting["Accept"] = "text/csv"
      let byAccept = try await all.send(.get, "/v1/audit?employee=7", "", accepting)
      #expect(byAccept.text == answer.text)
    }
  }

  @Test("select more lines than one page of a CSV file")
  func longFile() async throws {
    let many = (0..<2_500).map { place in
      AuditEntry(
        id: Int64(place), place % 2 == 0 ? .loggedIn : .loggedOut, at: Self.start,
        actor: "Mira", reason: "\(place)")
    }
    try await Self.run(many) { all, page in
      for (query, step) in [("", 1), ("&action=logged_in", 2)] {
        let request = try HTTPRequest(.get, "/v1/audit?format=csv\(query)", headers: page)
        guard case .file(let pieces) = await all.router.respond(to: request).body else {
          Issue.record("the body is not a file")
          return
        }
        var (count, text) = (0, "")
        for try await piece in pieces {
          count += 1
          text += String(decoding: piece, as: UTF8.self)
        }
        #expect(count == 3 - step / 2)
        let lines = text.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",").last }
        let wanted = stride(from: 0, to: 2_500, by: step).reversed().map { "\($0)" }
        #expect(lines.map { $0.map(String.init) } == wanted)
      }
    }
  }

  @Test("are for administrators")
  func rights() async throws {
    try await Self.run { all, _ in
      try await all.hire("mira", teams: [1: .all])
      let page = try await all.page(of: "mira")
      for query in ["employee=7", "format=csv", "account=5&format=csv"] {
        #expect(try await all.send(.get, "/v1/audit?\(query)", "", page).status == 403)
      }
    }
  }
}
