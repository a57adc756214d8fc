/// The use cases of managers are cut by subject: a module each, with one type of the same name. A
/// file above them that needs more than two subjects is about too much, or should be a reading of
/// one of them.
enum SubjectRule {
  /// How `ManagerOperations` calls each.
  static let subjects = [
    "PeopleOperations": "people", "PolicyOperations": "policies", "ReviewOperations": "reviews",
    "InsightOperations": "insight", "NotificationOperations": "notifications",
    "InstallationOperations": "installation",
  ]
  static let subjectsMax = 2
  static let methodsMax = 40
  /// Modules that put everything together.
  static let wiring: Set = ["ManagerOperations", "ShiftTestKit", "guardd"]

  static func objections(to file: SourceFile) -> [Objection] {
    guard subjects[file.module] == nil, !wiring.contains(file.module) else { return [] }
    let used = subjects.filter { module, name in
      file.code.contains { line in
        importedModule(line) == module || line.contains("operations.\(name).")
      }
    }
    guard used.count > subjectsMax else { return [] }
    return [
      Objection(
        path: file.path, line: 0, message: "uses \(used.keys.sorted().joined(separator: ", "))")
    ]
  }

  /// How many methods the types of the subjects have, over all files.
  static func methods(in files: [SourceFile]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for file in files where subjects[file.module] != nil {
      var isInside = false
      for line in file.code {
        if line.hasPrefix("}") { isInside = false }
        let words = words(line)
        if !line.hasPrefix(" "), words.last == "{" {
          isInside =
            words.contains { $0 == "extension" || $0 == "struct" }
            && words.contains { $0 == file.module }
        }
        if isInside, line.hasPrefix("  "), !line.hasPrefix("   "), words.contains("func") {
          counts[file.module, default: 0] += 1
        }
      }
    }
    return counts
  }
}
