struct MigrationStatement: Hashable, Sendable {
  /// Its text, without the semicolon and the comments before it.
  var text: String
  var line: Int
}

/// The statements of a migration's text, separated as `psql` separates them: by semicolons outside
/// of quotes, dollar quotes, comments and parentheses. A routine with a body in `BEGIN ATOMIC` must
/// be written with dollar quotes instead. After an unclosed quote the rest is one statement.
struct MigrationStatements: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() -> MigrationStatement? {
    var start: (place: Int, line: Int)?
    var (end, depth) = (0, 0)
    while place < bytes.count {
      if skipBlank() { continue }
      if bytes[place] == UInt8(ascii: ";"), depth == 0 {
        move(by: 1)
        if start != nil { break }
        continue
      }
      if start == nil { start = (place, line) }
      if bytes[place] == UInt8(ascii: "(") { depth += 1 }
      if bytes[place] == UInt8(ascii: ")") { depth = Swift.max(depth - 1, 0) }
      skipToken()
      end = place
    }
    return start.map {
      MigrationStatement(
        text: String(decoding: bytes[$0.place..<end], as: UTF8.self), line: $0.line)
    }
  }

  private mutating func skipBlank() -> Bool {
    if Self.isSpace(bytes[place]) {
      move(by: 1)
    } else if follows("--") {
      move(to: bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
    } else if follows("/*") {
      skipBlockComment()
    } else {
      return false
    }
    return true
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if follows("/*") {
        depth += 1
        move(by: 2)
      } else if follows("*/") {
        depth -= 1
        move(by: 2)
      } else {
        move(by: 1)
      }
    } while depth > 0 && place < bytes.count
  }

  private mutating func skipToken() {
    let first = bytes[place]
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      skipQuoted(by: first, hasEscapes: false)
    } else if first == UInt8(ascii: "$"), let delimiter = dollarQuote() {
      move(by: delimiter.count)
      while place < bytes.count, !bytes[place...].starts(with: delimiter) { move(by: 1) }
      move(by: delimiter.count)
    } else if Self.isWordPart(first) {
      let start = place
      // A dollar sign inside of a name begins no quote.
      while place < bytes.count,
        Self.isWordPart(bytes[place]) || bytes[place] == UInt8(ascii: "$")
      {
        move(by: 1)
      }
      let isEscape = place == start + 1 && (first | 0x20) == UInt8(ascii: "e")
      if isEscape, follows("'") { skipQuoted(by: UInt8(ascii: "'"), hasEscapes: true) }
    } else {
      move(by: 1)
    }
  }

  /// Skips a text in quotes. A doubled quote belongs to it.
  private mutating func skipQuoted(by quote: UInt8, hasEscapes: Bool) {
    move(by: 1)
    while place < bytes.count {
      if hasEscapes, bytes[place] == UInt8(ascii: "\\") {
        move(by: 2)
      } else if bytes[place] != quote {
        move(by: 1)
      } else {
        move(by: 1)
        guard place < bytes.count, bytes[place] == quote else { return }
        move(by: 1)
      }
    }
  }

  /// The delimiter that begins here, such as `$$` or `$body$`; `nil`: none, as in `$1`.
  private func dollarQuote() -> [UInt8]? {
    let tag = bytes[(place + 1)...].prefix { Self.isWordPart($0) }
    guard tag.endIndex < bytes.count, bytes[tag.endIndex] == UInt8(ascii: "$") else { return nil }
    if let first = tag.first, Self.digits.contains(first) { return nil }
    return Array(bytes[place...tag.endIndex])
  }

  private func follows(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func move(by count: Int) { move(to: Swift.min(place + count, bytes.count)) }

  private mutating func move(to end: Int) {
    for byte in bytes[place..<end] where byte == UInt8(ascii: "\n") { line += 1 }
    place = end
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func isSpace(_ byte: UInt8) -> Bool { " \n\t\r\u{0C}\u{0B}".utf8.contains(byte) }

  /// Whether it may be in a name; every byte of a character beyond ASCII may.
  private static func isWordPart(_ byte: UInt8) -> Bool {
    digits.contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
