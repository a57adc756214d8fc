import Foundation
import Testing

/// Checks the project against the house rules that no compiler checks.
@Suite("The project") struct ProjectTests {
  private static let imports = Result {
    ImportRule(
      manifest: try SourceTree.text("Package.swift"),
      system: try SourceTree.text("Tests/TidyTests/system-modules.txt"))
  }

  @Test func `imports only from lower layers, and depends on nothing that it does not import`()
    throws
  {
    let rule = try Self.imports.get()
    let files = try SourceTree.sources.get()
    #expect(files.count > 20, "the sources were not found")
    expectNone(rule.objectionsToOrder() + files.flatMap(rule.objections))
    expectNone(rule.objectionsToUnused(files))
  }

  @Test func `phones reach no use case of managers, the command line no server`() throws {
    let rule = try Self.imports.get()
    #expect(rule.reach(of: "DeviceAPI").isSuperset(of: ["APIJSON", "DeviceOperations", "Glibc"]))
    let managers =
      ["ManagerAccess", "ManagerCore", "ManagerOperations"] + SubjectRule.subjects.keys
    for module in ["DeviceAPI", "EmployeePage"] {
      #expect(rule.reach(of: module).isDisjoint(with: managers), "\(module)")
    }
    #expect(rule.reach(of: "guardctl").isDisjoint(with: ["CLibevent", "HTTPServing"]))
    // It is pure: values in, values out.
    #expect(rule.reach(of: "APIJSON").isDisjoint(with: ["Postgres", "OperationCore", "Lifecycle"]))
  }

  @Test func `use cases of managers are cut by subject`() throws {
    let files = try SourceTree.sources.get()
    expectNone(files.flatMap(SubjectRule.objections))
    let methods = SubjectRule.methods(in: files)
    #expect(Set(methods.keys) == Set(SubjectRule.subjects.keys))
    for (type, count) in methods {
      #expect((10...SubjectRule.methodsMax).contains(count), "\(type): \(count) methods")
    }
  }

  @Test func `files, functions and lines are short`() throws {
    let files = try SourceTree.sources.get() + SourceTree.tests.get()
    expectNone(files.flatMap(SizeRule.objections))
  }

  @Test func `the package names the systems of Apple, and warnings are no errors for others`()
    throws
  {
    let manifest = try SourceTree.text("Package.swift")
    #expect(manifest.contains("platforms: [.iOS(.v17), .macOS(.v15)]"))
    let strict =
      #"Context.environment["SHIFTGUARD_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]"#
    #expect(manifest.contains(strict) && manifest.components(separatedBy: "treatAll").count == 2)
    let fast = """
      Context.environment["SHIFTGUARD_STRICT"] == nil
        ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]
      """
    #expect(manifest.contains(fast) && manifest.components(separatedBy: "unsafeFlags").count == 2)
  }

  @Test func `the client library asks before it uses what only new systems of Apple have`() throws {
    let modules = ["GuardClient", "GuardRules", "JSONText", "ShiftDomain", "SystemCalls"]
    let users = try SourceTree.sources.get().filter { file in
      modules.contains { file.path.hasPrefix("Sources/\($0)/") }
        && file.lines.contains { $0.contains("utf8Span") }
    }
    #expect(users.map(\.path) == ["Sources/ShiftDomain/String+UTF8.swift"])
    let asking = "#available(macOS 26, iOS 26, *)"
    #expect(users.allSatisfy { $0.lines.contains { $0.contains(asking) } })
  }

  @Test func `nothing is left over`() throws {
    expectNone(try SourceTree.sources.get().flatMap(LeftoverRule.objections))
  }

  @Test func `an answer that may be a refusal is known as one, and is rolled back`() throws {
    for file in try SourceTree.sources.get() {
      let count = { (text: String) in file.lines.count { $0.contains(text) } }
      let answers = count("func get() throws(Refusal) -> ") + count("func get() throws(Refusal) {")
      guard answers > 0, !file.path.hasSuffix("RefusableAnswer.swift") else { continue }
      #expect(count(", RefusableAnswer {") == answers, "\(file.path)")
    }
  }

  @Test func `every file is where it belongs`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
    let manifest = try SourceTree.text("Package.swift")
    expectNone(
      LayoutRule.objections(toTopLevel: names)
        + LayoutRule.objections(toSources: SourceTree.paths(below: "Sources"), manifest: manifest))
  }

  @Test func `every requirement has a proof, and every mark a requirement`() throws {
    let rows = RequirementRule.rows(of: try SourceTree.text("Tests/TidyTests/requirements.md"))
    let proofs = (SourceTree.paths(below: "Tests") + SourceTree.paths(below: "deploy"))
      // Examples, in this suite and in documents, prove nothing.
      .filter { !$0.hasPrefix("Tests/TidyTests/") && !$0.hasSuffix(".md") }
      .compactMap { path in (try? SourceTree.text(path)).map { SourceFile(path: path, text: $0) } }
    expectNone(proofs.flatMap { RequirementRule.objections(to: $0, rows: Set(rows)) })
    let proven = Set(proofs.flatMap(\.lines).flatMap(RequirementRule.marks))
    let open = rows.filter { !proven.contains($0) }
    #expect(open.isEmpty, "without a proof: \(open.joined(separator: " "))")
    #expect(rows.count > 30, "the requirements were not found")
    #expect(Set(rows).count == rows.count, "two requirements share an id")
  }

  @Test func `scripts build with the same options, and drills the programs that are given`() throws
  {
    for path in SourceTree.paths(below: "deploy") where !path.contains("/docs/") {
      guard let text = try? SourceTree.text(path) else { continue }
      // With a terminal and without one, other options would compile everything again.
      for line in text.split(separator: "\n") where line.contains(/\bswift (build|test)\b/) {
        let compilesNothing = line.contains(/^ *#|--skip-build|--show-bin-path/)
        #expect(compilesNothing || line.contains("--no-color-diagnostics"), "\(path): \(line)")
      }
      let isDrill = path.hasPrefix("deploy/drills/") && !path.contains(".")
      #expect(!isDrill || text.contains(/\b(use|find)_programs\b/), "\(path)")
    }
  }

  /// Two who read the same highest number give the next one twice, unless a lock keeps one waiting.
  @Test func `the next number after the highest is given only where a lock is held`() throws {
    let known = [
      // After `holdNumbers`.
      "AccountQueries": 1, "CredentialQueries": 1, "EmployeeQueries": 4,
      // While the employee or the notification's lease is held.
      "NotificationQueries": 7, "InboxQueries": 1,
      // Only read.
      "DeliveryAttemptQueries": 1, "DeviceQueries": 1, "LiveQueries": 1,
    ]
    var found: [String: Int] = [:]
    for file in try SourceTree.sources.get() {
      let text = file.lines.joined(separator: "\n")
      let count = text.matches(of: /\bmax\(([a-z_.]*_(id|no)|number|subject|ordinal)\)/).count
      if count > 0 { found[String(file.name.dropLast(".swift".count))] = count }
    }
    #expect(found == known)
  }

  func expectNone(_ objections: [Objection], at location: SourceLocation = #_sourceLocation) {
    for objection in objections {
      Issue.record(Comment(rawValue: "\(objection)"), sourceLocation: location)
    }
  }
}
