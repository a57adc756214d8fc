import ShiftDomain

extension TimeSpan {
  /// A length of time written as a whole number and a unit: `500ms`, `30s`, `2m`, `1h`.
  init?(word: String) {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int64(digits) else { return nil }
    switch word.dropFirst(digits.count) {
    case "ms": self = .milliseconds(count)
    case "s": self = .seconds(count)
    case "m": self = .minutes(count)
    case "h": self = .hours(count)
    default: return nil
    }
  }
}

extension Duration {
  /// The duration in milliseconds.
  var inMilliseconds: Double {
    Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
  }
}
