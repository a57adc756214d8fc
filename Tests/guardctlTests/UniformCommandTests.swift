import Foundation
import GuardRules
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Naming, filtering and formats, alike for all commands") struct UniformCommandTests {
  private static func rows(_ world: CommandWorld, _ words: [String]) async throws -> Int {
    let run = try await guardctl(words + ["-o", "json"], database: world.url)
    return try #require(try run.json() as? [Any], "\(words): \(run.errors)").count
  }

  @Test("an employee or a team may be given by position or by name")  // R: M6
  func positions() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      for words in [
        ["check", "7"], ["check", "--employee", "7"], ["show", "7"], ["employee", "show", "7"],
        ["employee", "show", "--employee", "7"], ["team", "contacts", "1"],
        ["team", "contacts", "--team", "1"], ["policy", "show", "1"],
        ["policy", "show", "--team", "1", "--version", "1"], ["policy", "show", "1", "1"],
        ["planned-shift", "ls", "7"], ["retention", "ls"], ["admin", "ls"], ["device", "ls", "7"],
        ["shift", "ls", "7"], ["incident", "ls", "7"], ["notification", "ls", "7"],
        ["clock-action", "ls", "7"], ["override", "ls", "--employee", "7"],
        ["shift", "times", "7"],
      ] {
        let run = try await guardctl(words, database: world.url)
        #expect(run.status == 0, "\(words): \(run.errors)")
      }
      let twice = try await world.guardctl("check", "7", "--employee", "7")
      #expect(twice.status == 64)
      #expect(
        try await world.guardctl("device", "rm", "7/1").output.hasPrefix("Revoked device 7/1"))
    }
  }

  @Test("lists select by team and time, and are limited")
  func filters() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "South")
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      try await world.clockIn(phone)
      try await world.report(.denied, from: phone)
      _ = try await world.guardctl(
        "override", "give", "7", "--finding", "denied", "--reason", "r")
      for noun in [
        ["shift"], ["incident"], ["clock-action"], ["override"], ["device"], ["notification"],
      ] {
        let list = noun + ["ls"]
        #expect(try await Self.rows(world, list + ["--team", "1"]) == 1, "\(noun)")
        #expect(try await Self.rows(world, list + ["--team", "2"]) == 0, "\(noun)")
        #expect(
          try await guardctl(list + ["--team", "9"], database: world.url).status == 3, "\(noun)")
        if noun == ["device"] { continue }
        #expect(try await Self.rows(world, list + ["--since", "1h"]) == 1, "\(noun)")
        #expect(try await Self.rows(world, list + ["--since", "2099-01-01"]) == 0, "\(noun)")
        let wrong = try await guardctl(list + ["--since", "soon"], database: world.url)
        #expect(wrong.status == 64 && wrong.errors.contains("`soon`"), "\(noun)")
      }
      #expect(try await Self.rows(world, ["team", "ls"]) == 2)
      #expect(try await Self.rows(world, ["team", "ls", "--limit", "1"]) == 1)
      #expect(try await Self.rows(world, ["audit", "ls", "--since", "2099-01-01"]) == 0)
    }
  }

  @Test("people read times of the team's zone, or UTC; programs read UTC")
  func zones() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "K", "--time-zone", "Asia/Kolkata")
      _ = try await world.guardctl("employee", "add", "--name", "B", "--team", "2")
      let enrolled = try await world.guardctl("enrol", "8")
      #expect(
        enrolled.errors.contains(/until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+05:30/), "\(enrolled)")
      let utc = try await world.guardctl("enrol", "8", "--utc")
      #expect(utc.errors.contains(/until \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/), "\(utc)")
      let policy = try await world.guardctl("policy", "show", "2", "-o", "table")
      #expect(policy.output.contains("+05:30)"), "\(policy.output)")
      let tsv = try await world.guardctl("policy", "show", "2")
      #expect(tsv.output.contains(/created\t[-0-9]+T[:.0-9]+Z\n/), "\(tsv.output)")
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      try await world.clockIn(phone)
      let mixed = try await world.guardctl("shift", "show", "7/1", "-o", "table")
      #expect(mixed.output.contains("Z)") && !mixed.output.contains("+05:30"))
    }
  }

  @Test(
    "a day means the same instant in every format: it begins in the team's zone, if there is one")
  func days() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "K", "--time-zone", "Asia/Kolkata")
      func since(_ words: [String]) async throws -> Instant? {
        let outcome = commandTree.parse(["shift", "list", "--since", "2026-11-20"] + words)
        guard case .run(let parsed) = outcome else { return nil }
        let call = Invocation(parsed: parsed, executable: "")
        // As the program sets it for what is shown.
        return try await ShownZone.$current.withValue(await call.zone(world.operations.manager)) {
          try await call.since(world.operations.manager)
        }
      }
      let formats = [[], ["-o", "table"], ["-o", "json"], ["--json"], ["--utc"], ["-o", "tsv"]]
      for format in formats {
        for (scope, begin) in [
          (["--team", "2"], "2026-11-19T18:30:00Z"), (["--team", "1"], "2026-11-20T00:00:00Z"),
          (["--employee", "7"], "2026-11-20T00:00:00Z"), ([], "2026-11-20T00:00:00Z"),
        ] {
          #expect(
            try await since(scope + format) == Instant(rfc3339: begin), "\(scope) \(format)")
        }
      }
    }
  }

  @Test("the time zone is that of the employee whom the argument begins with")
  func subjects() async throws {
    let taken = TreeTests.leaves.flatMap(\.command.arguments).filter {
      $0.summary.hasPrefix("employee and ") || $0.summary.hasPrefix("employee, then ")
    }
    #expect(Set(taken.map(\.name)) == Set(Invocation.withinEmployee))
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "K", "--time-zone", "Asia/Kolkata")
      _ = try await world.guardctl("employee", "add", "--name", "B", "--team", "2")
      let added = try await world.guardctl(
        "planned-shift", "add", "8", "--start", "2030-01-02T08:00:00Z", "--end",
        "2030-01-02T16:00:00Z")
      let number = added.output.trimmingCharacters(in: .newlines)
      let changed = try await world.guardctl(
        "planned-shift", "change", number, "--end", "2030-01-02T17:00:00Z")
      #expect(changed.errors.contains("2030-01-02 22:30:00+05:30"), "\(changed)")
    }
  }

  @Test("inactive employees are left out of the list, or listed alone")
  func inactive() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("employee", "add", "--name", "B", "--team", "1")
      func listed(_ words: String...) async throws -> [Int] {
        let run = try await guardctl(
          ["employee", "list", "--json"] + words, database: world.url)
        let rows = try #require(try run.json() as? [[String: Any]])
        return rows.compactMap { $0["employee"] as? Int }
      }
      #expect(try await listed() == [7, 8])
      #expect(try await listed("--inactive") == [])
      #expect(try await world.guardctl("employee", "deactivate", "7").status == 0)
      #expect(try await listed() == [8])
      #expect(try await listed("--inactive", "--team", "1") == [7])
      #expect(try await world.guardctl("employee", "list", "--inactive", "--team", "9").status == 3)
    }
  }

  @Test("the format follows the option, else where the output goes")
  func formats() async throws {
    try await withWorld { world in
      let tsv =
        "team\tname\ttime zone\tpolicy\tversion\temployees\tpay rounding\tbreaks\n1\tNorth\tUTC\t"
      for words in [[], ["-o", "tsv"], ["--output=tsv"]] {
        let run = try await guardctl(["team", "list"] + words, database: world.url)
        #expect(run.output.hasPrefix(tsv), "\(run.output)")
      }
      let table = try await world.guardctl("team", "list", "-o", "table")
      #expect(table.output.hasPrefix("team  name   time zone"), "\(table.output)")
      let json = try await world.guardctl("team", "list", "-o", "json")
      #expect(try await world.guardctl("team", "list", "--json").output == json.output)
      let both = try await world.guardctl("team", "list", "--json", "-o", "tsv")
      #expect(both.status == 64 && both.errors.contains("exclude each other"))
      let narrow = try await bash(
        "SHIFTGUARD_FORCE_TTY=1 COLUMNS=40 guardctl employee list", database: world.url)
      #expect(narrow.output.split(separator: "\n").allSatisfy { $0.count <= 40 })
      let wide = try await bash("COLUMNS=40 guardctl employee list -o table", database: world.url)
      #expect(wide.output.contains { $0 == "\n" } && !wide.output.contains("…"))
    }
  }
}
