import Foundation
import TestKit
import Testing

@Suite("A working day by its script") struct WorkingDayTests {
  // R: W17, W20, W22
  @Test("In every minute of 200 phones the service says what the script says")
  func agrees() async throws {
    let only = ProcessInfo.processInfo.environment["PART"]
    var script = try ScenarioFiles.dayScript()
    if let only { script.keep { $0.title.contains(only) } }
    try await withDatabase(size: 8) { [script] pool in
      var day = WorkingDay(script, on: pool)
      try await day.run()
      for (difference, count) in day.differences.sorted(by: { $0.key < $1.key }).prefix(50) {
        Issue.record("\(difference) (\(count) times)")
      }
      guard only == nil else { return }
      #expect(day.phoneCount == 200)
      #expect(day.comparisons > 20_000, "only \(day.comparisons) comparisons")
    }
  }
}
