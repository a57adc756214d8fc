import GuardRules
import ManagerCore
import OperationCore
import PolicyOperations
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The page of a draft policy") struct PolicyTrialPageTests {
  private static let path = "/settings/teams/1/try"
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])

  private func form(_ policy: Policy, _ more: [String: String] = [:]) -> String {
    var fields = ["preset": policy.preset.code, "filled": policy.preset.code, "tag": "1"]
    for finding in Finding.allCases { fields[finding.code] = policy.severities[finding].code }
    for span in PolicySpan.allCases { fields[span.fieldName] = span.unit.text(of: policy[span]) }
    fields["accuracyMax"] = ""
    return fields.merging(more) { $1 }.map { "\($0)=\($1)" }.sorted().joined(separator: "&")
  }

  // R: M2, A9
  @Test("is reached by a button that sends the draft, and shows numbers and names, and saves none")
  func tries() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      #expect(try await server.get("/settings/teams/1").1.contains(#"formaction="\#(Self.path)""#))
      let manager = server.day.operations.manager
      for (changes, preset) in [
        (PolicyChanges(preset: .strict), Preset.strict),
        (PolicyChanges(preset: .advisory), .advisory),
      ] {
        let trial = try await manager.policies.tryPolicy(of: TeamID(1), changes, weeks: 2)
        #expect(trial.total > 5 && trial.differenceCount > 0)
        let (answer, text) = try await server.post(Self.path, form(.policy(of: preset)))
        #expect(answer.status == 200, "\(text)")
        #expect(text.contains("Decided differently: \(trial.differenceCount)"))
        #expect(text.contains("Past clock-ins, as decided and by the draft</h2>"))
        #expect(text.contains("<b>\(trial.total)</b>") && text.contains("Nothing is saved yet"))
        for difference in trial.differences {
          #expect(text.contains(">\(difference.row.name)</a>"))
        }
        #expect(text.contains(#"<input type="hidden" name="preset" value="\#(preset.code)">"#))
        #expect(text.contains(#"value="4" formaction="/settings/teams/1/try""#))
      }
      #expect(try await manager.policies.policies(of: TeamID(1), limit: 9).count == 1)
    }
  }

  // R: M2
  @Test("says that the policy in force decides the demo's days as they were decided")
  func same() async throws {
    try await DemoDay.run(DemoDay.week) { day in
      for team in day.teams {
        let trial = try await day.operations.policies.tryPolicy(
          of: team, PolicyChanges(), weeks: 4)
        #expect(trial.total > 10 && trial.differences.isEmpty && trial.uncertain == 0)
        #expect(trial.counts.keys.allSatisfy { $0.then == $0.now })
      }
      let inForce = try await day.operations.policies.policy(of: TeamID(1), version: nil).policy
      let (_, text) = try await PageServer(day).post(Self.path, form(inForce, ["weeks": "4"]))
      #expect(text.contains("would have decided every clock-in as it was"), "\(text)")
    }
  }

  @Test("is saved from there as the draft that was tried")
  func saved() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.post(Self.path, form(.policy(of: .strict)))
      let fields = text.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map {
        "\($0.1)=\($0.2)"
      }
      #expect(fields.count > 25)
      let (done, _) = try await server.post(
        "/settings/teams/1", fields.joined(separator: "&"))
      #expect(done.headers["Location"] == "/settings/teams/1?done=changed")
      let row = try await server.day.operations.policies.policy(of: TeamID(1), version: nil)
      #expect(row.policy == .policy(of: .strict))
    }
  }

  @Test("refuses what is no draft, and does not exist for managers")
  func refused() async throws {
    try await withQuietServer { server in
      for more in [["freshFor-min": "0"], ["freshFor-min": "x"], ["preset": "odd"], ["weeks": "3"]]
      {
        let (answer, text) = try await server.post(
          Self.path, form(.policy(of: .standard), more))
        #expect(answer.status == 422 && text.contains("role=\"alert\""), "\(more)")
      }
      #expect(
        try await server.post(Self.path, form(.policy(of: .standard))).1
          .contains("There were none."))
    }
    try await withQuietServer(principal: manager) { server in
      let (answer, _) = try await server.post(Self.path, form(.policy(of: .standard)))
      #expect(answer.status == 404)
    }
  }
}
