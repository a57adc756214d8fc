package enum ValueKind: Sendable, Equatable {
  case text
  case integer(ClosedRange<Int>)
  case choice([String])
  case path

  /// Why `text` is not allowed, to follow "cannot be `…`: "; `nil` when it is allowed.
  func objection(to text: String) -> String? {
    switch self {
    case .text, .path: return nil
    case .integer(let range):
      if let number = Int(text), range.contains(number) { return nil }
      return "it must be a whole number \(words(for: range))"
    case .choice(let words):
      if words.contains(text) { return nil }
      let suggestion = suggestion(for: text, among: words).map { "; did you mean `\($0)`?" } ?? ""
      return "it must be one of \(words.joined(separator: ", "))\(suggestion)"
    }
  }

  /// The allowed values for the help, besides the summary; `nil` when all are allowed.
  var note: String? {
    switch self {
    case .text, .path: nil
    case .integer(let range): hasLimit(range) ? words(for: range) : nil
    case .choice(let words): words.joined(separator: ", ")
    }
  }

  private func words(for range: ClosedRange<Int>) -> String {
    hasLimit(range)
      ? "from \(range.lowerBound) to \(range.upperBound)" : "of at least \(range.lowerBound)"
  }

  /// The largest numbers of a type are not meant as a limit.
  private func hasLimit(_ range: ClosedRange<Int>) -> Bool {
    range.upperBound < Int(Int32.max)
  }
}
