import Foundation
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Planned shifts, at the command line") struct PlannedShiftCommandTests {
  @Test("are added once, listed, and deleted")
  func oneByOne() async throws {
    try await withWorld { world in
      let times = ["--start", "2099-11-20T08:00:00+01:00", "--end", "2099-11-20T15:00:00Z"]
      func add(_ times: [String]) async throws -> Run {
        try await guardctl(
          ["planned-shift", "add", "--employee", "7"] + times, database: world.url)
      }
      let added = try await add(times)
      #expect(added.status == 0 && added.errors.contains("Planned 7/"), "\(added.errors)")
      let plannedShift = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let again = try await add(times)
      #expect(again.output == added.output && again.errors.contains("nothing was changed"))
      let other = try await add([
        "--start", "2099-11-20T14:59:00Z", "--end", "2099-11-20T16:00:00Z",
      ])
      #expect(other.status == 65 && other.errors.contains(plannedShift), "\(other.errors)")
      for (start, end) in [
        ("2099-11-20T16:00:00Z", "2099-11-20T16:00:00Z"),
        ("2099-11-20T16:00:00Z", "2099-11-21T16:00:01Z"), ("2099-11-20 16:00", "x"),
      ] {
        #expect(try await add(["--start", start, "--end", end]).status == 64, "\(start)")
      }
      _ = try await add(["--start", "2020-11-20T08:00:00Z", "--end", "2020-11-20T16:00:00Z"])
      let listed = try await world.guardctl("planned-shift", "list", "--employee", "7")
      #expect(
        listed.output.contains(
          "\n\(plannedShift)\t2099-11-20T07:00:00.000Z\t2099-11-20T15:00:00.000Z\t"))
      #expect(listed.output.split(separator: "\n").count == 2)
      let all = try await world.guardctl("planned-shift", "list", "--employee", "7", "--all")
      #expect(all.output.split(separator: "\n").count == 3)
      #expect(try await world.guardctl("planned-shift", "list", "--employee", "99").status == 3)
      let change = ["planned-shift", "change", plannedShift]
      let changed = try await guardctl(
        change + ["--end", "2099-11-20T16:00:00Z"], database: world.url)
      #expect(changed.output == "\(plannedShift)\n" && changed.errors.contains("is now from"))
      let same = try await guardctl(
        change + ["--end", "2099-11-20T16:00:00Z", "--json"], database: world.url)
      #expect(same.object["changed"] as? Bool == false)
      #expect(try await guardctl(change, database: world.url).status == 64)
      let long = try await guardctl(
        change + ["--end", "2099-11-21T16:00:00Z"], database: world.url)
      #expect(long.status == 64 && long.errors.contains("within 24 hours"))
      #expect(try await world.guardctl("planned-shift", "remove", plannedShift).status == 0)
      let gone = try await world.guardctl("planned-shift", "remove", plannedShift)
      #expect(gone.status == 3 && gone.errors.contains("guardctl planned-shift list"))
      for word in ["7", "7/x", "x/1", "0/1", "7/-1", "7/1/1", ""] {
        #expect(try await world.guardctl("planned-shift", "remove", word).status == 64, "\(word)")
      }
    }
  }

  @Test("of a week are copied once, and what is left out is named")
  func copyWeek() async throws {
    try await withWorld { world in
      func add(_ start: String, _ end: String) async throws {
        let added = try await world.guardctl(
          "planned-shift", "add", "--employee", "7", "--start", start, "--end", end)
        #expect(added.status == 0, "\(added.errors)")
      }
      try await add("2099-11-18T08:00:00Z", "2099-11-18T16:00:00Z")
      try await add("2099-11-19T08:00:00Z", "2099-11-19T16:00:00Z")
      try await add("2099-11-26T15:00:00Z", "2099-11-26T17:00:00Z")
      let copy = ["planned-shift", "copy-week", "1", "--from", "2099-11-16", "--to", "2099-11-29"]
      let tried = try await guardctl(copy + ["--dry-run"], database: world.url)
      #expect(
        tried.output.hasPrefix("Would plan 1 shift, 0 already planned, 1 left out.\nLeft out: "),
        "\(tried.output) \(tried.errors)")
      #expect(tried.output.contains("overlaps"))
      let done = try await guardctl(copy + ["--json"], database: world.url)
      #expect(done.object["added"] as? Int == 1 && done.object["dryRun"] as? Bool == false)
      let again = try await guardctl(copy, database: world.url)
      #expect(again.output.hasPrefix("Planned 0 shifts, 1 already planned, 1 left out."))
      for (to, status) in [("x", Int32(64)), ("2099-11-17", 64), ("2001-01-01", 65)] {
        let refused = try await guardctl(
          Array(copy.dropLast()) + [to], database: world.url)
        #expect(refused.status == status, "\(to): \(refused.errors)")
      }
      let team = try await world.guardctl(
        "planned-shift", "copy-week", "99", "--from", "2099-11-16", "--to", "2099-11-23")
      #expect(team.status == 3)
    }
  }

  @Test("are read from a file by the team's clock, or its faults are listed by line")
  func file() async throws {
    try await withWorld { world in
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
      defer { try? FileManager.default.removeItem(at: file) }
      let good = "employee,start,end\n7,2099-11-20 08:00,2099-11-20 16:00\n"
      try Data(good.utf8).write(to: file)
      let trial = try await world.guardctl("planned-shift", "import", file.path, "--dry-run")
      #expect(trial.output == "Would import 1 shift: 1 planned, 0 unchanged.\n")
      #expect(try await world.guardctl("planned-shift", "list", "--employee", "7").output.isEmpty)
      #expect(try await world.guardctl("planned-shift", "import", file.path).status == 0)
      let again = try await world.guardctl("planned-shift", "import", file.path, "--json")
      #expect(again.object["added"] as? Int == 0 && again.object["unchanged"] as? Int == 1)
      let listed = try await world.guardctl("planned-shift", "list", "--employee", "7")
      #expect(listed.output.contains("\t2099-11-20T08:00:00.000Z\t"), "\(listed.output)")
      try Data((good + "99,2099-11-20 08:00,x\n").utf8).write(to: file)
      let faulty = try await world.guardctl("planned-shift", "import", file.path)
      #expect(faulty.status == 65)
      #expect(faulty.output == "line 3: `end` must have the form 2026-11-20 08:00\n")
    }
  }

  // R: G2
  @Test("name sites of the team, by option and in the file")
  func sites() async throws {
    try await withWorld { world in
      for name in ["Depot", "Yard"] {
        let added = try await guardctl(
          ["site", "add", "1", "--name", name, "--center", "45.3,13.7", "--radius", "200"],
          database: world.url)
        #expect(added.status == 0)
      }
      let times = ["--start", "2099-11-20T08:00:00Z", "--end", "2099-11-20T15:00:00Z"]
      func add(_ sites: String) async throws -> Run {
        try await guardctl(
          ["planned-shift", "add", "7", "--sites", sites] + times, database: world.url)
      }
      for (sites, status) in [("3", 3), ("x", 64), ("0", 64), ("1,2", 64), ("=1+1", 64)] {
        let run = try await add(sites)
        #expect(run.status == status, "\(sites): \(run.status) \(run.errors)")
      }
      let added = try await add("2 1 2")
      #expect(added.status == 0)
      let number = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let listed = try await world.guardctl("planned-shift", "list", "--employee", "7")
      #expect(listed.output.contains("\t1 2\n"), "\(listed.output)")
      func change(_ sites: String) async throws -> Run {
        try await guardctl(
          ["planned-shift", "change", number, "--sites", sites, "--json"], database: world.url)
      }
      #expect(try await change("2").object["sites"] as? [Int] == [2])
      #expect(try await change("").object["sites"] as? [Int] == [])
      #expect(try await change("").object["changed"] as? Bool == false)
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
      defer { try? FileManager.default.removeItem(at: file) }
      let csv = "employee,sites,start,end\n7,1,2099-11-21 08:00,2099-11-21 16:00\n"
      try Data(csv.utf8).write(to: file)
      #expect(try await world.guardctl("planned-shift", "import", file.path).status == 0)
      let both = try await world.guardctl("planned-shift", "list", "--employee", "7")
      #expect(both.output.contains("\t1\n"), "\(both.output)")
    }
  }
}
