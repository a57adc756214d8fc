import Foundation
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

  /// The same span for Swift's clocks.
  var duration: Duration { .milliseconds(milliseconds) }
}

extension Instant {
  /// An instant in RFC 3339, such as `2020-12-18T06:16:48Z`; `nil` for anything else and for years
  /// outside 1 to 9999.
  init?(rfc3339 text: some StringProtocol) {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    guard text.utf8.count <= 40, let date = try? Date(String(text), strategy: style) else {
      return nil
    }
    let seconds = date.timeIntervalSince1970
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    self.init(milliseconds: Int64((seconds * 1_000).rounded()))
  }

  /// RFC 3339 in UTC with milliseconds.
  var rfc3339: String {
    // Add half a millisecond: the formatter truncates, and a binary fraction may lie below.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension Duration {
  /// The duration in milliseconds.
  var inMilliseconds: Double {
    Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
  }
}
