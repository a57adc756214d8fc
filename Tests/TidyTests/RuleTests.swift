import Testing

private func file(_ text: String, at path: String = "Sources/ShiftStore/Team.swift") -> SourceFile {
  SourceFile(path: path, text: text)
}

/// Every rule gets cases that it must object to, and cases that it must accept.
@Suite("The house rules object") struct RuleTests {
  static let imports = ImportRule(
    manifest: """
      .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
      module("ShiftDomain"),
      module("ShiftStore", in: "Kits", "CZlib", "ShiftDomain", embedding: ["a.css"]),
      .executableTarget(name: "guardsim", dependencies: ["ShiftStore"], path: "Sources/guardsim"),
      """, system: "# of the system\nFoundation: ShiftStore")

  @Test(arguments: [
    ("import ShiftDomain", false), ("public import struct Foundation.Date", false),
    ("// import Glibc", false), ("let text = \"\"\"\n  import Glibc\n  \"\"\"", false),
    ("import Glibc", true), ("  @preconcurrency internal import Glibc", true),
    ("import func Glibc.write", true), ("@testable import ShiftRules", true),
  ]) func `to imports that are not allowed`(_ text: String, _ objects: Bool) {
    #expect(Self.imports.objections(to: file(text)).isEmpty != objects)
  }

  @Test func `to modules that are not listed and to imports from higher layers`() {
    #expect(Self.imports.objections(to: file("", at: "Sources/New/A.swift")).count == 1)
    #expect(Self.imports.objectionsToOrder().isEmpty)
    let cycle = #"module("A", "B"), module("B", "A")"#
    #expect(ImportRule(manifest: cycle).objectionsToOrder().count == 1)
    #expect(ImportRule(manifest: #"module("A", "A")"#).objectionsToOrder().count == 1)
  }

  @Test func `to dependencies that no file imports`() {
    #expect(
      Self.imports.allowed == [
        "CZlib": [], "ShiftDomain": [], "ShiftStore": ["CZlib", "ShiftDomain", "Foundation"],
        "guardsim": ["ShiftStore"],
      ])
    let files = [
      file("import CZlib\nimport Foundation"),
      file("import ShiftStore", at: "Sources/guardsim/A.swift"),
    ]
    #expect(
      Self.imports.objectionsToUnused(files).map(\.message) == [
        "ShiftStore never imports ShiftDomain"
      ])
  }

  @Test(arguments: [
    ("let a = try! b()", true), ("let a = b as! C", true), ("fatalError(\"x\")", true),
    ("// TODO: later", true), ("let a = 1  // FIXME", true), ("print(1)", true),
    ("Task { await a() }", true), ("Task.detached { a() }", true),
    ("Task(priority: .low) {}", true),
    ("unsafe a()", true), ("nonisolated(unsafe) var a = 1", true), ("SQL(unescaped: a)", true),
    ("class A: @unchecked Sendable {}", true), ("\"\\(try! b())\"", true),
    ("let a = try b()", false), ("guard try !b() else { return }", false), ("a != b as? C", false),
    ("\"fatalError(\"", false),
    ("// unsafe and print( are words here", false), ("func `try!`() {}", false),
    ("try await Task.sleep(for: .seconds(1))", false), ("struct A: Task {}", true),
    ("// SAFETY: never changes\nclass A: @unchecked Sendable {}", false),
    ("SQL(\"SELECT 1\")", false), ("#\"\"a\" print(\"#", false),
    ("/* print(1) /* */ try! */", false),
  ]) func `to leftovers`(_ text: String, _ objects: Bool) {
    #expect(LeftoverRule.objections(to: file(text)).isEmpty != objects)
  }

  @Test func `to files about many subjects, and types with many methods`() {
    let two = "import PeopleOperations\nimport ReviewOperations\n"
    let path = "Sources/WebPages/A.swift"
    #expect(SubjectRule.objections(to: file(two + "operations.people.a()", at: path)).isEmpty)
    for third in ["import InsightOperations", "a = await operations.insight.b()"] {
      #expect(SubjectRule.objections(to: file(two + third, at: path)).count == 1)
      #expect(SubjectRule.objections(to: file(two + third, at: "Sources/guardd/A.swift")).isEmpty)
    }
    let type = """
      package struct PeopleOperations: Sendable {
        func a() {
          func inner() {}
        }
      }
      extension PeopleOperations {
        package static func b() {}
        private func c() {}
      }
      extension Team {
        func d() {}
      }
      """
    let place = "Sources/PeopleOperations/A.swift"
    #expect(SubjectRule.methods(in: [file(type, at: place)]) == ["PeopleOperations": 3])
  }

  @Test func `to leftovers only where they do not belong`() {
    let places = [
      ("unsafe a()", "Sources/Postgres/A.swift"), ("Task { }", "Sources/Lifecycle/A.swift"),
      ("print(1)", "Sources/guardctl/A.swift"),
      ("SQL(unescaped: a)", "Sources/ShiftStore/MigrationRunner.swift"),
    ]
    for (text, path) in places {
      #expect(LeftoverRule.objections(to: file(text, at: path)).isEmpty)
    }
    #expect(LeftoverRule.objections(to: file("", at: "Sources/A/TeamHelper.swift")).count == 1)
  }

  @Test func `to files, functions and lines that are too long`() {
    let long = String(repeating: "  work()\n", count: 49)
    #expect(SizeRule.objections(to: file("func a() {\n\(long)}\n")).count == 1)
    #expect(SizeRule.objections(to: file("func a(\n  b: Int\n) {\n\(long)}\n")).count == 1)
    #expect(SizeRule.objections(to: file("func a() {\n\(long.dropLast(9))}\n")).isEmpty)
    #expect(SizeRule.objections(to: file("protocol A {\n  func a()\n}\n" + long)).isEmpty)
    let inner = "struct A {\n  init() {\n    b { c in\n\(long)    }\n  }\n}\n"
    #expect(SizeRule.objections(to: file(inner)).map(\.line) == [2])
    #expect(SizeRule.objections(to: file(String(repeating: "x", count: 101))).count == 1)
    #expect(SizeRule.objections(to: file(String(repeating: "é", count: 100))).isEmpty)
    #expect(SizeRule.objections(to: file(String(repeating: "\n", count: 401))).count == 1)
    #expect(SizeRule.objections(to: file(String(repeating: "\n", count: 400))).isEmpty)
  }

  @Test func `to marks that name no requirement`() {
    let rows = RequirementRule.rows(of: "| id | must |\n|---|---|\n| A8 | block |\n| W10 | x |\n")
    #expect(rows == ["A8", "W10"])
    let marked = file("@Test func a() {}  // R: A8 (all but X9), R: W10 X1\n# R: M\n// Read me: A9")
    #expect(
      RequirementRule.objections(to: marked, rows: Set(rows)).map(\.message)
        == ["no requirement is called `X1`", "no requirement is called `M`"])
  }

  @Test func `to files in the wrong place`() {
    #expect(LayoutRule.objections(toTopLevel: ["Sources", ".ci", "notes.txt"]).count == 1)
    let manifest = "module(\"A\", \"B\"),\n  module(\n    \"C\"),\n  .target(\n    name: \"D\""
    let paths = [
      "Sources/A/a.swift", "Sources/C/c.h", "Sources/D/d.swift", "Sources/Tools/A/a.swift",
    ]
    #expect(LayoutRule.objections(toSources: paths, manifest: manifest).isEmpty)
    #expect(
      LayoutRule.objections(
        toSources: ["Sources/B/b.swift", "Sources/b.swift", "Sources/Tools/a.swift"],
        manifest: manifest
      )
      .count == 3)
  }

  @Test func `blanked strings and comments keep their lines`() {
    let text =
      "a /* b\nc */ d \"e \\(f(\"g\")) h\" // i\n#\"j\\(k)\\#(l)\"# `m`\n\"\"\"\nn\n\"\"\"o"
    let code = codeOnly(text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(code.map { $0.filter { $0 != " " } } == ["a", "d(f())", "(l)", "", "", "o"])
  }
}
