import Foundation
import TestPrograms
import Testing

@testable import ShiftStore

/// The rules of db/migrations, which its first file explains.
@Suite("Migrations keep the rules of their folder") struct MigrationRuleTests {
  private static let files: [(name: String, text: String)] = {
    let folder = projectFolder.appending(path: "db/migrations")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".sql") }.map {
      ($0, (try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)) ?? "")
    }
  }()

  /// What Citus refuses in an ALTER TABLE of a distributed table; `nil` if it takes `statement`.
  private static func fault(of statement: String) -> String? {
    guard statement.hasPrefix("ALTER TABLE") else { return nil }
    // What is in parentheses belongs to a constraint or a type, and a comment to nobody.
    var text = statement.replacing(/--[^\n]*/, with: "")
    while let inner = text.firstMatch(of: /\([^()]*\)/) { text.removeSubrange(inner.range) }
    let changes = text.split(separator: ",")
    if changes.count > 1, text.contains(/\bADD CONSTRAINT\b/) {
      return "adds a constraint and something else"
    }
    let hasInlineConstraint = changes.contains {
      $0.contains(/\bADD COLUMN\b/) && $0.contains(/\b(CHECK|REFERENCES|UNIQUE|PRIMARY)\b/)
    }
    return hasInlineConstraint ? "adds a column with a constraint" : nil
  }

  @Test("their statements are such that Citus takes them")
  func statements() {
    #expect(Self.files.count == Int(schemaVersionWanted))
    for (name, text) in Self.files {
      for statement in MigrationStatements(text) {
        let fault = Self.fault(of: statement.text)
        #expect(fault == nil, "\(name):\(statement.line)")
      }
    }
  }

  @Test(
    "objects to what Citus refuses",
    arguments: [
      "ALTER TABLE a ADD COLUMN b int, ADD CONSTRAINT c CHECK (b > 0)",
      "ALTER TABLE a ADD CONSTRAINT c CHECK (b IN (1, 2)), ADD CONSTRAINT d CHECK (b > 0)",
      "ALTER TABLE a DROP CONSTRAINT c,\n  ADD CONSTRAINT d CHECK (b > 0)",
      "ALTER TABLE a ADD COLUMN b int CHECK (b > 0)", "ALTER TABLE a ADD COLUMN b int UNIQUE",
      "ALTER TABLE a ADD COLUMN b int REFERENCES c (b)",
    ])
  func objects(to statement: String) {
    #expect(Self.fault(of: statement) != nil)
  }

  @Test(
    "takes what Citus takes",
    arguments: [
      "ALTER TABLE a ADD CONSTRAINT c CHECK (num_nulls(b, c) IN (0, 2))",
      "ALTER TABLE a ADD COLUMN b int,  -- a CHECK follows\n  ADD COLUMN c numeric(3, 1)",
      "CREATE TABLE a (b int, CONSTRAINT c CHECK (b > 0), CONSTRAINT d UNIQUE (b))",
    ])
  func takes(_ statement: String) {
    #expect(Self.fault(of: statement) == nil)
  }

  @Test("each file begins with why, what it locks and how large that is; new ones with what runs")
  func headers() {
    for (place, (name, text)) in Self.files.enumerated() {
      let header = text.split(separator: "\n").prefix { $0.hasPrefix("--") }.joined()
      let isNew = place >= CompatibleMigrationTests.baseline
      for word in ["-- Why: ", "Locks: ", "Size: "] + (isNew ? ["-- Version before: "] : []) {
        #expect(header.contains(word), "\(name) has no `\(word)`")
      }
      #expect(name.contains(/^\d{4}_[a-z_]+\.sql$/))
    }
  }
}
