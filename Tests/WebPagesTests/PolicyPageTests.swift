import GuardRules
import ManagerCore
import PeopleOperations
import PolicyOperations
import ShiftDomain
import Testing

@testable import WebPages

/// The fields that the form of a policy sends.
func policyForm(
  _ policy: Policy, _ changes: [String: String] = [:], version: Int = 1
) -> String {
  var fields = ["preset": policy.preset.code, "tag": String(version)]
  for finding in Finding.allCases { fields[finding.code] = policy.severities[finding].code }
  for span in PolicySpan.allCases { fields[span.fieldName] = span.unit.text(of: policy[span]) }
  fields.merge(changes) { $1 }
  return fields.map { "\($0)=\($1)" }.joined(separator: "&")
}

@Suite("The page of a team's policy") struct PolicyPageTests {
  private static let path = "/settings/teams/1"

  static let units: [(SpanUnit, Int64, String)] = [
    (.seconds, 2_000, "2"), (.seconds, 1_500, "1.5"), (.minutes, 300_000, "5"),
    (.minutes, 90_000, "1.5"), (.minutes, 100_000, "1.67"), (.minutes, 1_000, "0.02"),
    (.minutes, 59_999, "1"), (.hours, 57_600_000, "16"), (.hours, 27_000_000, "7.5"),
    (.hours, 57_601_000, "16.0003"), (.hours, 0, "0"),
  ]

  @Test("has durations in the units that people use", arguments: units)
  func unit(_ row: (unit: SpanUnit, milliseconds: Int64, text: String)) {
    #expect(row.unit.text(of: .milliseconds(row.milliseconds)) == row.text)
  }

  @Test("reads every second that it shows")
  func exact() {
    for unit in [SpanUnit.seconds, .minutes, .hours] {
      for seconds in Int64(0)...86_400 {
        let span = TimeSpan.seconds(seconds)
        guard unit.span(unit.text(of: span)) != span else { continue }
        Issue.record("\(unit) \(seconds)")
      }
    }
    #expect(SpanUnit.hours.span("7,5") == .minutes(450))
    #expect(SpanUnit.minutes.span("0.5") == .seconds(30))
    for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", " 1", "1.2.3", "9999999", "1.1234567"] {
      #expect(SpanUnit.minutes.span(text) == nil, "\(text)")
    }
    #expect(SpanUnit.seconds.span("1.5") == nil && SpanUnit.seconds.span("2") == .seconds(2))
  }

  @Test("says what differs from the preset that the policy is based on")
  func changed() async throws {
    try await withQuietServer { server in
      #expect(try await !server.get(Self.path).1.contains("Changed:"))
      _ = try await server.day.operations.policies.setPolicy(
        of: TeamID(1), PolicyChanges(spans: [.emailAfter: .minutes(7)]))
      let (_, text) = try await server.get(Self.path)
      #expect(text.matches(of: /<b>Changed:<\/b> [^;<]* → 7 min</).count == 1, "\(text)")
    }
  }

  // R: A9
  @Test("saves hours and minutes, and keeps what is not a whole number of them")
  func saving() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      _ = try await manager.policies.setPolicy(
        of: TeamID(1),
        PolicyChanges(spans: [.emailAfter: .seconds(100), .shiftMax: .seconds(57_601)]))
      let before = try await manager.policies.policy(of: TeamID(1), version: nil).policy
      let (_, page) = try await server.get(Self.path)
      for part in [
        #"name="emailAfter-min" type="number" step="any" min="0" max="1440" value="1.67""#,
        #"name="shiftMax-h" type="number" step="any" min="4" max="24" value="16.0003""#,
        #"name="debounce-s" type="number" step="1" min="0" max="3" value="2""#,
      ] {
        #expect(page.contains(part), "\(part)")
      }
      let changes = ["managersAfter-min": "12.5", "reminderAfter-h": "7,5"]
      let (done, _) = try await server.post(Self.path, policyForm(before, changes, version: 2))
      #expect(done.headers["Location"] == Self.path + "?done=changed")
      let after = try await manager.policies.policy(of: TeamID(1), version: nil).policy
      var expected = before
      expected.managersAfter = .seconds(750)
      expected.reminderAfter = .minutes(450)
      #expect(after == expected)
      // The page of the version before has seconds.
      let (old, _) = try await server.post(
        Self.path, policyForm(after, version: 3).replacing("emailAfter-min", with: "emailAfter"))
      #expect(old.status == 422)
      #expect(try await manager.people.team(TeamID(1)).policyVersion == 3)
    }
  }

  // R: A9, W11
  @Test("lists what each version changed and who saved it")
  func versions() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      let mira = Principal(actor: AuditActor(name: "Mira <b>"), role: .administrator)
      _ = try await manager.policies.setPolicy(
        of: TeamID(1),
        PolicyChanges(severities: [.denied: .warn], spans: [.shiftMax: .hours(12)]), by: mira
      ).get()
      let (_, page) = try await server.get(Self.path)
      let list = try #require(page.firstMatch(of: /<ol class="entries">(?s:.*?)<\/ol>/)).0
      #expect(list.contains("<b>Version 2</b>, in force, saved by Mira &lt;b&gt;"))
      #expect(list.contains("Location access denied: blocks → warns</p>"))
      #expect(list.contains("Maximum shift: 16 h → 12 h</p>"))
      #expect(list.contains("<b>Version 1</b></p><p class=\"aside\">First version</p>"))
      #expect(list.contains(#"action="/settings/teams/1/versions/1/restore""#))
      #expect(!list.contains("versions/2/restore"))
      #expect(try await server.get("/settings").1.contains("<td>Standard, changed, version 2"))
      _ = try await manager.policies.setPolicy(
        of: TeamID(1), PolicyChanges(severities: [.denied: .block], spans: [.shiftMax: .hours(16)]))
      #expect(try await server.get("/settings").1.contains("<td>Standard, version 3"))
    }
  }

  // R: A9, W11
  @Test("restores a version after showing what would change, and says so in the audit log")
  func restoring() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      let first = try await manager.policies.policy(of: TeamID(1), version: nil).policy
      _ = try await manager.policies.setPolicy(
        of: TeamID(1), PolicyChanges(preset: .advisory, spans: [.shiftMax: .hours(12)]))
      let restore = Self.path + "/versions/1/restore"
      let (asked, question) = try await server.post(restore, "")
      #expect(asked.status == 200 && question.contains("Restore version 1?"))
      #expect(question.contains("<li>Maximum shift: 12 h → 16 h"))
      #expect(question.contains("<li>Preset: Advisory → Standard"))
      #expect(try await manager.people.team(TeamID(1)).policyVersion == 2)

      // Changed by somebody else while this was read.
      let (late, told) = try await server.post(restore, "sure=yes&tag=1")
      #expect(late.status == 422 && told.contains("The policy has changed since you read it"))

      let (done, _) = try await server.post(restore, "sure=yes&tag=2")
      #expect(done.headers["Location"] == Self.path + "?done=restored")
      let row = try await manager.policies.policy(of: TeamID(1), version: nil)
      #expect(row.version == 3 && row.policy == first && row.savedBy == "Mira Lončar")
      let (_, page) = try await server.get(Self.path + "?done=restored")
      #expect(page.contains("Earlier version restored and applied."))
      let (_, log) = try await server.get("/audit")
      #expect(log.contains("restored an earlier policy of"))
      #expect(log.contains("version 3, as version 1; Preset: Advisory → Standard; "))

      let (same, reason) = try await server.post(restore, "sure=yes&tag=3")
      #expect(same.status == 422 && reason.contains("Version 1 has the settings that are in force"))
      for version in ["9", "0", "x"] {
        let (missing, _) = try await server.post(
          Self.path + "/versions/\(version)/restore", "sure=yes&tag=3")
        #expect(missing.status == 404, "\(version)")
      }
    }
  }

  @Test("shows a manager the versions, but no way to restore one")
  func managers() async throws {
    let manager = Principal(
      actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])
    try await withQuietServer(principal: manager) { server in
      let operations = server.day.operations.manager
      _ = try await operations.policies.setPolicy(of: TeamID(1), PolicyChanges(preset: .strict))
      let (_, page) = try await server.get(Self.path)
      #expect(page.contains("Preset: Standard → Strict") && !page.contains("Restore"))
      let numbers = page.matches(of: /<input [^>]*type="number"[^>]*>/).map { $0.0 }
      #expect(numbers.count == PolicySpan.allCases.count + 1)
      #expect(numbers.allSatisfy { $0.hasSuffix(" disabled>") })
      let (refused, _) = try await server.post(
        Self.path + "/versions/1/restore", "sure=yes&tag=2")
      #expect(refused.status == 404)
      #expect(try await operations.people.team(TeamID(1)).policyVersion == 2)
    }
  }
}
