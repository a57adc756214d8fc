import Foundation
import Postgres
import ShiftDomain
import TestKit
import Testing

/// Everything that RULES promises, as requests and expectations derived from it alone.
@Suite("Scenarios") struct ScenarioTests {
  // R: W12, W13, W19, W20, W22
  @Test(arguments: ScenarioFiles.all) func holds(_ file: ScenarioFile) async throws {
    let scenarios = try ScenarioParser.parse(file.text, file: file.name)
    let known = try ScenarioFiles.knownDifferences()
    let only = ProcessInfo.processInfo.environment["SCENARIO"]
    try await withDatabase(size: 4) { pool in
      let tables = try await Tables(of: pool)
      for scenario in scenarios where only.map(scenario.title.contains) ?? true {
        try await tables.clear(on: pool)
        let differences = try await ScenarioRun.differences(of: scenario, on: pool)
        record(differences, of: scenario, in: file, isKnown: known[scenario.title] != nil)
      }
    }
  }

  @Test("Every known difference names a scenario")
  func knownDifferences() throws {
    let titles = Set(try ScenarioFiles.scenarios().map(\.title) + ["a random day"])
    for title in try ScenarioFiles.knownDifferences().keys {
      #expect(titles.contains(title), "there is no scenario `\(title)`")
    }
  }

  private func record(
    _ differences: [Difference], of scenario: Scenario, in file: ScenarioFile, isKnown: Bool
  ) {
    if isKnown, differences.isEmpty {
      Issue.record("`\(scenario.title)` holds: remove it from known-differences.txt")
    }
    guard !isKnown else { return }
    for difference in differences {
      Issue.record(
        "\(file.name):\(difference.line) `\(scenario.title)`: \(difference.text)",
        sourceLocation: SourceLocation(
          fileID: "ScenarioTests/\(file.name)", filePath: file.path, line: difference.line,
          column: 1))
    }
  }
}

/// The tables of a migrated database, which are emptied between scenarios: this is cheaper than a
/// database for each.
struct Tables: Sendable {
  private let script: String

  init(of pool: Pool) async throws {
    script = try await pool.read { (session) throws(PostgresError) in
      // Partitions are emptied with their tables; the schema version stays.
      let rows = try session.run(
        """
        SELECT string_agg('DELETE FROM ' || quote_ident(relname), ';') FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
          AND NOT relispartition AND relname <> 'schema_version'
        """)
      let deletions: String = try rows.value(0, 0)
      return "SET session_replication_role = replica; \(deletions); "
        + "SET session_replication_role = origin"
    }
  }

  func clear(on pool: Pool) async throws {
    let script = self.script
    try await pool.read { (session) throws(PostgresError) in try session.script(script) }
  }
}
