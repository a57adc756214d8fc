import Testing

@Suite("The words of the project") struct WordTests {
  @Test func `are those of the field`() throws {
    let files = try SourceTree.sources.get() + SourceTree.tests.get()
    let own = ["Tests/TidyTests/WordRule.swift", "Tests/TidyTests/WordTests.swift"]
    for objection in files.filter({ !own.contains($0.path) }).flatMap(WordRule.objections) {
      Issue.record("\(objection)")
    }
  }

  @Test(arguments: [
    ("let ladder = 1", true), ("func ring(doorBells: Int) {}", true), ("struct RungState {}", true),
    ("// It climbs a rung.", true), ("  /// Computed anew.", true), ("print(\"\\(aWish)\")", true),
    ("let amended = earlier", false), ("\"the rung of SQL\"", false), ("// Never appears.", false),
  ]) func `are checked in names and comments`(_ text: String, _ objects: Bool) {
    let file = SourceFile(path: "Sources/ShiftStore/A.swift", text: text)
    #expect(WordRule.objections(to: file).isEmpty != objects)
  }
}
