/// A day of the Gregorian calendar in the years 1 to 9999, without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  package init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// A day as RFC 3339 and ISO 8601 write it, `2026-10-25`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { digits.contains($0) } })
    else { return nil }
    let numbers = parts.map { part in
      part.reduce(0) { 10 * $0 + Int($1 - digits.lowerBound) }
    }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// `2026-10-25`
  package var text: String {
    func padded(_ number: Int, to width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  /// The day `days` later, or earlier if negative. Stays within the years 1 to 9999.
  package func advanced(by days: Int) -> CivilDate {
    CivilDate(daysSince1970: min(max(days, -4_000_000), 4_000_000) + daysSince1970)
  }

  /// The day of the week, from 1 for Monday to 7 for Sunday.
  package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 + 1 }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// Days as numbers. The year is counted from March, so that the leap day comes last: then the
// months' lengths repeat every five months, and 146,097 days make 400 years.
extension CivilDate {
  /// Days from 1970-01-01 to this one; negative before.
  var daysSince1970: Int {
    let years = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * years + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
  }

  /// The day this many days after 1970-01-01, within the years 1 to 9999.
  init(daysSince1970 days: Int) {
    let sinceMarch0 = min(max(days, -719_162), 2_932_896) + 719_468
    let (era, dayOfEra) = sinceMarch0.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = 400 * era + yearOfEra + (month <= 2 ? 1 : 0)
  }
}
