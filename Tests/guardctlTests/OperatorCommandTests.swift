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

  @Test("teams and employees get other names, and employees another team")
  func names() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("team", "add", "--name", "South")
      let renamed = try await world.guardctl(
        "team", "edit", "1", "--name", "Nord", "--time-zone", "Europe/Zagreb", "--json")
      #expect(renamed.object["name"] as? String == "Nord", "\(renamed)")
      #expect(renamed.object["timeZone"] as? String == "Europe/Zagreb")
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
