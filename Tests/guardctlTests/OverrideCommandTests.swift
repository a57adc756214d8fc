import Foundation
import InsightOperations
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Overriding, settling and correcting") struct OverrideCommandTests {
  // R: W3
  @Test("an override changes what check answers, says by whom, and is withdrawn")
  func overrides() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.denied, from: phone)
      #expect(try await world.guardctl("check", "--employee", "7").status == 2)
      let give = [
        "override", "give", "--employee", "7", "--finding", "denied", "--reason", "in repair",
        "--by", "Mira",
      ]
      let given = try await guardctlTests.guardctl(give, database: world.url)
      #expect(given.status == 0 && given.output == "7/1\n", "\(given.errors)")
      #expect(given.errors.contains("guardctl override withdraw 7/1"))
      let check = try await world.guardctl("check", "--employee", "7")
      #expect(check.status == 1)
      #expect(check.output.contains("7/1, denied, by Mira: in repair"), "\(check.output)")
      let json = try await world.guardctl("check", "--employee", "7", "--json").object
      let decision = try #require(json["decision"] as? [String: Any])
      #expect(decision["overridden"] as? [String] == ["denied"])
      #expect((json["override"] as? [String: Any])?["by"] as? String == "Mira")
      let again = try await guardctlTests.guardctl(give, database: world.url)
      #expect(again.output == "7/1\n" && again.errors.contains("nothing was changed"))
      let list = try await world.guardctl("override", "list", "--employee", "7", "--json")
      let rows = try #require(try list.json() as? [[String: Any]])
      #expect(rows.map { $0["findings"] as? [String] } == [["denied"]])
      #expect(try await world.guardctl("override", "withdraw", "7/1").status == 0)
      #expect(try await world.guardctl("check", "--employee", "7").status == 2)
      let unnamed = try await world.guardctl(
        "override", "give", "--employee", "7", "--finding", "denied", "--reason", "r", "--json")
      #expect((unnamed.object["by"] as? String)?.isEmpty == false)
      try await world.clockIn(phone)
      let late = try await world.guardctl("override", "withdraw", "7/2")
      #expect(late.status == 65 && late.errors.contains("already used"))
    }
  }

  // R: W3
  @Test("a refused clock-in is shown, accepted into a shift, and not reviewed twice")
  func clockActions() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.denied, from: phone)
      try await world.clockIn(phone)
      let waiting = try await world.guardctl("clock-action", "list", "--review")
      #expect(waiting.output.contains("blocked"), "\(waiting.errors)")
      #expect(
        try await world.guardctl("clock-action", "show", "7/1").output
          .contains("review\tyes"))
      let accepted = try await world.guardctl(
        "clock-action", "accept", "7/1", "--reason", "was there", "--by", "Mira")
      #expect(accepted.status == 0, "\(accepted.errors)")
      #expect(accepted.output.hasPrefix("Accepted clock action 7/1: shift 7/1 begins "))
      let other = try await world.guardctl("clock-action", "dismiss", "7/1")
      #expect(other.status == 65 && other.errors.contains("guardctl clock-action show 7/1"))
      let shown = try await world.guardctl("clock-action", "show", "7/1", "--json").object
      let reviewed = try #require(shown["reviewed"] as? [String: Any])
      #expect(reviewed["outcome"] as? String == "accepted")
      #expect(reviewed["shift"] as? [String: Int] == ["employee": 7, "number": 1])
      let card = try await world.guardctl("shift", "show", "7/1", "--json").object
      let override = try #require(card["overriddenBy"] as? [String: Any])
      #expect(override["reason"] as? String == "was there" && override["by"] as? String == "Mira")
      let notification = try await world.guardctl(
        "notification", "show", "7/1", "--topic", "shift_opened")
      #expect(
        notification.output.contains("title\tYour shift was opened for you"),
        "\(notification.errors)")
      #expect(try await world.guardctl("clock-action", "list", "--review").output.isEmpty)
    }
  }

  // R: W10
  @Test("a correction is shown on the shift's card, with what it was before")
  func corrections() async throws {
    try await withPhoneOnShift { world, _ in
      let start = try await world.operations.insight.shift(
        ShiftID(employee: EmployeeID(7), number: 1)
      )
      .startedAt
      let earlier = (start - .hours(1)).rfc3339
      let run = try await world.guardctl(
        "shift", "correct", "7/1", "--start", earlier, "--reason", "came early", "--by", "Mira")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("The employee sees it in the app"))
      let end = (start - .minutes(5)).rfc3339
      let ended = try await world.guardctl(
        "shift", "correct", "7/1", "--end", end, "--reason", "left early", "--json")
      #expect(ended.object["number"] as? Int == 2, "\(ended.errors)")
      let card = try await world.guardctl("shift", "show", "7/1")
      #expect(card.output.contains("ended by\tmanager\n"))
      #expect(card.output.contains("original start\t\(start.rfc3339)\n"))
      let told = card.output.split(separator: "\n").filter { $0.hasPrefix("story\t") }
      #expect(
        told.contains { $0.hasPrefix("story\t\(start.rfc3339)\t\tClocked in") }, "\(told)")
      #expect(
        told.contains {
          $0.hasSuffix("from \(start.rfc3339) until open to \(earlier) until open\t“came early”")
        }, "\(told)")
      let json = try await world.guardctl("shift", "show", "7/1", "--json").object
      #expect((json["corrections"] as? [Any])?.count == 2)
      #expect(json["endedBy"] as? String == "manager" && json["review"] as? Bool == false)
      let notification = try await world.guardctl(
        "notification", "show", "7/1", "--topic", "shift_corrected", "--json")
      #expect(notification.object["ordinal"] as? Int == 2)
      #expect(notification.object["title"] as? String == "Your shift was corrected")
      let same = try await world.guardctl(
        "shift", "correct", "7/1", "--end", end, "--reason", "other")
      #expect(same.status == 65)
    }
  }

  // R: W10
  @Test("the newest correction can be undone with a reason, an older one cannot")
  func undo() async throws {
    try await withPhoneOnShift { world, _ in
      let start = try await world.operations.insight.shift(
        ShiftID(employee: EmployeeID(7), number: 1)
      )
      .startedAt
      let first = (start - .hours(1)).rfc3339
      for time in [first, (start - .minutes(30)).rfc3339] {
        let run = try await world.guardctl(
          "shift", "correct", "7/1", "--start", time, "--reason", "came early", "--by", "Mira")
        #expect(run.status == 0, "\(run.errors)")
      }
      let undo = ["shift", "undo", "7/1", "--by", "Mira", "--correction"]
      for (more, status, text) in [
        (["1", "--reason", "mistake"], 65, "only the newest correction"),
        (["2", "--reason", " "], 64, "a reason must have"), (["2"], 64, "--reason"),
        (["9", "--reason", "mistake"], 3, "no correction 9"),
      ] as [([String], Int32, String)] {
        let run = try await guardctlTests.guardctl(undo + more, database: world.url)
        #expect(run.status == status && run.errors.contains(text), "\(more): \(run.errors)")
      }
      let newest = undo + ["2", "--reason", "mistake"]
      let undone = try await guardctlTests.guardctl(newest, database: world.url)
      #expect(undone.status == 0, "\(undone.errors)")
      #expect(undone.output.contains("Undid correction 2 of shift 7/1: "), "\(undone.output)")
      let card = try await world.guardctl("shift", "show", "7/1", "--json").object
      #expect(card["startedAt"] as? String == first)
      let corrections = try #require(card["corrections"] as? [[String: Any]])
      #expect(corrections.map { $0["undoes"] as? Int } == [nil, nil, 2])
      let again = try await guardctlTests.guardctl(newest, database: world.url)
      #expect(again.status == 0 && again.output.contains("already undone"), "\(again.errors)")
    }
  }

  @Test("what cannot be followed is refused in words, with what to do")
  func refusals() async throws {
    try await withWorld { world in
      let rows: [(words: [String], status: Int32, text: String)] = [
        (["override", "give", "--employee", "7", "--reason", "r"], 64, "--finding denied"),
        (
          ["override", "give", "--employee", "7", "--finding", "x", "--reason", "r"], 64,
          "`x` is not a finding"
        ),
        (
          ["override", "give", "--employee", "8", "--finding", "denied", "--reason", "r"], 3,
          "no employee 8"
        ),
        (
          ["override", "give", "--employee", "7", "--finding", "denied", "--reason", " "], 64,
          "a reason must have"
        ),
        (["override", "withdraw", "7/9"], 3, "guardctl override list"),
        (["clock-action", "show", "7/9"], 3, "guardctl clock-action list"),
        (["clock-action", "accept", "7/9", "--reason", "r"], 3, "no clock action 9"),
        (["clock-action", "accept", "7/9", "--reason", "r", "--end", "noon"], 64, "write it as"),
        (["shift", "correct", "7/9", "--reason", "r"], 64, "nothing to correct"),
        (
          ["shift", "correct", "7/9", "--start", "2026-11-20T09:30:00Z", "--reason", "r"], 3,
          "no shift 9"
        ),
        (
          ["notification", "show", "7/9", "--topic", "long_break"], 3,
          "no notification about long break 7/9"
        ),
      ]
      for row in rows {
        let run = try await guardctlTests.guardctl(row.words, database: world.url)
        #expect(run.status == row.status, "\(row.words): \(run.errors)")
        #expect(run.errors.contains(row.text), "\(row.words): \(run.errors)")
        #expect(run.output.isEmpty)
      }
    }
  }
}
