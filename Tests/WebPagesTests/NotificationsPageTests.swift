import GuardRules
import ManagerCore
import PolicyOperations
import ShiftDomain
import Testing

@Suite("The pages of notifications and policies") struct NotificationsPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(2): .coverage])

  @Test("notifications are listed, for a manager those of their own teams only")
  func messages() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (response, text) = try await server.get("/notifications")
      #expect(response.status == 200)
      #expect(text.contains("Ana Horvat</a><td>Location access denied"))
      #expect(text.contains("Tomislav Jurić</a><td>Clock-in blocked, to managers"))
      // Those that nothing can deliver wait, and none has failed.
      let (_, dead) = try await server.get("/notifications?dead=true")
      let parts = dead.split(separator: "<h2 id=\"done\">Failed</h2>")
      #expect(parts.first?.contains("Ana Horvat</a><td>Location access denied") == true)
      #expect(parts.last?.contains("No notifications.") == true)
    }
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let (_, text) = try await server.get("/notifications")
      #expect(text.contains("Elena Benussi") && !text.contains("Ana Horvat"))
    }
  }

  @Test("a policy is changed setting by setting, and invalid values are refused with the reason")
  func policy() async throws {
    try await withQuietServer { server in
      let operations = server.day.operations
      let path = "/settings/teams/1"
      #expect(
        try await server.get("/settings").1.contains(#"<a href="/settings/teams/1">Coast</a>"#))
      let before = try await operations.policies.policy(of: TeamID(1), version: nil).policy
      for (changes, fault) in [
        (["debounce-s": "4"], "“Delay before notifying” must be from 0 s to 3 s"),
        (["shiftMax-h": "%3Cb%3E"], "numbers in the units shown"),
        (["preset": "lax"], "the listed values"),
        (["denied": "shrug"], "the listed values"), (["denied": ""], "the listed values"),
      ] {
        let (response, text) = try await server.post(path, policyForm(before, changes))
        #expect(response.status == 422 && text.contains(fault), "\(changes)")
        #expect(!text.contains("<b>\"") && !text.contains("value=\"<"))
      }
      let (done, _) = try await server.post(
        path,
        policyForm(
          before,
          [
            "when_in_use": "block", "pingInterval-s": "30", "selfOverride": "with_reason",
            "opensPlannedShifts": "true",
          ]))
      #expect(done.headers["Location"] == "/settings/teams/1?done=changed")
      let after = try await operations.policies.policy(of: TeamID(1), version: nil).policy
      #expect(after.severities[.whenInUse] == .block && after.pingInterval == .seconds(30))
      #expect(after.opensPlannedShifts && !before.opensPlannedShifts)
      #expect(after.selfOverride == .withReason && after.shiftMax == before.shiftMax)
      // Based on the version before that change.
      for version in [1, 3] {
        let (late, told) = try await server.post(
          path, policyForm(before, ["debounce-s": "1"], version: version))
        #expect(late.status == 422 && told.contains("The policy has changed since you read it"))
        #expect(told.contains(#"name="tag" value="2""#) && !told.contains(#"max="3" value="1""#))
      }
      _ = try await server.post(path, policyForm(after, ["preset": "advisory"], version: 2))
      let preset = try await operations.policies.policy(of: TeamID(1), version: nil).policy
      #expect(preset.severities == .advisory && preset.preset == .advisory)
      #expect(try await server.get(path).1.contains("policy version 3"))

      // A finding that is changed together with the preset is changed in the new preset's table.
      let moved = ["preset": "strict", "battery_optimised": "warn", "pingInterval-s": "30"]
      _ = try await server.post(path, policyForm(preset, moved, version: 3))
      let strict = try await operations.policies.policy(of: TeamID(1), version: nil).policy
      #expect(strict.severities == SeverityTable.strict.moving(.batteryOptimised, to: .warn))
      #expect(strict.pingInterval == .seconds(30))
    }
  }

  @Test("managers can read their teams' policies, but not change them")
  func managers() async throws {
    try await withQuietServer(principal: manager) { server in
      let (response, text) = try await server.get("/settings/teams/2")
      #expect(response.status == 200 && !text.contains("Save and apply"))
      #expect(text.contains(#"name="debounce-s" type="number""#) && text.contains("disabled"))
      let policy = try await server.day.operations.policies.policy(of: TeamID(2), version: nil)
        .policy
      let (refused, _) = try await server.post(
        "/settings/teams/2", policyForm(policy, ["debounce-s": "1"]))
      #expect(refused.status == 404)
      #expect(try await server.day.operations.policies.policies(of: TeamID(2), limit: 5).count == 1)
      #expect(try await server.get("/settings/teams/1").0.status == 404)
      #expect(try await server.get("/settings").1.contains("Coast") == false)
    }
  }
}
