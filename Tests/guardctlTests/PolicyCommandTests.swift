import Foundation
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@testable import guardctl

@Suite("Changing a team's policy") struct PolicyCommandTests {
  @Test("every setting is set by its option and shown again; what is not named stays")
  func settings() async throws {
    try await withWorld { world in
      let run = try await world.guardctl(
        "policy", "set", "--team", "1", "--preset", "strict", "--finding", "when_in_use=warn",
        "--finding=clock_wrong=block", "--fresh-for", "10m", "--debounce", "0s", "--ping-interval",
        "30s", "--break-max", "45m", "--shift-max", "12h", "--reminder-after", "9h",
        "--email-after", "1m", "--managers-after", "0s",
        "--self-override", "with_reason", "--open-planned", "on")
      #expect(run.status == 0 && run.output == "2\n")
      #expect(run.errors.contains("guardctl policy restore 1 1"))
      let shown = try await world.guardctl("policy", "show", "--team", "1", "--json").object
      let expected: [String: Any] = [
        "team": 1, "version": 2, "preset": "strict", "freshFor": 600,
        "debounce": 0, "pingInterval": 30, "maxFixAge": 120, "breakMax": 2_700,
        "shiftMax": 43_200, "reminderAfter": 32_400, "emailAfter": 60, "managersAfter": 0,
        "selfOverride": "with_reason",
      ]
      for (key, value) in expected {
        #expect(shown[key].map { "\($0)" } == "\(value)", "\(key)")
      }
      #expect(shown["inForce"] as? Bool == true && shown["opensPlannedShifts"] as? Bool == true)
      let severities = try #require(shown["severities"] as? [String: String])
      #expect(severities["clock_wrong"] == "block")
      #expect(
        severities.filter { $0.value == "warn" }.keys.sorted()
          == ["accuracy_reduced", "when_in_use"])

      let one = try await world.guardctl(
        "policy", "set", "--team", "1", "--debounce", "1s", "--json")
      #expect(one.object["new"] as? Bool == true && one.object["shiftMax"] as? Int == 43_200)
      let alerts = try await world.guardctl(
        "policy", "alerts", "1", "--late-after", "15m", "--no-show-after", "1h",
        "--mass-silence-wait", "5m", "--cooldown", "2m", "--json")
      #expect(alerts.object["cooldown"] as? Int == 120)
      #expect(alerts.object["lateAfter"] as? Int == 900)
      #expect(alerts.object["noShowAfter"] as? Int == 3_600)
      #expect(alerts.object["massSilenceWait"] as? Int == 300)
      let card = try await world.guardctl("policy", "show", "--team", "1")
      #expect(card.output.contains("fresh for\t10m\n") && card.output.contains("debounce\t1s\n"))
    }
  }

  @Test("blocking while-in-use changes the answer, and the version before brings it back")  // R: A9
  func effect() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.whenInUse, from: phone)
      #expect(try await world.guardctl("check", "--employee", "7").status == 1)
      let set = ["policy", "set", "--team", "1", "--finding", "when_in_use=block"]
      #expect(try await guardctlTests.guardctl(set, database: world.url).output == "2\n")
      #expect(try await world.guardctl("check", "--employee", "7").status == 2)
      let again = try await guardctlTests.guardctl(set, database: world.url)
      #expect(again.status == 0 && again.output == "2\n")
      #expect(again.errors.contains("nothing was changed"))
      let back = try await world.guardctl("policy", "restore", "--team", "1", "--version", "1")
      #expect(back.status == 0 && back.output == "3\n")
      #expect(try await world.guardctl("check", "--employee", "7").status == 1)
      let list = try await world.guardctl("policy", "list", "--team", "1", "--json")
      let rows = try #require(try list.json() as? [[String: Any]])
      #expect(rows.map { $0["version"] as? Int } == [3, 2, 1])
      #expect(rows.map { $0["inForce"] as? Bool } == [true, false, false])
      let newest = try await world.guardctl("policy", "list", "--team", "1", "--limit", "1")
      #expect(newest.output.contains("\n1\t3\tyes\tstandard\t"))
    }
  }

  // R: W11
  @Test("the changes of each version are listed with who saved it, setting by setting")
  func changes() async throws {
    try await withWorld { world in
      for options in [["--finding", "denied=warn", "--shift-max", "12h"], ["--debounce", "0s"]] {
        let run = try await guardctlTests.guardctl(
          ["policy", "set", "--team", "1"] + options, database: world.url)
        #expect(run.status == 0, "\(run.errors)")
      }
      let run = try await world.guardctl("policy", "changes", "--team", "1")
      let rows = run.output.split(separator: "\n").map { line in
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        return [cells[0], cells[2], cells[3], cells[4]].joined(separator: "|")
      }
      #expect(
        rows == [
          "version|saved by|setting|change",
          "3|\(NSUserName())|/debounce|Delay before notifying: 2 s → 0 s",
          "2|\(NSUserName())|/severities/denied|Location access denied: blocks → warns",
          "2|\(NSUserName())|/shiftMax|Maximum shift: 16 h → 12 h",
        ])
      let one = try await world.guardctl("policy", "changes", "--team", "1", "--limit", "1")
      #expect(one.output.split(separator: "\n").count == 2)
      let shown = try await world.guardctl("policy", "show", "--team", "1", "--json").object
      #expect(shown["savedBy"] as? String == NSUserName())
    }
  }

  // R: A9
  @Test("a change for a later time waits, is shown, and can be discarded")
  func planned() async throws {
    try await withWorld { world in
      let time = (wallClock() + .hours(24)).rfc3339
      let words = ["policy", "set", "1", "--shift-max", "12h", "--valid-from", time]
      let run = try await guardctlTests.guardctl(words, database: world.url)
      #expect(run.status == 0 && run.errors.contains("guardctl policy discard 1"), "\(run.errors)")
      let again = try await guardctlTests.guardctl(words + ["--json"], database: world.url).object
      #expect(again["new"] as? Bool == false && again["validFrom"] as? String == time)
      let shown = try await world.guardctl("policy", "planned", "1", "--json").object
      #expect(shown["formerVersion"] as? Int == 1 && shown["savedBy"] as? String == NSUserName())
      let past = try await world.guardctl(
        "policy", "set", "1", "--debounce", "1s", "--valid-from", "2026-01-01T00:00:00Z")
      #expect(past.status != 0 && past.errors.contains("another policy is already planned"))
      #expect(try await world.guardctl("policy", "discard", "1").status == 0)
      for words in [["planned"], ["discard"]] {
        let none = try await guardctlTests.guardctl(
          ["policy"] + words + ["1"], database: world.url)
        #expect(none.status == 3 && none.errors.contains("planned policy of team 1"))
      }
    }
  }

  @Test("a team is under standard unless another is chosen, and what does not exist ends with 3")
  func missing() async throws {
    try await withWorld { world in
      let shown = try await world.guardctl("policy", "show", "--team", "1", "--version", "1")
      #expect(shown.status == 0 && shown.output.contains("preset\tstandard\n"))
      let version = try await world.guardctl("policy", "show", "--team", "1", "--version", "8")
      #expect(version.status == 3 && version.output.isEmpty)
      #expect(
        version.errors == """
          guardctl: no policy version 8 of team 1: see `guardctl policy list 1`\n
          """)
      for words in [
        ["list"], ["show"], ["set", "--preset", "strict"], ["restore", "--version", "1"],
      ] {
        let run = try await guardctlTests.guardctl(
          ["policy"] + words + ["--team", "9"], database: world.url)
        #expect(run.status == 3 && run.errors == "guardctl: no team 9: see `guardctl team list`\n")
      }
    }
  }

  @Test("a span is shown as it is typed, to the second")
  func typed() {
    let rows: [(Int64, String)] = [
      (0, "0s"), (1, "1s"), (60, "1m"), (90, "90s"), (300, "5m"), (3_600, "1h"), (5_400, "90m"),
      (86_400, "24h"), (3_601, "3601s"),
    ]
    for (seconds, text) in rows {
      #expect(TimeSpan.seconds(seconds).typed == text && TimeSpan(text) == .seconds(seconds))
    }
  }
}
