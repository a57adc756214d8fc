import Testing

/// Plays the recipes of `CONTRIBUTING.md` with something that is there already: who added it would
/// have had to change each file that a recipe names, and no other.
@Suite("The recipes of CONTRIBUTING") struct RecipeTests {
  private static let recipes = Result {
    Recipe.all(in: try SourceTree.text("deploy/docs/CONTRIBUTING.md"))
  }
  private static let paths =
    ["Sources", "Tests", "db", "deploy"].flatMap(SourceTree.paths)
    + ["openapi.yaml", "Package.swift"]

  @Test func `name files and folders that exist`() throws {
    let recipes = try Self.recipes.get()
    #expect(recipes.count > 12)
    for recipe in recipes {
      for place in recipe.places {
        #expect(
          !Recipe.paths(place, among: Self.paths).isEmpty, "\(recipe.name): no file is \(place)")
      }
    }
  }

  /// - Parameters:
  ///   - example: The case that stands for it in the product.
  ///   - placesMax: How many files there are to touch; a folder of new ones counts as one.
  @Test(arguments: [
    ("A language", "german", 6), ("A policy preset", "strict", 6), ("A channel", "webhook", 9),
    ("A protocol of an existing phone app", "overland", 5),
  ])
  func `name each file to touch, and no other`(
    _ name: String, _ example: String, _ placesMax: Int
  ) throws {
    let recipe = try #require(try Self.recipes.get().first { $0.name == name })
    let places = Set(recipe.places).filter { place in
      Recipe.paths(place, among: Self.paths).contains { !$0.hasPrefix("Tests/") }
    }
    for place in places {
      let mentions = try Recipe.paths(place, among: Self.paths).contains {
        try SourceTree.text($0).lowercased().contains(example)
      }
      #expect(mentions, "\(name) names \(place), where \(example) is not")
    }
    #expect(places.count <= placesMax, "\(places.sorted())")
    let named = Set(places.flatMap { Recipe.paths($0, among: Self.paths) })
    let mention = try Regex("case \\.?\(example)\\b")
    let listing = try SourceTree.sources.get().filter { file in
      file.code.contains { $0.contains(mention) }
    }
    #expect(!listing.isEmpty)
    for file in listing { #expect(named.contains(file.path), "\(name) forgets \(file.path)") }
  }
}
