import Foundation
import ShiftDomain
import ShiftTestKit
import Testing

// R: W11
@Suite("The audit log at the command line") struct AuditCommandTests {
  /// The actions that `guardctl audit list` shows, newest first.
  private static func actions(_ world: CommandWorld, _ words: String...) async throws -> [String] {
    let run = try await guardctl(["audit", "list", "--json"] + words, database: world.url)
    #expect(run.status == 0, "\(words): \(run.errors)")
    let rows = try #require(try run.json() as? [[String: Any]])
    return rows.compactMap { $0["action"] as? String }
  }

  @Test("has what operators do with the name given, once")
  func recorded() async throws {
    try await withWorld { world in
      let give = ["override", "give", "--employee", "7", "--finding", "denied", "--reason", "trip"]
      for words in [
        give, give, ["override", "withdraw", "7/1"], ["override", "withdraw", "7/1"],
        ["team", "add-contact", "--team", "1", "boss@example.org"],
        ["team", "add-webhook", "--team", "1", "https://example.org/"],
        ["team", "remove-contact", "--team", "1", "boss@example.org"],
        ["team", "remove-webhook", "--team", "1", "https://example.org/"],
      ] {
        let run = try await guardctl(words + ["--by", "Ada"], database: world.url)
        #expect(run.status == 0, "\(words): \(run.errors)")
      }
      let planned = try await guardctl(
        [
          "planned-shift", "add", "--employee", "7", "--start", "2030-01-02T08:00:00Z",
          "--end", "2030-01-02T16:00:00Z", "--by", "Ada",
        ], database: world.url)
      let number = planned.output.trimmingCharacters(in: .newlines)
      let removed = try await guardctl(
        ["planned-shift", "remove", number, "--by", "Ada"], database: world.url)
      #expect(removed.status == 0, "\(removed.errors)")
      #expect(
        Set(try await Self.actions(world, "--actor", "ada")) == [
          "override_given", "override_withdrawn", "contact_added", "webhook_added",
          "contact_removed", "webhook_removed", "planned_shift_added", "planned_shift_removed",
        ])
      #expect(try await Self.actions(world, "--actor", "ada", "--limit", "99").count == 8)
    }
  }

  @Test("lists the actions of a newer version too")
  func newer() async throws {
    try await withWorld { world in
      try await world.write([
        """
        INSERT INTO audit_entry (employee_id, entry_id, at, action, actor)
        VALUES (7, 1, now(), 200, 'Eva')
        """
      ])
      let found = try await Self.actions(world, "--employee", "7")
      #expect(found.last == "newer_version")
      let table = try await guardctl(["audit", "list", "--actor", "Eva"], database: world.url)
      #expect(table.status == 0 && table.output.contains("newer_version"))
    }
  }

  @Test("is filtered by employee, actor, action and time")
  func filters() async throws {
    try await withWorld { world in
      _ = try await guardctl(
        ["override", "give", "--employee", "7", "--finding", "denied", "--reason", "r"],
        database: world.url)
      #expect(
        try await Self.actions(world, "--employee", "7", "--limit", "1") == ["override_given"])
      #expect(
        try await Self.actions(world, "--action", "override_given", "--action", "team_added")
          .sorted() == ["override_given", "team_added"])
      for words in [
        ["--account", "9"], ["--actor", "nobody"], ["--from", "2100-01-01T00:00:00Z"],
        ["--to", "2020-01-01T00:00:00Z"],
      ] {
        let run = try await guardctl(["audit", "list"] + words, database: world.url)
        #expect(run.status == 0 && run.output.isEmpty, "\(words): \(run.output)")
      }
      for words in [
        ["--action", "none"], ["--from", "today"], ["--account", "0"],
        ["--from", "2026-01-02T00:00:00Z", "--to", "2026-01-02T00:00:00Z"],
        ["--since", "2026-01-02T00:00:00Z", "--to", "2026-01-02T00:00:00Z"],
      ] {
        let run = try await guardctl(["audit", "list"] + words, database: world.url)
        #expect(run.status == 64, "\(words): \(run.errors)")
      }
      let both = try await world.guardctl(
        "audit", "list", "--from", "2026-01-02T00:00:00Z", "--since", "24h")
      #expect(both.status == 64)
      #expect(both.errors == "guardctl: `--from` and `--since` exclude each other\n")
    }
  }
}
