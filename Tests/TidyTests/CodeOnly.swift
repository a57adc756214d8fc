/// Swift source with comments and the contents of strings and backticks replaced by blanks, line
/// for line, so that a search finds code only. Code inside `\(…)` stays.
func codeOnly(_ text: String) -> String {
  var scanner = CodeScanner(text)
  return scanner.scan()
}

private struct CodeScanner {
  /// What the scanner is inside of; the innermost is last.
  private enum Place: Equatable {
    /// `\(…)`, with the number of open parentheses.
    case interpolation(open: Int)
    case string(pounds: Int, isMultiline: Bool)
    case comment(depth: Int)
  }

  // Bytes: the syntax that matters is ASCII, and characters take ten times as long.
  private let text: [UInt8]
  private var at = 0
  private var places: [Place] = []
  private var result: [UInt8] = []

  init(_ text: String) {
    self.text = Array(text.utf8)
    result.reserveCapacity(self.text.count)
  }

  mutating func scan() -> String {
    while at < text.count {
      switch places.last {
      case .string(let pounds, let isMultiline): scanString(pounds, isMultiline)
      case .comment(let depth): scanComment(depth)
      case .interpolation, nil: scanCode()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func sees(_ word: String) -> Bool {
    var place = at
    for byte in word.utf8 {
      guard place < text.count, text[place] == byte else { return false }
      place += 1
    }
    return true
  }

  private func isAt(_ character: Unicode.Scalar) -> Bool {
    at < text.count && text[at] == UInt8(ascii: character)
  }

  private mutating func keep() {
    result.append(text[at])
    at += 1
  }

  private mutating func blank(_ count: Int) {
    for byte in text[at..<min(at + count, text.count)] {
      result.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
    }
    at += count
  }

  private mutating func scanCode() {
    if sees("//") {
      while at < text.count, !isAt("\n") { blank(1) }
    } else if sees("/*") {
      places.append(.comment(depth: 1))
      blank(2)
    } else if isAt("`") {
      repeat { blank(1) } while at < text.count && !isAt("`") && !isAt("\n")
      if isAt("`") { blank(1) }
    } else if isAt("\"") || isAt("#") {
      openString()
    } else if case .interpolation(let open) = places.last, isAt("(") || isAt(")") {
      places.removeLast()
      let left = open + (isAt("(") ? 1 : -1)
      if left > 0 { places.append(.interpolation(open: left)) }
      keep()
    } else {
      keep()
    }
  }

  private mutating func openString() {
    var pounds = 0
    while at + pounds < text.count, text[at + pounds] == UInt8(ascii: "#") { pounds += 1 }
    let fence = String(repeating: "#", count: pounds)
    guard sees(fence + "\"") else { return keep() }
    let isMultiline = sees(fence + "\"\"\"")
    places.append(.string(pounds: pounds, isMultiline: isMultiline))
    blank(pounds + (isMultiline ? 3 : 1))
  }

  private mutating func scanString(_ pounds: Int, _ isMultiline: Bool) {
    let fence = String(repeating: "#", count: pounds)
    let end = (isMultiline ? "\"\"\"" : "\"") + fence
    if sees(end) {
      places.removeLast()
      blank(end.count)
    } else if sees("\\\(fence)(") {
      blank(pounds + 1)
      places.append(.interpolation(open: 1))
      keep()
    } else if isAt("\\"), pounds == 0 {
      blank(2)
    } else {
      blank(1)
    }
  }

  private mutating func scanComment(_ depth: Int) {
    guard sees("*/") || sees("/*") else { return blank(1) }
    places.removeLast()
    let left = depth + (sees("/*") ? 1 : -1)
    if left > 0 { places.append(.comment(depth: left)) }
    blank(2)
  }
}

/// The words of a line of code: identifiers, keywords, and every other character by itself.
func words(_ line: String) -> [Substring] {
  var found: [Substring] = []
  var rest = line[...]
  while let first = rest.first {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    if !word.isEmpty {
      found.append(word)
      rest = rest.dropFirst(word.count)
    } else {
      if !first.isWhitespace { found.append(rest.prefix(1)) }
      rest = rest.dropFirst()
    }
  }
  return found
}
