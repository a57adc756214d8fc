import Foundation
import InstallationOperations
import ShiftDomain
import Testing

@Suite("Checking an employee") struct CheckCommandTests {
  @Test("the verdict follows what the phone says, and the exit status the verdict")  // R: M6, M2
  func verdicts() async throws {
    try await withWorld { world in
      let bare = try await world.guardctl("check", "--employee", "7")
      #expect(bare.status == 2)
      #expect(bare.output.contains("guardctl enrol 7"))

      let phone = try await world.enrol()
      let rows: [(Authorization, status: Int32, headline: String)] = [
        (.denied, 2, "BLOCK  Anna Kowalska may not clock in: location access denied\n"),
        (.whenInUse, 1, "WARN  Anna Kowalska may clock in, with a warning"),
        (.always, 0, "ALLOW  Anna Kowalska may clock in\n"),
      ]
      for row in rows {
        try await world.report(row.0, from: phone)
        let run = try await world.guardctl("check", "--employee", "7")
        #expect(run.status == row.status, "\(run.output)")
        #expect(run.output.hasPrefix(row.headline), "\(run.output)")
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.errors.isEmpty)
      }
    }
  }

  @Test("on shift the exit status follows tracking, not a permission check of yesterday")
  func onShift() async throws {
    try await withPhoneOnShift { world, phone in
      let waiting = try await world.guardctl("check", "7", "--json")
      #expect(waiting.status == 1 && waiting.object["exitBy"] as? String == "tracking")
      try await world.report(.denied, from: phone)
      let denied = try await world.guardctl("check", "7")
      #expect(denied.status == 2 && denied.output.hasPrefix("NOT TRACKED"), "\(denied.output)")
      let tried = try await world.guardctl("check", "7", "--policy", "advisory", "--json")
      #expect(tried.status == 0 && tried.object["exitBy"] as? String == "decision")
    }
  }

  @Test("another policy or another phone can be tried, and what does not exist ends with 3")
  func options() async throws {
    try await withWorld { world in
      let first = try await world.enrol()
      let second = try await world.enrol(.android)
      try await world.report(.always, from: first)
      try await world.report(.whenInUse, from: second)
      let newest = try await world.guardctl("check", "--employee", "7")
      #expect(newest.status == 1 && newest.output.contains("7/2"))
      #expect(try await world.guardctl("check", "--employee", "7", "--device", "1").status == 0)
      let strict = try await world.guardctl("check", "--employee", "7", "--policy", "strict")
      #expect(strict.status == 2)
      #expect(strict.output.contains("strict, tried"))
      let advisory = try await world.guardctl("check", "--employee", "7", "--policy", "advisory")
      #expect(advisory.status == 0)
      let nobody = try await world.guardctl("check", "--employee", "8")
      #expect(nobody.status == 3)
      #expect(nobody.errors == "guardctl: no employee 8: see `guardctl employee list`\n")
      let noDevice = try await world.guardctl("check", "--employee", "7", "--device", "9")
      #expect(noDevice.status == 3)
    }
  }

  @Test("the remedies are written in the language asked for, and all else in English")
  func languages() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.denied, from: phone)
      let french = try await world.guardctl("check", "--employee", "7", "--language", "fr")
      #expect(french.output.hasPrefix("BLOCK  Anna Kowalska may not clock in"))
      #expect(french.output.contains("L’accès à la position est désactivé"))
      #expect(!french.output.contains("Location access is off"))
      let none = try await world.guardctl("check", "--employee", "7", "--language", "xx")
      #expect(none.status == 64 && none.errors.contains("xx"), "\(none)")
      let croatian = try await world.guardctl("check", "--employee", "7", "--language", "hr")
      #expect(croatian.status == 64 && !croatian.errors.contains("did you mean"), "\(croatian)")
    }
  }

  @Test("it shows age, device, open shift and incidents, changes nothing and contains no position")
  func facts() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.whenInUse, from: phone)
      try await world.clockIn(phone)
      try await world.report(.denied, from: phone)
      let before = try await world.operations.installation.status()
      let run = try await world.guardctl("check", "--employee", "7", "--json")
      #expect(run.status == 2)
      let json = run.object
      #expect((json["decision"] as? [String: Any])?["verdict"] as? String == "block")
      #expect((json["device"] as? [String: Any])?["device"] as? Int == 1)
      #expect((json["shift"] as? [String: Any])?["number"] as? Int == 1)
      #expect((json["incidents"] as? [[String: Any]])?.first?["kind"] as? String == "denied")
      let list = try await world.guardctl("incident", "list")
      #expect(list.output.contains("\t7/1\tAnna Kowalska\tdenied\t"), "\(list.output)")
      let queue = try await world.guardctl("notification", "list").output
      #expect(queue.contains("waits for\n") && queue.contains("\tpush, e-mail or a contact\n"))
      let report = try #require(json["report"] as? [String: Any])
      let reported = try #require(
        (report["effectiveAt"] as? String).flatMap { Instant(rfc3339: $0) })
      let asOf = try #require((json["asOf"] as? String).flatMap { Instant(rfc3339: $0) })
      #expect((TimeSpan.zero...(.minutes(10))).contains(asOf - reported))
      let guidance = try #require(json["guidance"] as? [String: Any])
      let remedies = try #require(guidance["remedies"] as? [[String: Any]])
      #expect(remedies.first?["finding"] as? String == "denied")
      #expect(((remedies.first?["steps"] as? [String]) ?? []).isEmpty == false)
      #expect((json["trackingState"] as? [String: Any])?["reason"] as? String == "denied")
      let plain = try await world.guardctl("check", "--employee", "7").output
      #expect(plain.hasPrefix("NOT TRACKED  Anna Kowalska is on shift and not tracked: "))
      #expect(plain.contains("\nTracking  not tracked: location access denied\n"))
      #expect(plain.contains("\nReadiness block: location access denied\n"))
      for text in [run.output, plain] {
        #expect(!text.lowercased().contains("latitude"))
        #expect(!text.lowercased().contains("longitude"))
      }
      #expect(try await world.operations.installation.status() == before)
    }
  }

  @Test("on a terminal the verdict has its colour, unless NO_COLOR asks for none")
  func colours() async throws {
    try await withWorld { world in
      let line = "SHIFTGUARD_FORCE_TTY=1 guardctl check --employee 7"
      let coloured = try await bash(line, database: world.url)
      #expect(coloured.status == 2)
      #expect(coloured.output.hasPrefix("\u{1B}[1;31mBLOCK\u{1B}[0m"))
      let plain = try await bash(line, database: world.url, variables: ["NO_COLOR": "1"])
      #expect(plain.output.hasPrefix("BLOCK  "))
      let dumb = try await bash(line, database: world.url, variables: ["TERM": "dumb"])
      #expect(dumb.output.hasPrefix("BLOCK  "))
    }
  }
}
