/// Which module may import which: the targets in `Package.swift`, and the modules of the system in
/// `system-modules.txt`.
struct ImportRule {
  /// In the manifest's order: lower layers first.
  private(set) var modules: [String] = []
  private(set) var allowed: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - manifest: The text of `Package.swift`.
  ///   - system: Lines `module: ours ours …`; `#` begins a comment.
  init(manifest: String, system: String = "") {
    for target in Self.targets(in: manifest) {
      modules.append(target.name)
      allowed[target.name] = Set(target.dependencies)
    }
    for line in system.split(separator: "\n") where !line.hasPrefix("#") {
      let sides = line.split(separator: ":", maxSplits: 1)
      for module in sides.dropFirst().joined().split(separator: " ") {
        allowed[String(module), default: []].insert(String(sides[0]))
      }
    }
  }

  /// The modules that are no tests, each with the modules that it depends on.
  private static func targets(in manifest: String) -> [(name: String, dependencies: [String])] {
    let start = manifest.range(of: "targets: [\n")?.upperBound ?? manifest.startIndex
    let target = /(?:module|program|\.executableTarget|\.target|\.systemLibrary)\(/
    return manifest[start...].matches(of: target).compactMap { match in
      let call = callText(manifest[match.range.upperBound...])
      // What is named behind a label is a folder, a file or a setting, but not these two.
      let names = call.replacing(/(?:name|dependencies):\s/, with: "").replacing(
        /\w+: (?:"[^"]*"|\[[^\]]*\])/, with: "")
      let literals = names.matches(of: /"([^"]*)"/).map { String($0.output.1) }
      return literals.first.map { ($0, Array(literals.dropFirst())) }
    }
  }

  /// `text` up to the parenthesis that closes the call in which it begins.
  private static func callText(_ text: Substring) -> String {
    var depth = 1
    return String(
      text.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      })
  }

  /// Modules that depend on themselves or on a module listed after them, which could make a cycle.
  func objectionsToOrder() -> [Objection] {
    modules.enumerated().flatMap { index, module in
      (allowed[module] ?? []).sorted().filter { modules[index...].contains($0) }.map {
        Objection(path: "Package.swift", line: 0, message: "\(module) imports upwards: \($0)")
      }
    }
  }

  /// What a module may import and none of its `files` does.
  func objectionsToUnused(_ files: [SourceFile]) -> [Objection] {
    var unused = allowed
    for file in files {
      unused[file.module]?.subtract(file.code.compactMap(importedModule))
    }
    return modules.flatMap { module in
      (unused[module] ?? []).sorted().map {
        Objection(path: "Package.swift", line: 0, message: "\(module) never imports \($0)")
      }
    }
  }

  /// Everything that `module` imports, directly and through others.
  func reach(of module: String) -> Set<String> {
    var reached: Set<String> = []
    var next = [module]
    while let module = next.popLast() {
      next += (allowed[module] ?? []).subtracting(reached)
      reached.formUnion(allowed[module] ?? [])
    }
    return reached
  }

  func objections(to file: SourceFile) -> [Objection] {
    guard let allowed = allowed[file.module] else {
      return [
        Objection(path: file.path, line: 0, message: "\(file.module) is not in Package.swift")
      ]
    }
    return file.code.enumerated().compactMap { index, line in
      guard let imported = importedModule(line), !allowed.contains(imported) else { return nil }
      return Objection(
        path: file.path, line: index + 1, message: "\(file.module) may not import \(imported)")
    }
  }
}

/// The module that a line imports, or `nil`.
func importedModule(_ line: String) -> String? {
  let words = words(line)
  let before = ["public", "package", "internal", "private", "fileprivate", "@"]
  guard let place = words.firstIndex(of: "import") else { return nil }
  let attributes: Set<Substring> = ["testable", "preconcurrency", "_exported", "unsafe"]
  guard words[..<place].allSatisfy({ before.contains(String($0)) || attributes.contains($0) })
  else { return nil }
  let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
  return words[(place + 1)...].first { !kinds.contains($0) }.map(String.init)
}
