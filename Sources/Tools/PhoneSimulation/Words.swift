import ShiftDomain

/// The words of a line, read from the left.
struct Words {
  let line: Int
  private var rest: ArraySlice<Word>

  /// A word as written, and with variables replaced.
  private struct Word {
    var written: String
    var meant: String
  }

  /// Splits at blanks. `"…"` may contain blanks, `#` at the beginning of a word starts a comment,
  /// and `$NAME` is replaced by the variable's value.
  init(_ text: Substring, line: Int, variables: [String: String]) throws(ScriptFault) {
    self.line = line
    var words: [Word] = []
    var rest = text.drop(while: \.isWhitespace)
    while let first = rest.first, first != "#" {
      let word: String
      if first == "\"" {
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: "\"") else {
          throw ScriptFault(line: line, message: "a quote is not closed")
        }
        word = String(inside[..<end])
        rest = inside[inside.index(after: end)...]
      } else {
        word = String(rest.prefix { !$0.isWhitespace })
        rest = rest.dropFirst(word.count)
      }
      var meant = word
      if first == "$" {
        guard let value = variables[String(word.dropFirst())] else {
          throw ScriptFault(line: line, message: "`\(word)` is not set in the environment")
        }
        meant = value
      }
      words.append(Word(written: first == "\"" ? "\"\(word)\"" : word, meant: meant))
      rest = rest.drop(while: \.isWhitespace)
    }
    self.rest = words[...]
  }

  /// Whether no word is left.
  var isEmpty: Bool { rest.isEmpty }

  /// The remaining words, as written.
  var written: String { rest.map(\.written).joined(separator: " ") }

  /// Takes the next word if it is `word`; returns whether it was.
  mutating func take(_ word: String) -> Bool {
    guard rest.first?.meant == word else { return false }
    rest.removeFirst()
    return true
  }

  /// The next word; `what` names the missing word in the error.
  mutating func next(_ what: String) throws(ScriptFault) -> String {
    guard let word = rest.popFirst() else { throw fault("\(what) is missing") }
    return word.meant
  }

  /// The next word as a code of `Value`.
  mutating func next<Value: Coded>(_ what: String, of: Value.Type) throws(ScriptFault) -> Value {
    let word = try next(what)
    guard let value = Value(code: word) else {
      let known = Value.allCases.map(\.code).joined(separator: ", ")
      throw fault("`\(word)` is not a valid \(what): use one of \(known)")
    }
    return value
  }

  /// The next word as a whole number in `range`.
  mutating func number(
    _ what: String, in range: ClosedRange<Int>
  ) throws(ScriptFault) -> Int {
    let word = try next(what)
    guard let number = Int(word), range.contains(number) else {
      throw fault(
        "`\(word)` is not a valid \(what): use \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The next word as a decimal number in `range`.
  mutating func decimal(
    _ what: String, in range: ClosedRange<Double>
  ) throws(ScriptFault) -> Double {
    let word = try next(what)
    guard let number = Double(word), range.contains(number) else {
      throw fault(
        "`\(word)` is not a valid \(what): use \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The next word as a length of time such as `500ms`, `30s`, `2m` or `1h`; at most a day.
  mutating func span(_ what: String) throws(ScriptFault) -> TimeSpan {
    let word = try next(what)
    guard let span = TimeSpan(word: word), span <= .hours(24) else {
      throw fault("`\(word)` is not a valid \(what): use 500ms, 30s, 2m or 1h, at most 24h")
    }
    return span
  }

  /// Fails if words are left.
  func end() throws(ScriptFault) {
    if let word = rest.first { throw fault("unexpected word `\(word.written)`") }
  }

  /// An error in this line.
  func fault(_ message: String) -> ScriptFault { ScriptFault(line: line, message: message) }
}
