/// Code that must not stay in `Sources`, or only in certain places.
enum LeftoverRule {
  /// Modules that may use pointers.
  static let wrappers: Set<String> = [
    "Cryptography", "GzipEncoding", "HTTPSending", "HTTPServing", "Lifecycle", "Postgres",
    "QREncoding", "SystemCalls", "TestKit", "TestPrograms",
  ]
  static let programs: Set<String> = [
    "guardctl", "guardd", "guardphone", "guardsim", "TestPrograms",
  ]
  static let taskStarters: Set<String> = ["HTTPServing", "IngestPipeline", "Lifecycle"]
  /// Files whose paths begin like this may turn text into SQL without binding.
  static let rawSQL = [
    "Sources/Postgres/SQL", "Sources/ShiftStore/Migration", "Sources/TestKits/TestKit/",
  ]

  static func objections(to file: SourceFile) -> [Objection] {
    var found: [Objection] = []
    let stem = file.name.split(separator: ".").first ?? ""
    for ending in ["Manager", "Managers", "Helper", "Helpers", "Util", "Utils", "Common"]
    where stem.hasSuffix(ending) {
      found.append(Objection(path: file.path, line: 0, message: "the name is too general"))
    }
    for index in file.lines.indices {
      found += messages(file, index).map {
        Objection(path: file.path, line: index + 1, message: $0)
      }
    }
    return found
  }

  private static func messages(_ file: SourceFile, _ index: Int) -> [String] {
    let words = words(file.code[index])
    var found: [String] = []
    // `try !a` is a negation; only without a space does it end the process.
    for banned in ["try", "as"]
    where has(words, [banned, "!"]) && file.code[index].contains("\(banned)!") {
      found.append("`\(banned)!` ends the process")
    }
    if has(words, ["fatalError", "("]) { found.append("`fatalError` ends the process") }
    for leftover in ["TODO", "FIXME"] where file.lines[index].contains(leftover) {
      found.append("`\(leftover)` is left over")
    }
    if words.contains("unsafe"), !wrappers.contains(file.module) {
      found.append("`unsafe` outside the wrappers")
    }
    if has(words, ["print", "("]), !programs.contains(file.module) {
      found.append("`print` outside the programs")
    }
    if [["Task", "{"], ["Task", "."], ["Task", "("]].contains(where: { has(words, $0) }),
      !has(words, ["Task", ".", "sleep"]), !has(words, ["Task", ".", "isCancelled"]),
      !has(words, ["Task", ".", "checkCancellation"]), !has(words, ["Task", ".", "yield"]),
      !taskStarters.contains(file.module)
    {
      found.append("an unstructured task")
    }
    if has(words, ["SQL", "(", "unescaped"]), !rawSQL.contains(where: file.path.hasPrefix) {
      found.append("SQL that is not bound")
    }
    if has(words, ["@", "unchecked", "Sendable"]), !isJustified(file, index) {
      found.append("`@unchecked Sendable` without a `// SAFETY:` line near it")
    }
    return found
  }

  private static func has(_ words: [Substring], _ wanted: [String]) -> Bool {
    guard words.count >= wanted.count else { return false }
    return (0...words.count - wanted.count).contains { start in
      zip(words[start...], wanted).allSatisfy { $0 == $1 }
    }
  }

  private static func isJustified(_ file: SourceFile, _ index: Int) -> Bool {
    file.lines[max(0, index - 5)..<min(file.lines.count, index + 6)].contains {
      $0.contains("// SAFETY:")
    }
  }
}
