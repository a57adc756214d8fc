import ShiftDomain

/// A day of the Gregorian calendar in the years 1 to 9999, without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  package init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      (1...Int(CivilCalendar.days(inMonth: Int64(month), of: Int64(year)))).contains(day)
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
    // Strings so short take no memory of their own.
    func padded(_ number: Int, to width: Int) -> String {
      var digits = String(number)
      while digits.utf8.count < width { digits = "0" + digits }
      return digits
    }
    return padded(year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
  }

  /// The day `days` later, or earlier if negative. Stays within the years 1 to 9999.
  package func advanced(by days: Int) -> CivilDate {
    CivilDate(daysSince1970: min(max(days, -4_000_000), 4_000_000) + daysSince1970)
  }

  /// The day of the week, from 1 for Monday to 7 for Sunday.
  package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 + 1 }

  /// The first day of its week.
  package var monday: CivilDate { advanced(by: 1 - weekday) }

  package var lastOfMonth: CivilDate {
    // The 28th and four days is always in the next month.
    let next = advanced(by: 32 - day)
    return next.advanced(by: -next.day)
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  /// Days from 1970-01-01 to this one; negative before.
  package var daysSince1970: Int {
    Int(CivilCalendar.day(year: Int64(year), month: Int64(month), day: Int64(day)))
  }

  /// The day this many days after 1970-01-01, within the years 1 to 9999.
  package init(daysSince1970 days: Int) {
    let date = CivilCalendar.date(ofDay: Int64(min(max(days, -719_162), 2_932_896)))
    (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
  }
}
