import Testing

@Suite("The words of the project") struct WordTests {
  @Test func `are those of the field`() throws {
    // The rule itself, and the names of the past.
    let exempt = [
      "Tests/TidyTests/WordRule.swift", "Tests/TidyTests/WordTests.swift",
      "deploy/docs/CHANGELOG.md",
    ]
    let kinds: Set = ["swift", "md", "yaml", "sql", "py", "js", "css", "txt", "sh", "service", ""]
    let paths =
      ["Sources", "Tests", "db", "deploy"].flatMap(SourceTree.paths)
      + ["README.md", "openapi.yaml", "Package.swift"]
    for path in paths where kinds.contains(fileExtension(path)) && !exempt.contains(path) {
      guard let text = try? SourceTree.text(path) else { continue }
      for objection in WordRule.objections(to: text, path: path) { Issue.record("\(objection)") }
    }
  }

  private func fileExtension(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return name.split(separator: ".").count > 1 ? String(name.split(separator: ".").last ?? "") : ""
  }

  @Test(arguments: [
    ("let ladder = 1", true), ("func ring(doorBells: Int) {}", true), ("struct RungState {}", true),
    ("// It climbs a rung.", true), ("  /// Computed anew.", true), ("print(\"\\(aWish)\")", true),
    ("let amended = earlier", false), ("\"the rung of SQL\"", true), ("// Never appears.", false),
  ]) func `are checked in names and comments`(_ text: String, _ objects: Bool) {
    #expect(WordRule.objections(to: text, path: "README.md").isEmpty != objects)
  }
}
