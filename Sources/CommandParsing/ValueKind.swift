/// What may be given for an option or argument.
public enum ValueKind: Sendable, Equatable {
  /// Any text.
  case text
  /// A whole number within the range.
  case integer(ClosedRange<Int>)
  /// One of these words.
  case choice([String])
  /// A file's or folder's path.
  case path

  /// Why `text` will not do, to follow "cannot be `…`: "; `nil` when it will.
  func objection(to text: String) -> String? {
    switch self {
    case .text, .path: return nil
    case .integer(let range):
      if let number = Int(text), range.contains(number) { return nil }
      return "it is a whole number \(words(for: range))"
    case .choice(let words):
      if words.contains(text) { return nil }
      let suggestion = suggestion(for: text, among: words).map { "; did you mean `\($0)`?" } ?? ""
      return "it is one of \(words.joined(separator: ", "))\(suggestion)"
    }
  }

  /// What the summary does not say about what is allowed; `nil` when there is nothing to say.
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

  /// The largest numbers are no limit that anybody meant.
  private func hasLimit(_ range: ClosedRange<Int>) -> Bool {
    range.upperBound < Int(Int32.max)
  }
}
