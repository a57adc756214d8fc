import Foundation
import ShiftDomain
import Testing

@testable import guardctl

@Suite("The times of shifts on the command line") struct ShiftTimesCommandTests {
  @Test("list the shifts of the pay period of today, or of other days")
  func list() async throws {
    try await withPhoneOnShift { world, _ in
      let run = try await world.guardctl("shift", "times")
      #expect(run.status == 0 && run.output.contains("7/1\tAnna Kowalska\t"), "\(run.output)")
      #expect(run.output.contains("\topen"), "\(run.output)")
      let ready = try await world.guardctl("shift", "times", "--state", "ready")
      #expect(ready.status == 0 && ready.output.isEmpty)
      #expect(run.output.hasPrefix("shift\tname\t") && run.output.contains("\tworked\tpaid\t"))
      let past = try await world.guardctl(
        "shift", "times", "--from", "2020-01-01", "--to", "2020-01-31")
      #expect(past.status == 0 && past.output.isEmpty)
      for wrong in [["--from", "2020-01-01"], ["--from", "x", "--to", "2020-01-01"]] {
        let run = try await guardctl(["shift", "times"] + wrong, database: world.url)
        #expect(run.status == 64)
      }
      #expect(try await world.guardctl("shift", "times", "--team", "99").status == 3)
    }
  }
}
