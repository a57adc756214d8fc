import Foundation
import TestPrograms
import Testing

@testable import ShiftStore

@Suite("The statements of a migration") struct MigrationStatementTests {
  private static let folder = projectFolder.appending(path: "db/migrations")

  private func texts(_ text: String) -> [String] { MigrationStatements(text).map(\.text) }

  @Test("are separated by semicolons, and have line numbers") func lines() {
    let text = "-- Why: é.\n\nSELECT 1;\n  SELECT\n  '\n';; -- end\n/* a\n*/ SELECT 3 -- last\n"
    #expect(
      Array(MigrationStatements(text)) == [
        MigrationStatement(text: "SELECT 1", line: 3),
        MigrationStatement(text: "SELECT\n  '\n'", line: 4),
        MigrationStatement(text: "SELECT 3", line: 8),
      ])
  }

  @Test(
    "are not separated inside quotes, comments or parentheses",
    arguments: [
      "SELECT ';', 'it''s;', '\\'", "SELECT E'\\';', e'a''\\';'", "SELECT \";\", \"a\"\";\"",
      "SELECT $$;$$, $a$ $$;$b$; $a$", "SELECT 1 -- ;'\n+ 1", "SELECT 1 /* ; /* ' */ ; */ + 1",
      "CREATE RULE a AS ON UPDATE TO b DO (SELECT 1; SELECT (2); SELECT 3)",
      "SELECT $é$;$é$", "SELECT 'E'", "SELECT type'\\'",
    ])
  func whole(text: String) {
    #expect(texts(text) == [text])
    #expect(texts("\(text);SELECT 2;") == [text, "SELECT 2"])
  }

  @Test("are separated after dollar signs that begin no quote") func dollars() {
    #expect(texts("SELECT a$b$; SELECT c$b$") == ["SELECT a$b$", "SELECT c$b$"])
    #expect(texts("SELECT $1; SELECT $2") == ["SELECT $1", "SELECT $2"])
    #expect(texts("SELECT $1$; SELECT $1$") == ["SELECT $1$", "SELECT $1$"])
    #expect(texts("SELECT $; SELECT 1 $") == ["SELECT $", "SELECT 1 $"])
  }

  @Test(
    "reach to the end if a quote or comment is not closed",
    arguments: ["'a;", "\"a;", "$$a;", "$a$;$$", "(a;", "E'\\", "E'a\\';"])
  func unclosed(text: String) {
    #expect(texts("SELECT 1; SELECT \(text) b; c") == ["SELECT 1", "SELECT \(text) b; c"])
  }

  @Test(
    "are absent from empty text", arguments: ["", " \r\n\t", ";;", "-- a", "/* a", "/* ; */;\n"])
  func empty(text: String) {
    #expect(texts(text).isEmpty)
  }

  @Test("are complete in every file of the project") func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    for name in names where name.hasSuffix(".sql") {
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      let statements = texts(text)
      #expect(!statements.isEmpty)
      for statement in statements {
        let isCommand = [
          "CREATE ", "SELECT ", "ALTER ", "DROP ", "INSERT ", "UPDATE ", "DELETE ", "REVOKE ",
        ].contains { statement.hasPrefix($0) }
        #expect(isCommand, "\(name): \(statement)")
      }
    }
  }
}
