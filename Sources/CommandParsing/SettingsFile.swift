/// A file of settings: lines of the form `name = value`. Empty lines and lines that begin with `#`
/// are skipped. A value goes to the end of its line; nothing in it is special.
package struct SettingsFile: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var value: String
    /// Counted from 1.
    package var line: Int
  }

  package private(set) var entries: [String: Entry] = [:]
  /// What is wrong with single lines, each with its number.
  package private(set) var faults: [String] = []

  /// - Parameter path: For the messages.
  package init(_ text: String, path: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      do throws(LineFault) {
        try read(line, number: index + 1)
      } catch {
        faults.append("\(path):\(index + 1): \(error.text)")
      }
    }
  }

  private struct LineFault: Error { var text: String }

  private mutating func read(_ line: Substring, number: Int) throws(LineFault) {
    guard let sign = line.firstIndex(of: "=") else {
      throw LineFault(text: "this line is not `name = value`")
    }
    let name = String(trimmed(line[..<sign]))
    let value = String(trimmed(line[line.index(after: sign)...]))
    if name.isEmpty { throw LineFault(text: "the name of the setting is missing") }
    if value.isEmpty { throw LineFault(text: "`\(name)` has no value") }
    if let first = entries[name] {
      throw LineFault(text: "`\(name)` was already set in line \(first.line)")
    }
    entries[name] = Entry(value: value, line: number)
  }
}

private func trimmed(_ text: Substring) -> Substring {
  let isBlank = { (character: Character) in character.isWhitespace }
  let begin = text.drop(while: isBlank)
  guard let last = begin.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return begin[...last]
}
