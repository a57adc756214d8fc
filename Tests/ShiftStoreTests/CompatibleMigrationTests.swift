import Foundation
import TestPrograms
import Testing

@testable import ShiftStore

/// Programs of the version before run while and after a migration is applied, until they are
/// replaced. deploy/checks/upgrade runs them; this finds what they cannot bear without running.
@Suite("Migrations keep the version before working") struct CompatibleMigrationTests {
  /// The last file of the baseline: no version before had a schema.
  static let baseline = 12

  private static let folder = projectFolder.appending(path: "db/migrations")

  /// Why programs that know only the schema before may fail after `statement`; `nil`: they do not.
  private static func fault(of statement: String) -> String? {
    let text = statement.replacing(/--[^\n]*/, with: "").replacing(/\s+/, with: " ")
    if text.hasPrefix("DROP ") { return "drops something" }
    if keepsRows(text) { return "keeps them from deleting rows, by a foreign key" }
    guard text.hasPrefix("ALTER TABLE") else { return nil }
    for (pattern, fault) in [
      (/\bRENAME\b/, "renames something"), (/\bDROP COLUMN\b/, "drops a column"),
      (/\bDROP DEFAULT\b/, "drops a default"), (/\bSET NOT NULL\b/, "requires a value"),
      (/\bALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/, "changes a type"),
    ] where text.contains(pattern) { return fault }
    let added = text.split(separator: "ADD COLUMN").dropFirst()
    let isRequired = added.contains { $0.contains(/\bNOT NULL\b/) && !$0.contains(/\bDEFAULT\b/) }
    return isRequired ? "adds a column that they do not write" : nil
  }

  /// Whether a new table's rows keep programs that do not know it from deleting an employee's.
  private static func keepsRows(_ text: String) -> Bool {
    text.split(separator: "REFERENCES ").dropFirst().contains { key in
      let rest = key.replacing(/\([^()]*\)/, with: "")
      let table = rest.prefix { $0.isLetter || $0 == "_" }
      return tablesOfEmployees.contains { $0.description == table }
        && !rest.prefix { $0 != "," && $0 != ")" }.contains("ON DELETE CASCADE")
    }
  }

  /// The schema version since which no program uses what the file removes, by its comment.
  private static func unusedSince(_ text: String) -> Int? {
    text.firstMatch(of: /-- Unused since schema (\d+)/).flatMap { Int($0.1) }
  }

  @Test("in every file after the baseline, unless an earlier version stopped using it")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    for name in names where name.hasSuffix(".sql") {
      let number = try #require(Int(name.prefix(4)))
      guard number > Self.baseline else { continue }
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      if let since = Self.unusedSince(text), since < number { continue }
      for statement in MigrationStatements(text) {
        let fault = Self.fault(of: statement.text)
        #expect(fault == nil, "\(name):\(statement.line)")
      }
    }
  }

  @Test(
    "by objecting to what breaks it",
    arguments: [
      "DROP TABLE a", "DROP FUNCTION a(int)", "DROP INDEX a", "ALTER TABLE a DROP COLUMN b",
      "ALTER TABLE a RENAME COLUMN b TO c", "ALTER TABLE a RENAME TO b",
      "ALTER TABLE a ALTER COLUMN b TYPE bigint", "ALTER TABLE a ALTER COLUMN b SET NOT NULL",
      "ALTER TABLE a ALTER b DROP DEFAULT", "ALTER TABLE a ADD COLUMN b int NOT NULL",
      "CREATE TABLE a (b int REFERENCES employee (employee_id), c int)",
      "CREATE TABLE a (b int, CONSTRAINT c FOREIGN KEY (b, d)\n  REFERENCES shift (b, d))",
      "CREATE TABLE a (b int REFERENCES shift (b), c int REFERENCES shift (b) ON DELETE CASCADE)",
      "ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES device (c)",
      "ALTER TABLE a\n  ADD COLUMN b int NOT NULL DEFAULT 0,  -- fine\n  ADD COLUMN c int NOT NULL",
    ])
  func objects(to statement: String) {
    #expect(Self.fault(of: statement) != nil)
  }

  @Test(
    "by taking what does not",
    arguments: [
      "CREATE TABLE a (b int NOT NULL)", "CREATE TABLE a (b int REFERENCES team (b))",
      "CREATE TABLE a (b int REFERENCES shift (b) ON DELETE CASCADE, c int)",
      "CREATE INDEX a ON b (c)",
      "ALTER TABLE a ADD COLUMN b int, ADD COLUMN c int NOT NULL DEFAULT 0",
      "ALTER TABLE a ALTER COLUMN b DROP NOT NULL", "ALTER TABLE a DROP CONSTRAINT b",
      "CREATE OR REPLACE FUNCTION a() RETURNS int AS $$ BEGIN DROP TABLE b; END $$",
    ])
  func takes(_ statement: String) {
    #expect(Self.fault(of: statement) == nil)
  }

  @Test("only by a comment that names an earlier version") func comments() {
    #expect(Self.unusedSince("-- Why: x.\n-- Unused since schema 18: they read b instead.") == 18)
    #expect(Self.unusedSince("-- Why: unused.") == nil)
  }
}
