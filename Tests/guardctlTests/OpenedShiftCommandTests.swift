import Foundation
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Opening a shift") struct OpenedShiftCommandTests {
  // R: M6, W17
  @Test("is shown by check and shift show until the employee confirms it")
  func opens() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      let open = ["shift", "open", "--employee", "7", "--reason", "new phone", "--by", "Mira"]
      let opened = try await guardctlTests.guardctl(open, database: world.url)
      #expect(opened.status == 0, "\(opened.errors)")
      #expect(opened.output.contains("Opened shift 7/1."))
      let again = try await guardctlTests.guardctl(open, database: world.url)
      #expect(again.output.contains("nothing was changed"))
      let check = try await world.guardctl("check", "--employee", "7")
      for part in ["opened by a manager,", "waits for the employee's confirmation"] {
        #expect(check.output.contains(part), "\(check.output)")
      }
      let json = try await world.guardctl("check", "--employee", "7", "--json").object
      let shift = json["shift"] as? [String: Any]
      #expect(shift?["waitsForConfirmation"] as? Bool == true && shift?["device"] == nil)
      let row = try await world.guardctl("shift", "show", "7/1", "--json").object
      #expect(row["openedBy"] as? String == "manager" && row["device"] == nil)
      let other = try await world.guardctl("shift", "open", "--employee", "7", "--reason", "other")
      #expect(other.status != 0 && other.errors.contains("overlap shift 1"), "\(other.errors)")
    }
  }
}
