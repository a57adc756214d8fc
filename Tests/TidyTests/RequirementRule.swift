/// Which test proves which requirement: rows of `requirements.md`, marks `// R: A8, W2` in tests
/// and `# R: A8` in scripts.
enum RequirementRule {
  /// The ids of a document's table rows, in order.
  static func rows(of document: String) -> [String] {
    document.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
      guard line.hasPrefix("|"), let id = cells.first, isID(id) else { return nil }
      return id
    }
  }

  /// The ids that a line claims to prove, with or without the sign before each; empty if none. Text
  /// in parentheses is a remark.
  static func marks(in line: String) -> [String] {
    for sign in ["// R: ", "# R: "] {
      if let place = line.range(of: sign) {
        return withoutRemarks(line[place.upperBound...])
          .split(whereSeparator: { ", ".contains($0) })
          .map(String.init).filter { $0 != "R:" }
      }
    }
    return []
  }

  /// The marks of a file that name no row.
  static func objections(to file: SourceFile, rows: Set<String>) -> [Objection] {
    file.lines.enumerated().flatMap { index, line in
      marks(in: line).filter { !rows.contains($0) }.map {
        Objection(path: file.path, line: index + 1, message: "no requirement is called `\($0)`")
      }
    }
  }

  private static func withoutRemarks(_ text: Substring) -> String {
    var open = 0
    return text.filter { character in
      if character == "(" { open += 1 }
      defer { if character == ")" { open -= 1 } }
      return open <= 0
    }
  }

  private static func isID(_ text: String) -> Bool {
    guard let first = text.first, first.isUppercase, text.count > 1 else { return false }
    return text.dropFirst().allSatisfy(\.isNumber)
  }
}
