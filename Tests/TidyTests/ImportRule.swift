/// Which module may import which, as `allowed-imports.txt` lists it.
struct ImportRule {
  /// In the file's order: lower layers first.
  private(set) var modules: [String] = []
  private(set) var allowed: [String: Set<String>] = [:]

  /// - Parameter list: Lines `module: import import …`; `#` begins a comment.
  init(list: String) {
    for line in list.split(separator: "\n") where !line.hasPrefix("#") {
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      modules.append(String(sides[0]))
      allowed[String(sides[0])] = Set(
        sides.dropFirst().joined().split(separator: " ").map(String.init))
    }
  }

  /// Modules that may import themselves or a module listed after them, which could make a cycle.
  func objectionsToList() -> [Objection] {
    modules.enumerated().flatMap { index, module in
      (allowed[module] ?? []).sorted().filter { modules[index...].contains($0) }.map {
        Objection(
          path: "allowed-imports.txt", line: 0, message: "\(module) imports upwards: \($0)")
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
        Objection(path: file.path, line: 0, message: "\(file.module) is not in allowed-imports.txt")
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
