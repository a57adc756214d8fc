/// Where files may be.
enum LayoutRule {
  static let topLevel: Set<String> = [
    "Package.swift", "README.md", "Sources", "Tests", "db", "deploy", "openapi.yaml",
  ]

  /// - Parameter names: The names at the top level; hidden files are ignored.
  static func objections(toTopLevel names: [String]) -> [Objection] {
    names.filter { !$0.hasPrefix(".") && !topLevel.contains($0) }.sorted().map {
      Objection(path: $0, line: 0, message: "does not belong at the top level")
    }
  }

  /// Files below `Sources` that no target of the manifest would build.
  static func objections(toSources paths: [String], manifest: String) -> [Objection] {
    let manifest = manifest.filter { !$0.isWhitespace }
    return paths.compactMap { path in
      let module = moduleName(ofPath: path)
      let isBuilt = ["module(\"", "program(\"", "name:\""].contains { start in
        module.map { manifest.contains("\(start)\($0)\"") } ?? false
      }
      return isBuilt ? nil : Objection(path: path, line: 0, message: "belongs to no target")
    }
  }
}
