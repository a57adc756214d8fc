import GuardRules
import HTTPServing
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import ShiftDomain
import ShiftTestKit
import Testing

// R: W11
@Suite("The audit log") struct AuditTests {
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)

  @Test("records each view of a track with its purpose, which the employee can read")
  func seen() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .all])
      let mira = try await all.principal("mira")
      all.wait(.minutes(10))
      let spans = try await all.operations.insight.noteTrackViews(
        of: [Self.shift], by: mira, purpose: "a complaint about the round")
      #expect(spans == [Interval(from: TwoTeamsWorld.start, to: all.now)])
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      let text = try await all.send(.get, "/v1/me/audit", "", own).text
      for part in [
        #""action":"track_viewed""#, #""by":"mira""#, #""employee":7,"team":1,"shift":1"#,
        #""from":"2026-11-20T09:30:00.000Z","to":"2026-11-20T09:40:00.000Z""#,
        #""reason":"a complaint about the round""#,
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      let other: HTTPHeaders = ["Authorization": "Bearer \(all.phones[8] ?? "")"]
      #expect(try await all.send(.get, "/v1/me/audit", "", other).text == #"{"entries":[]}"#)
      let world = try await all.send(
        .get, "/v1/employees/7/audit", "", try await all.page(of: "mira"))
      #expect(world.text == text)
    }
  }

  @Test("refuses and does not record requests of other sites and HEAD requests")
  func elsewhere() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .all])
      let cookie = try #require(try await all.page(of: "mira")["Cookie"])
      let path = "/v1/employees/7/shifts/1/track?purpose=x"
      for site in ["cross-site", "same-site"] {
        let page: HTTPHeaders = ["Cookie": cookie, "Sec-Fetch-Site": site]
        #expect(try await all.send(.get, path, "", page).status == 403)
      }
      let own: HTTPHeaders = ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"]
      #expect(try await all.send(.head, path, "", own).status == 405)
      #expect(
        try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9).isEmpty)
      #expect(try await all.send(.get, path, "", own).status == 200)
      let typed: HTTPHeaders = ["Cookie": cookie, "Sec-Fetch-Site": "none"]
      #expect(try await all.send(.get, path, "", typed).status == 200)
    }
  }

  @Test("records who changed a policy")
  func policies() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("ada", .administrator)
      let page = try await all.page(of: "ada")
      let path = "/v1/teams/1/policies"
      #expect(try await all.send(.post, path, #"{"debounce":1}"#, page).status == 201)
      all.wait(.milliseconds(1))
      #expect(try await all.send(.post, path + "/1/restore", "", page).status == 201)
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 9)
        .filter { [.policyChanged, .policyRestored].contains($0.action) }
      #expect(log.map(\.action) == [.policyRestored, .policyChanged])
      #expect(
        log.map(\.reason) == [
          "version 3, as version 1; Delay before notifying: 1 s → 2 s",
          "version 2; Delay before notifying: 2 s → 1 s",
        ])
      #expect(log.allSatisfy { $0.actor == "ada" && $0.target == 1 })
    }
  }

  @Test("records no track view that is refused for lack of a right or a purpose")
  func refused() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("coverage", teams: [1: .coverage])
      try await all.hire("south", teams: [2: .all])
      try await all.hire("mira", teams: [1: .all])
      for name in ["coverage", "south"] {
        let principal = try await all.principal(name)
        await #expect(throws: OperationError.notFound("employee 7")) {
          try await all.operations.insight.noteTrackViews(
            of: [Self.shift], by: principal, purpose: "x")
        }
      }
      let mira = try await all.principal("mira")
      for purpose in ["", "  \n", "a\0b", String(repeating: "x", count: 501)] {
        await #expect(throws: OperationError.self) {
          try await all.operations.insight.noteTrackViews(
            of: [Self.shift], by: mira, purpose: purpose)
        }
      }
      let later = ShiftID(employee: EmployeeID(7), number: 2)
      await #expect(throws: OperationError.notFound("shift 2 of employee 7")) {
        try await all.operations.insight.noteTrackViews(of: [later], by: mira, purpose: "x")
      }
      #expect(
        try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9).isEmpty)
    }
  }

  @Test("is listed page by page, newest first")
  func pages() async throws {
    try await TwoTeamsWorld.run { all in
      for day in 1...5 {
        all.wait(.hours(24))
        try await all.operations.insight.noteTrackViews(
          of: [Self.shift], by: all.boss, purpose: "day \(day)", isExport: day == 5)
      }
      var seen: [String] = []
      var before: Int64?
      repeat {
        let page = try await all.operations.installation.auditEntries(
          about: EmployeeID(7), before: before, limit: 2)
        seen += page.map { "\($0.action.code) \($0.reason ?? "")" }
        before = page.last?.id
      } while before != nil
      #expect(
        seen == [
          "track_exported day 5", "track_viewed day 4", "track_viewed day 3",
          "track_viewed day 2", "track_viewed day 1",
        ])
    }
  }
}

extension TwoTeamsWorld {
  /// The principal of `name` when logged in.
  fileprivate func principal(_ name: String) async throws -> Principal {
    let rows = try await operations.installation.accounts()
    let row = try #require(rows.first { $0.settings.name == name })
    return Principal(
      actor: AuditActor(name: name), role: row.settings.role, teams: row.settings.teams,
      account: row.account)
  }
}
