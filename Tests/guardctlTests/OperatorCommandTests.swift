import Foundation
import GuardRules
import ShiftDomain
import Testing

@testable import guardctl

@Suite("What operators change") struct OperatorCommandTests {
  @Test("an open shift is ended now or earlier, as a correction")  // R: M6
  func shiftEnd() async throws {
    try await withWorld { world in
      let none = try await world.guardctl("shift", "end", "7", "--reason", "r")
      #expect(none.status == 65 && none.errors == "guardctl: employee 7 has no open shift\n")
      #expect(try await world.guardctl("shift", "end", "8", "--reason", "r").status == 3)
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      try await world.clockIn(phone)
      #expect(try await world.guardctl("shift", "end", "7").status == 64)
      for (at, status) in [("2099-01-01T00:00:00Z", 65), ("2020-01-01T00:00:00Z", 65), ("x", 64)] {
        let run = try await world.guardctl("shift", "end", "7", "--reason", "r", "--at", at)
        #expect(run.status == Int32(status), "\(at): \(run)")
      }
      let ended = try await world.guardctl(
        "shift", "end", "7", "--reason", "phone lost", "--by", "Mira")
      #expect(ended.status == 0 && ended.output.hasPrefix("Ended shift 7/1: "), "\(ended)")
      let card = try await world.guardctl("shift", "show", "7/1", "--json").object
      #expect(card["endedBy"] as? String == "manager" && card["endedAt"] is String)
      let corrections = try #require(card["corrections"] as? [[String: Any]])
      #expect(corrections.map { $0["reason"] as? String } == ["phone lost"])
      #expect(corrections.map { $0["by"] as? String } == ["Mira"])
      #expect(try await world.guardctl("shift", "end", "7", "--reason", "r").status == 65)
    }
  }

  // R: W21
  @Test("breaks are added, moved and removed, and a forgotten shift is added")
  func breaks() async throws {
    try await withWorld { world in
      _ = try await world.enrol()
      let start = Instant(milliseconds: Int64(Date().timeIntervalSince1970) * 1_000) - .hours(30)
      func time(_ minutes: Int64) -> String { (start + .minutes(minutes)).rfc3339 }
      func span(_ from: Int64, _ to: Int64) -> String { "\(time(from))/\(time(to))" }
      let add = [
        "shift", "add", "7", "--start", time(0), "--end", time(480), "--break", span(60, 70),
        "--reason", "phone lost",
      ]
      let added = try await guardctl(add, database: world.url)
      #expect(added.status == 0 && added.output.hasPrefix("Added shift 7/1. "), "\(added)")
      let again = try await guardctl(add, database: world.url)
      #expect(again.output.contains("already added"), "\(again)")
      func correct(_ words: String...) async throws -> Run {
        try await guardctl(
          ["shift", "correct", "7/1", "--reason", "\(words.count) changes"] + words,
          database: world.url)
      }
      for (words, status) in [
        (["--add-break", "x"], 64), (["--move-break", "1=" + span(470, 490)], 65),
        (["--remove-break", "2"], 3), (["--remove-break", "0"], 3), (["--remove-break", "x"], 64),
        (["--add-break", span(65, 80)], 65), (["--end", "planned-end"], 65),
      ] as [([String], Int32)] {
        let run = try await guardctl(
          ["shift", "correct", "7/1", "--reason", "r"] + words, database: world.url)
        #expect(run.status == status, "\(words): \(run)")
      }
      #expect(try await correct("--add-break", span(100, 130)).status == 0)
      #expect(
        try await correct("--move-break", "1=" + span(50, 55), "--remove-break", "2").status == 0)
      let card = try await world.guardctl("shift", "show", "7/1", "--json").object
      let breaks = try #require(card["breaks"] as? [[String: String]])
      #expect(breaks == [["from": time(50), "to": time(55)]])
      #expect(
        try await world.guardctl("shift", "show", "7/1").output.contains("breaks\t1: "))
    }
  }

  @Test("teams and employees get other names, and employees another team")
  func names() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "South")
      let renamed = try await world.guardctl(
        "team", "edit", "1", "--name", "Nord", "--time-zone", "Europe/Zagreb", "--json")
      #expect(renamed.object["name"] as? String == "Nord", "\(renamed)")
      #expect(renamed.object["timeZone"] as? String == "Europe/Zagreb")
      let paid = try await world.guardctl(
        "team", "edit", "1", "--pay-rounding", "nearest_15", "--breaks", "paid", "--json")
      #expect(paid.object["payRounding"] as? String == "nearest_15", "\(paid)")
      #expect(
        paid.object["paysBreaks"] as? Bool == true && paid.object["name"] as? String == "Nord")
      #expect(try await world.guardctl("team", "edit", "1", "--pay-rounding", "7").status == 64)
      #expect(try await world.guardctl("team", "edit", "1").status == 64)
      #expect(try await world.guardctl("team", "edit", "1", "--name", "South").status == 65)
      #expect(try await world.guardctl("team", "edit", "9", "--name", "X").status == 3)
      _ = try await world.guardctl("employee", "rename", "7", "Anna Nowak")
      let moved = try await world.guardctl("employee", "move", "7", "2", "--json")
      #expect(moved.object["name"] as? String == "Anna Nowak", "\(moved)")
      #expect(moved.object["team"] as? Int == 2)
      #expect(try await world.guardctl("employee", "move", "7", "9").status == 3)
      let actions = try await world.guardctl("audit", "list")
      #expect(actions.output.contains("\temployee_changed\t"), "\(actions.output)")
    }
  }

  @Test("an account gets another role, and keeps its teams only as a manager's")
  func role() async throws {
    try await withWorld { world in
      for words in [
        ["admin", "create", "--email", "a@b.c", "--name", "A"],
        ["account", "add", "--email", "d@e.f", "--name", "D", "--role", "manager", "--team", "1"],
      ] {
        #expect(try await guardctl(words, database: world.url).status == 0)
      }
      let raised = try await world.guardctl("account", "set-role", "2", "admin", "--json")
      #expect(raised.object["role"] as? String == "admin", "\(raised)")
      #expect((raised.object["teams"] as? [Any])?.isEmpty == true)
      let lowered = try await world.guardctl("account", "set-role", "2", "manager")
      #expect(lowered.output.contains("It has no teams yet"), "\(lowered)")
      #expect(try await world.guardctl("account", "set-role", "1", "manager").status == 65)
      #expect(try await world.guardctl("account", "set-role", "9", "admin").status == 3)
      #expect(try await world.guardctl("account", "set-role", "2", "king").status == 64)
    }
  }
}
