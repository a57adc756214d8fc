import GuardRules
import PolicyOperations
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The page of a planned policy") struct PlannedPolicyPageTests {
  private static let path = "/settings/teams/1"

  /// What the form sends to plan a maximum shift of 12 hours.
  private func form(_ server: PageServer, _ validFrom: String, version: Int = 1) async throws
    -> String
  {
    let policy = try await server.day.operations.policies.policy(of: TeamID(1), version: nil).policy
    return policyForm(policy, ["shiftMax-h": "12", "validFrom": validFrom], version: version)
  }

  // R: A9
  @Test("says from when it is in force and what it changes, until it is in force")
  func waits() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      let (_, before) = try await server.get(Self.path)
      #expect(before.contains(#"name="validFrom" type="datetime-local" value="""#))
      #expect(!before.contains("Planned policy"))
      let planning = try await form(server, "2026-12-01T00:00")
      let (done, _) = try await server.post(Self.path, planning)
      #expect(done.headers["Location"] == Self.path + "?done=planned")
      let planned = try #require(try await manager.policies.plannedPolicy(of: TeamID(1)))
      #expect(planned.validFrom == Instant(rfc3339: "2026-12-01T00:00:00+01:00"))

      let (_, page) = try await server.get(Self.path + "?done=planned")
      #expect(page.contains("Policy planned."))
      #expect(page.contains("In force from <b>Tue 1 Dec, 00:00, time in Europe/Zagreb</b>"))
      #expect(page.contains("<li>Maximum shift: 16 h → 12 h"))
      #expect(page.contains(#"action="/settings/teams/1/planned/discard""#))
      #expect(!page.contains(#"name="validFrom""#) && !page.contains("planned under"))

      _ = try await manager.policies.setPolicy(
        of: TeamID(1), PolicyChanges(spans: [.debounce: .seconds(1)]))
      let (_, since) = try await server.get(Self.path + "?done=changed")
      #expect(since.contains("The planned policy stays, and replaces it at its time."))
      #expect(since.contains("planned under version 1, and replaces what was saved"))
      #expect(since.contains("<li>Delay before notifying: 1 s → 2 s"))

      server.day.clock.now = planned.validFrom + .minutes(20)
      #expect(try await server.day.operations.background.beginPlannedPolicies() == 1)
      let (_, after) = try await server.get(Self.path)
      #expect(!after.contains("Planned policy"))
      #expect(after.contains("<b>Version 3</b>, in force, saved by Mira Lončar"))
      #expect(after.contains(#"<p class="aside">Planned for 00:00</p>"#))
      let (_, log) = try await server.get("/audit")
      #expect(log.contains("planned a policy of the team") && log.contains("version 3, as planned"))
    }
  }

  @Test("moves a time that the clock skips, and says so")
  func skipped() async throws {
    try await withQuietServer { server in
      let (done, _) = try await server.post(
        Self.path, try await form(server, "2027-03-28T02:30"))
      #expect(done.headers["Location"] == Self.path + "?done=planned&clock=skipped")
      let planned = try await server.day.operations.policies.plannedPolicy(of: TeamID(1))
      #expect(planned?.validFrom == Instant(rfc3339: "2027-03-28T03:30:00+02:00"))
      let (_, page) = try await server.get(Self.path + "?done=planned&clock=skipped")
      #expect(page.contains("that time was moved forward"))
    }
  }

  @Test("keeps what was typed when a time is refused, and plans only one")
  func refused() async throws {
    try await withQuietServer { server in
      for (time, reason) in [
        ("2026-11-20T06:00", "from a time in the future"),
        ("2028-01-01T00:00", "at most a year from now"),
        ("soon", "Enter the day and the time"),
      ] {
        let (answer, page) = try await server.post(Self.path, try await form(server, time))
        #expect([409, 422].contains(answer.status) && page.contains(reason), "\(time)")
        #expect(page.contains(#"name="validFrom" type="datetime-local" value="\#(time)""#))
      }
      let planning = try await form(server, "2026-12-01T00:00")
      _ = try await server.post(Self.path, planning)
      let (again, page) = try await server.post(
        Self.path, planning.replacing("shiftMax-h=12", with: "shiftMax-h=11"))
      #expect(again.status != 303 && page.contains("Another policy is already planned"))
    }
  }

  // R: W11
  @Test("is discarded after a question, by administrators only")
  func discarding() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      _ = try await server.post(Self.path, try await form(server, "2026-12-01T00:00"))
      let planned = try #require(try await manager.policies.plannedPolicy(of: TeamID(1)))
      let discard = Self.path + "/planned/discard"
      let (asked, question) = try await server.post(discard, "")
      #expect(asked.status == 200 && question.contains("Discard the planned policy?"))
      #expect(question.contains("Tue 1 Dec, 00:00"))
      #expect(try await manager.policies.plannedPolicy(of: TeamID(1)) == planned)
      let (other, told) = try await server.post(discard, "sure=yes&planned=1")
      #expect(other.status == 422 && told.contains("That policy is not planned any more"))
      let (done, _) = try await server.post(
        discard, "sure=yes&planned=\(planned.createdAt.milliseconds)")
      #expect(done.headers["Location"] == Self.path + "?done=discarded")
      #expect(try await manager.policies.plannedPolicy(of: TeamID(1)) == nil)
      let (none, _) = try await server.post(discard, "")
      #expect(none.status == 422)

      _ = try await server.post(Self.path, try await form(server, "2026-12-01T00:00"))
      let due = try #require(try await manager.policies.plannedPolicy(of: TeamID(1)))
      try await server.day.write("UPDATE planned_policy SET valid_from = '2020-01-01T00:00:00Z'")
      let (late, page) = try await server.post(
        discard, "sure=yes&planned=\(due.createdAt.milliseconds)")
      #expect(late.status == 422 && page.contains("version 2 is in force"), "\(late.status)")
      #expect(try await manager.policies.policy(of: TeamID(1), version: nil).version == 2)
    }
  }
}
