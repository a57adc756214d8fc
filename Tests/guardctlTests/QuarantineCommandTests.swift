import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The quarantine") struct QuarantineCommandTests {
  // R: M1
  @Test("is listed without contents, and read again")
  func quarantine() async throws {
    try await withWorld { world in
      let empty = try await world.guardctl("quarantine", "list", "-o", "table")
      #expect(empty.output == "No quarantined messages.\n")
      let phone = try await world.enrol()
      for (number, body) in [#"{"_type":"steps"}"#, "{secret", nil].enumerated() {
        try await world.write(
          """
          INSERT INTO quarantined_message (
            employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
          VALUES (7, \(phone.device.number), \(world.now - .hours(Int64(number))),
            \(Int16(number % 2)), \([UInt8](repeating: UInt8(number), count: 32)),
            \(number == 0 ? "unknown_kind _type" : "syntax"), \(Int32(number)), \(body))
          """)
      }
      let list = try await world.guardctl("quarantine", "ls")
      #expect(
        list.output.hasPrefix(
          "received\temployee\tname\tdevice\tphone app\treason\tbytes\tcontents kept\n"))
      #expect(
        list.output.contains("\t7\tAnna Kowalska\t7/1\toverland\tsyntax\t1\tyes\n"), "\(list)")
      #expect(!list.output.contains("secret") && !list.output.contains("steps"))
      for (words, rows) in [
        (["--app", "overland"], 1), (["--reason", "syntax"], 2), (["--limit", "1"], 1),
        (["--employee", "7"], 3), (["--team", "1", "--since", "90m"], 2),
      ] {
        let run = try await guardctl(
          ["quarantine", "list", "-o", "json"] + words, database: world.url)
        #expect(try #require(try run.json() as? [Any]).count == rows, "\(words) \(run)")
      }
      #expect(try await world.guardctl("quarantine", "list", "--employee", "9").status == 3)
      #expect(try await world.guardctl("quarantine", "list", "--team", "9").status == 3)
      #expect(try await world.guardctl("quarantine", "list", "--app", "ours").status == 64)

      let replay = try await world.guardctl("quarantine", "replay", "--json", "--by", "Mira")
      let counts = replay.object
      #expect(replay.status == 0 && counts["read"] as? Int == 1, "\(replay)")
      #expect(counts["unreadable"] as? Int == 1 && counts["withoutContents"] as? Int == 1)
      #expect(try await world.count("SELECT count(*) FROM quarantined_message") == 2)
      let again = try await world.guardctl("quarantine", "replay", "--employee", "7")
      #expect(again.status == 0, "\(again)")
      #expect(try await world.guardctl("quarantine", "replay", "--employee", "9").status == 3)
      let log = try await world.guardctl("audit", "list")
      #expect(log.output.contains("Mira\t\tquarantine_replayed\t7"), "\(log.output)")
    }
  }
}
