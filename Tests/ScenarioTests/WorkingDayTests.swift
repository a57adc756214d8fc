import Foundation
import TestKit
import Testing

@Suite("A working day") struct WorkingDayTests {
  /// Its name in the list of known differences.
  private static let title = "a working day"

  /// The seed of the day; `WORKING_DAY_SEED` sets another.
  private static let seed =
    ProcessInfo.processInfo.environment["WORKING_DAY_SEED"].flatMap { UInt64($0) } ?? 14

  // R: W17
  @Test("100 employees in ten teams: every view says the same about every employee")
  func agrees() async throws {
    let seed = Self.seed
    let known = try ScenarioFiles.knownDifferences()[Self.title]
    try await withDatabase(size: 8) { pool in
      var day = WorkingDay(seed: seed, on: pool)
      try await day.run()
      let differences = day.differences + day.complaints
      #expect(day.checks > 1_000, "seed \(seed): only \(day.checks) checks")
      if known != nil {
        #expect(!differences.isEmpty, "it holds: remove it from known-differences.txt")
      } else {
        for difference in differences.prefix(50) { Issue.record("seed \(seed): \(difference)") }
        #expect(differences.isEmpty, "seed \(seed): \(differences.count) of \(day.checks) checks")
      }
    }
  }
}
