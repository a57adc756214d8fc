import GuardRules
import HTTPServing
import InstallationOperations
import PolicyOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Administering teams, employees and phones") struct EmployeeRouteTests {
  private typealias Answer = APIAnswer

  private func run(
    _ body: (TwoTeamsWorld, (HTTPMethod, String, String, HTTPHeaders) async throws -> Answer)
      async throws -> Void
  ) async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      try await body(all) { method, path, text, headers in
        try await all.send(method, path, text, HTTPHeaders(page.fields + headers.fields))
      }
    }
  }

  @Test("adds and changes a team, and records who did it")
  func teams() async throws {
    try await run { all, send in
      let made = try await send(
        .post, "/v1/teams", #"{"name":"East","timeZone":"Asia/Tokyo","preset":"strict"}"#, [:])
      #expect(made.status == 201 && made.headers["Location"] == "/v1/teams/3")
      let body = #"{"team":3,"name":"East","timeZone":"Asia/Tokyo","preset":"strict","#
      let rest = #""policyVersion":1,"employees":0,"payRounding":"none","paysBreaks":false}"#
      #expect(made.text == body + rest)
      let tag = try #require(made.headers["ETag"])
      let renamed = try await send(
        .patch, "/v1/teams/3", #"{"name":"Far East"}"#, ["If-Match": tag])
      #expect(renamed.status == 200 && renamed.text.contains(#""name":"Far East""#))
      // Based on the version before that change.
      let late = try await send(.patch, "/v1/teams/3", #"{"name":"E"}"#, ["If-Match": tag])
      #expect(late.status == 412 && late.text.contains(#""name":"Far East""#))
      #expect(late.headers["ETag"] == renamed.headers["ETag"])
      for (body, status, code) in [
        (#"{"name":"North"}"#, 409, "name_taken"), (#"{"timeZone":"Mars"}"#, 422, "/timeZone"),
        (#"{"name":" "}"#, 422, "/name"), (#"{"zone":"UTC"}"#, 422, "/zone"),
      ] {
        let answer = try await send(.patch, "/v1/teams/3", body, [:])
        #expect(answer.status == status && answer.text.contains(code), "\(body): \(answer.text)")
      }
      // Entries of the same millisecond have no order.
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 9)
        .filter { [.teamAdded, .teamChanged].contains($0.action) }
      #expect(log.count == 2)
      #expect(log.allSatisfy { $0.actor == "boss" && $0.target == 3 })
    }
  }

  @Test("finds a number for a new employee after the highest possible one is taken")
  func highestNumber() async throws {
    try await run { _, send in
      for (body, number) in [
        (#"{"employee":2147483647,"name":"Max","team":1}"#, "2147483647"),
        (#"{"name":"Ada","team":1}"#, "9"),
      ] {
        let made = try await send(.post, "/v1/employees", body, [:])
        #expect(made.status == 201, "\(made.text)")
        #expect(made.headers["Location"] == "/v1/employees/\(number)")
      }
    }
  }

  @Test("adds employees and lists them page by page")
  func employees() async throws {
    try await run { all, send in
      let next = try await send(
        .post, "/v1/employees", #"{"name":"Žofie <b>","team":1,"email":"z@example.org"}"#, [:])
      #expect(next.status == 201 && next.headers["Location"] == "/v1/employees/9")
      #expect(
        next.text
          == #"{"employee":9,"name":"Žofie <b>","email":"z@example.org","team":1}"#)
      for (body, status, code) in [
        (#"{"employee":9,"name":"B","team":1}"#, 409, "number_taken"),
        (#"{"name":"B","team":99}"#, 422, "/team"),
        (#"{"name":"B","team":1,"email":"a b@c"}"#, 422, "/email"),
        (#"{"name":"B","team":1,"phoneNumber":"(((("}"#, 422, "/phoneNumber"),
        (#"{"name":"B","team":1,"phoneNumber":"+1 23\u0000"}"#, 422, "/phoneNumber"),
        (#"{"name":"B"}"#, 422, "/team"),
      ] {
        let answer = try await send(.post, "/v1/employees", body, [:])
        #expect(answer.status == status && answer.text.contains(code), "\(body): \(answer.text)")
      }
      let first = try await send(.get, "/v1/employees?limit=2", "", [:]).text
      #expect(first.contains(#""employee":8"#) && first.hasSuffix(#""next":8}"#))
      let last = try await send(.get, "/v1/employees?limit=2&after=8", "", [:]).text
      #expect(last.contains(#""employee":9"#) && !last.contains("next"))
      let found = try await send(.get, "/v1/employees?name=%C5%BEOF&team=1", "", [:]).text
      #expect(found.contains(#""employee":9"#) && !found.contains(#""employee":7"#))
    }
  }

  @Test(
    "keeps a phone number as it was entered",
    arguments: ["+385 91 123-4567", "+44 (0)20 7946.0000", "112", "0049/30/1234567890123456789012"])
  func phoneNumber(_ number: String) async throws {
    try await run { _, send in
      let path = "/v1/employees/7"
      let kept = try await send(.patch, path, #"{"phoneNumber":"\#(number)"}"#, [:])
      #expect(kept.status == 200 && kept.text.contains(#""phoneNumber":"\#(number)""#))
      let other = try await send(.patch, path, #"{"name":"Ada"}"#, [:])
      #expect(other.text.contains(#""phoneNumber":"\#(number)""#))
      let removed = try await send(.patch, path, #"{"phoneNumber":""}"#, [:])
      #expect(removed.status == 200 && !removed.text.contains("phoneNumber"))
    }
  }

  @Test(
    "refuses what nobody can dial",
    arguments: ["12", "+", "call me", "1+2345", "١٢٣٤", "1234567890123456789012345678901 2"])
  func noPhoneNumber(_ text: String) async throws {
    try await run { _, send in
      let refused = try await send(
        .patch, "/v1/employees/7", #"{"phoneNumber":"\#(text)"}"#, [:])
      #expect(refused.status == 422 && refused.text.contains("/phoneNumber"), "\(refused.text)")
    }
  }

  @Test("moves no employee in mid-shift, and applies the new team's policy at once after a move")
  func moving() async throws {
    try await run { all, send in
      _ = try await all.operations.policies.setPolicy(
        of: TeamID(2), PolicyChanges(preset: .advisory))
      let open = try await send(.post, "/v1/employees/7/deactivate", "", [:])
      #expect(open.status == 409 && open.text.contains(#""code":"on_shift""#), "\(open.text)")
      #expect(open.text.contains("shift 1 is open; end it first"))
      let mute = try await send(.post, "/v1/employees/7/reminders", "", [:])
      #expect(mute.status == 409 && mute.text.contains(#""code":"no_channel""#))
      let refused = try await send(.patch, "/v1/employees/7", #"{"team":2}"#, [:])
      #expect(refused.status == 409 && refused.text.contains(#""code":"on_shift""#))
      #expect(refused.text.contains(#""shift":{"employee":7,"number":1}"#))
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      all.wait(.minutes(1))
      let out = try await all.send(.post, "/v1/clock-out", #"{"actionId":"out"}"#, own)
      #expect(out.status == 200)
      let tag = try #require(
        try await send(.get, "/v1/employees/7", "", [:]).headers["ETag"])
      #expect(
        try await send(.patch, "/v1/employees/7", #"{"team":2}"#, ["If-Match": tag]).status == 200)
      #expect(
        try await send(.patch, "/v1/employees/7", #"{"name":"A"}"#, ["If-Match": tag]).status
          == 412)
      // Denied: team 1 would block this.
      let report = #"{"authorization":"denied","accuracy":"full","services":"on"}"#
      let opened = try await all.send(
        .post, "/v1/clock-in", #"{"actionId":"c","report":\#(report)}"#, own)
      #expect(opened.status == 201 && !opened.text.contains("overriddenBy"), "\(opened.text)")
      let log = try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(log.map(\.action) == [.employeeChanged])
    }
  }

  @Test("issues an enrolment code once, and revokes a phone")
  func phones() async throws {
    try await run { all, send in
      let code = try await send(
        .post, "/v1/employees/7/enrolment-codes", #"{"expiresIn":60}"#, [:])
      #expect(code.status == 201 && code.text.contains(#""link":"/app#7-"#))
      #expect(code.text.contains(#""expiresAt":"2026-11-20T09:31:00.000Z""#))
      let typed = try #require(code.text.firstMatch(of: /"code":"([^"]+)"/)).1
      let enrolled = try await all.send(
        .post, "/v1/enrolments", #"{"code":"\#(typed)","platform":"android"}"#)
      #expect(enrolled.status == 201)
      let token = try #require(enrolled.text.firstMatch(of: /"token":"([^"]+)"/)).1
      let listed = try await send(.get, "/v1/employees/7/devices", "", [:]).text
      #expect(listed.contains(#""device":2,"platform":"android""#), "\(listed)")
      #expect(
        try await send(.post, "/v1/employees/7/devices/2/revoke", "", [:]).status == 204)
      #expect(
        try await send(.post, "/v1/employees/7/devices/2/revoke", "", [:]).status == 404)
      let me = try await all.send(.get, "/v1/me", "", ["Authorization": "Bearer \(token)"])
      #expect(me.status == 401)
      for path in ["/v1/employees/7/devices/70000/revoke", "/v1/employees/99/enrolment-codes"] {
        #expect(try await send(.post, path, "", [:]).status == 404, "\(path)")
      }
      let log = try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(Set(log.map(\.action)) == [.deviceRevoked, .enrolmentCodeCreated])
    }
  }

  @Test("imports a file of employees, and reports errors by line")
  func file() async throws {
    try await run { all, send in
      let file = "employee,name,team\r\n7,Person 7,North\r\n10,\"B, C\",2\r\n"
      let trial = try await send(.post, "/v1/employees/import?dryRun=true", file, [:])
      #expect(
        trial.text
          == #"{"dryRun":true,"employees":2,"added":1,"changed":0,"moved":0,"unchanged":1}"#)
      #expect(try await send(.get, "/v1/employees/10", "", [:]).status == 404)
      #expect(try await send(.post, "/v1/employees/import", file, [:]).status == 200)
      #expect(try await send(.get, "/v1/employees/10", "", [:]).text.contains("B, C"))
      let faulty = try await send(
        .post, "/v1/employees/import", "employee,name,team\n11,D,North\nx,E,1\n", [:])
      #expect(faulty.status == 422)
      #expect(
        faulty.text.contains(
          #""errorCount":1,"errors":[{"line":3,"detail":"`employee` must be a number"#))
      #expect(try await send(.get, "/v1/employees/11", "", [:]).status == 404)
    }
  }

  // R: W25
  @Test("gives the number of an erased employee to another one only if that is allowed")
  func usedNumber() async throws {
    try await run { _, send in
      #expect(try await send(.delete, "/v1/employees/8?endShift=true", "", [:]).status == 204)
      let next = try await send(.post, "/v1/employees", #"{"name":"Bea","team":1}"#, [:])
      #expect(next.headers["Location"] == "/v1/employees/9")
      for (word, status, code) in [
        ("", 409, "number_used"), (#","reuseNumber":false"#, 409, "number_used"),
        (#","reuseNumber":"yes""#, 422, "/reuseNumber"), (#","reuseNumber":true"#, 201, "Cid"),
      ] {
        let body = #"{"employee":8,"name":"Cid","team":1\#(word)}"#
        let answer = try await send(.post, "/v1/employees", body, [:])
        #expect(answer.status == status && answer.text.contains(code), "\(word): \(answer.text)")
      }
      #expect(try await send(.delete, "/v1/employees/8", "", [:]).status == 204)
      let file = "employee,name,team\n8,Dan,North\n"
      let refused = try await send(.post, "/v1/employees/import", file, [:])
      #expect(refused.status == 422 && refused.text.contains(#""errors":[{"line":2,"#))
      let done = try await send(.post, "/v1/employees/import?reuseNumbers=true", file, [:])
      #expect(done.status == 200 && done.text.contains(#""added":1"#), "\(done.text)")
    }
  }

  @Test("an employee is deactivated, listed apart, and reactivated")
  func inactive() async throws {
    try await run { all, send in
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      all.wait(.minutes(1))
      _ = try await all.send(.post, "/v1/clock-out", #"{"actionId":"out"}"#, own)
      let gone = try await send(.post, "/v1/employees/7/deactivate", "", [:])
      #expect(gone.status == 200 && gone.text.contains(#""deactivatedAt":"#), "\(gone.text)")
      #expect(try await !send(.get, "/v1/employees", "", [:]).text.contains(#""employee":7,"#))
      let listed = try await send(.get, "/v1/employees?inactive=true", "", [:]).text
      #expect(listed.contains(#""employee":7,"#) && !listed.contains(#""employee":8,"#))
      let code = try await send(.post, "/v1/employees/7/enrolment-codes", "", [:])
      #expect(code.status == 409 && code.text.contains("employee_inactive"), "\(code.text)")
      let back = try await send(.post, "/v1/employees/7/reactivate", "", [:])
      #expect(back.status == 200 && !back.text.contains("deactivatedAt"))
      #expect(try await send(.get, "/v1/employees", "", [:]).text.contains(#""employee":7,"#))
      #expect(try await send(.post, "/v1/employees/99/deactivate", "", [:]).status == 404)
    }
  }
}
