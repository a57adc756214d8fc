import Foundation
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Absences, at the command line") struct AbsenceCommandTests {
  // R: G3
  @Test("are added once, listed, and removed")
  func life() async throws {
    try await withWorld { world in
      let times = ["--start", "2099-11-20T00:00:00+01:00", "--end", "2099-11-27T00:00:00+01:00"]
      func add(_ words: [String]) async throws -> Run {
        try await guardctl(["absence", "add", "7"] + words, database: world.url)
      }
      let added = try await add(times + ["--note", "=cmd|' /C calc'!A0"])
      #expect(added.status == 0 && added.errors.contains("Added absence 7/"), "\(added.errors)")
      let absence = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let again = try await add(times + ["--note", "=cmd|' /C calc'!A0"])
      #expect(again.output == added.output && again.errors.contains("nothing was changed"))
      let other = try await add(times)
      #expect(other.status == 65 && other.errors.contains(absence), "\(other.errors)")
      for (start, end) in [
        ("2099-11-28T00:00:00Z", "2099-11-28T00:00:00Z"),
        ("2099-11-28T00:00:00Z", "2099-11-28T00:00:59Z"),
        ("2099-11-28T00:00:00Z", "2101-11-28T00:00:00Z"), ("2099-11-28", "x"),
      ] {
        let run = try await add(["--start", start, "--end", end])
        #expect(run.status == 64, "\(start): \(run.status) \(run.errors)")
      }
      let broken = try await add([
        "--start", "2099-11-28T00:00:00Z", "--end", "2099-11-29T00:00:00Z", "--note", "a\nb",
      ])
      #expect(broken.status == 64 && broken.errors.contains("on one line"), "\(broken.errors)")
      let past = try await add([
        "--start", "2020-11-20T08:00:00Z", "--end", "2020-11-20T16:00:00Z",
      ])
      #expect(past.status == 0)
      let listed = try await world.guardctl("absence", "list", "7")
      #expect(
        listed.output.contains(
          "\n\(absence)\t2099-11-19T23:00:00.000Z\t2099-11-26T23:00:00.000Z\t=cmd"),
        "\(listed.output)")
      #expect(listed.output.split(separator: "\n").count == 2)
      let all = try await world.guardctl("absence", "list", "--team", "1", "--all")
      #expect(all.output.split(separator: "\n").count == 3)
      #expect(try await world.guardctl("absence", "list", "99").status == 3)
      #expect(try await world.guardctl("absence", "list", "--team", "99").status == 3)
      #expect(try await world.guardctl("absence", "remove", absence).status == 0)
      let gone = try await world.guardctl("absence", "remove", absence)
      #expect(gone.status == 3 && gone.errors.contains("guardctl absence list"))
      for word in ["7", "7/x", "x/1", "0/1", "7/-1", "7/1/1", ""] {
        #expect(try await world.guardctl("absence", "remove", word).status == 64, "\(word)")
      }
    }
  }
}
