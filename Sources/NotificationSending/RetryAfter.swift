import HTTPSending
import JSONText
import ShiftDomain

extension IncomingResponse {
  /// How long the other side asks us to wait, at most a day; `nil` if it does not, or unreadably. A
  /// time of day is compared with the other side's own clock, if known.
  func retryAfter(now: Instant) -> Duration? {
    guard let text = header("Retry-After") else { return nil }
    let waitMax: Int64 = 86_400
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int64(text) ?? waitMax, waitMax))
    }
    guard let time = Instant(httpDate: text) else { return nil }
    let start = header("Date").flatMap { Instant(httpDate: $0) } ?? now
    return .seconds(min(max((time - start).seconds, 0), waitMax))
  }
}

extension Instant {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads an HTTP date in any of its three forms, or `nil`. Two-digit years are of this century.
  /// - Source: RFC 9110, section 5.6.7.
  init?(httpDate text: String) {
    let words = text.split { " ,-".contains($0) }.map { String($0) }
    let (day, month, year, time): (String, String, String, String)
    switch words.count {
    // `Sun, 06 Nov 1994 08:49:37 GMT` and `Sunday, 06-Nov-94 08:49:37 GMT`.
    case 6 where words[5] == "GMT":
      (day, month, year, time) = (words[1], words[2], words[3], words[4])
    // `Sun Nov  6 08:49:37 1994`.
    case 5: (day, month, year, time) = (words[2], words[1], words[4], words[3])
    default: return nil
    }
    guard let month = Self.months.firstIndex(of: month) else { return nil }
    let date = [
      year.utf8.count == 2 ? "20\(year)" : year, Self.twoDigits("\(month + 1)"),
      Self.twoDigits(day),
    ]
    self.init(rfc3339: "\(date.joined(separator: "-"))T\(time)Z")
  }

  private static func twoDigits(_ number: String) -> String {
    number.utf8.count == 1 ? "0\(number)" : number
  }
}
