import JSONText
import ShiftDomain

/// Reads a line word by word; unreadable text is an error that names the line.
struct LineScanner {
  private let file: String
  let line: Int
  private(set) var rest: Substring

  init(_ text: Substring, file: String, line: Int) {
    (self.file, self.line) = (file, line)
    rest = text
    skipSpace()
  }

  var isAtEnd: Bool { rest.isEmpty }

  func error(_ reason: String) -> ScenarioError {
    ScenarioError(file: file, line: line, reason: reason)
  }

  mutating func skipSpace() { rest = rest.drop { $0 == " " } }

  /// The next word, up to a space.
  mutating func word(_ what: String) throws(ScenarioError) -> String {
    guard let word = optionalWord() else { throw error("\(what) is missing") }
    return word
  }

  mutating func optionalWord() -> String? {
    let word = rest.prefix { $0 != " " }
    rest = rest.dropFirst(word.count)
    skipSpace()
    return word.isEmpty ? nil : String(word)
  }

  /// The rest of the line, without spaces at its end.
  mutating func remainder() -> String {
    defer { rest = "" }
    var text = rest
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Continues with `text` instead.
  mutating func keep(_ text: Substring) {
    rest = text
    skipSpace()
    while rest.last == " " { rest.removeLast() }
  }

  /// Takes `text` if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    skipSpace()
    return true
  }

  mutating func expect(_ text: String) throws(ScenarioError) {
    guard take(text) else { throw error("`\(text)` is missing before `\(rest)`") }
  }

  func end() throws(ScenarioError) {
    guard isAtEnd else { throw error("`\(rest)` is too much") }
  }

  /// `[+N |-N ]HH:MM:SS[.mmm]` since midnight; stops after it.
  mutating func time() throws(ScenarioError) -> TimeSpan {
    let from = rest
    var days: Int64 = 0
    if let sign = rest.first, sign == "+" || sign == "-" {
      let digits = rest.dropFirst().prefix { $0.isNumber }
      guard let number = Int64(digits) else { throw error("`\(from)` is no time") }
      days = sign == "-" ? -number : number
      rest = rest.dropFirst(digits.count + 1)
      skipSpace()
    }
    let clock = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    let seconds = (parts.last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let numbers = (parts.dropLast() + seconds).map { Int64($0) }
    guard parts.count == 3, clock.prefix(2).count == 2, (1...2).contains(seconds.count),
      parts.dropLast().allSatisfy({ $0.count == 2 }), seconds[0].count == 2,
      seconds.count == 1 || seconds[1].count == 3, !numbers.contains(nil),
      let hour = numbers[0], hour < 24, let minute = numbers[1], minute < 60,
      let second = numbers[2], second < 60
    else { throw error("`\(from)` does not begin with a time, HH:MM:SS[.mmm]") }
    rest = rest.dropFirst(clock.count)
    let millisecond = numbers.count == 4 ? numbers[3] ?? 0 : 0
    return .hours(days * 24) + .hours(hour) + .minutes(minute) + .seconds(second)
      + .milliseconds(millisecond)
  }

  /// JSON up to the end of the line.
  mutating func json() throws(ScenarioError) -> JSONValue {
    let text = remainder()
    do {
      return try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw self.error("`\(text)` is no JSON: \(error.detail)")
    }
  }
}

/// The two sides of the first `->` outside JSON's strings.
func sides(of text: Substring) -> (left: Substring, right: Substring?) {
  var isString = false
  var at = text.startIndex
  while at < text.endIndex {
    switch text[at] {
    case "\\" where isString: at = text.index(after: at)
    case "\"": isString.toggle()
    case "-" where !isString && text[at...].hasPrefix("->"):
      return (text[..<at], text[text.index(at, offsetBy: 2)...])
    default: break
    }
    if at < text.endIndex { at = text.index(after: at) }
  }
  return (text, nil)
}

/// `text` without a comment at its end, which starts with a space and `#`.
func withoutComment(_ text: Substring) -> Substring {
  var isString = false
  var before: Character = " "
  for at in text.indices {
    if text[at] == "\"", before != "\\" { isString.toggle() }
    if text[at] == "#", before == " ", !isString { return text[..<at] }
    before = text[at]
  }
  return text
}
