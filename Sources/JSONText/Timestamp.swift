public import ShiftDomain

// RFC 3339 by hand: the formatters of Foundation are slow, refuse what phones send (nine digits of
// fraction), and accept what they should not.

extension Instant {
  /// The instant in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`. What lies outside
  /// the years 0…9999, which four digits cannot say, becomes the nearest instant inside.
  public var rfc3339: String {
    let clamped = min(max(milliseconds, Self.yearZero), Self.yearTenThousand - 1)
    let day = floorDivide(clamped, 86_400_000)
    let ofDay = clamped - day * 86_400_000
    let date = civilDate(ofDay: day)
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
      + padded(ofDay / 3_600_000, 2) + ":" + padded(ofDay / 60_000 % 60, 2) + ":"
      + padded(ofDay / 1_000 % 60, 2) + "." + padded(ofDay % 1_000, 3) + "Z"
  }

  /// Reads an RFC 3339 instant of the years 0…9999, or `nil`. Any number of fraction digits, cut to
  /// milliseconds; the offset as `Z`, `±hh:mm`, `±hhmm` or `±hh`; `T` in either case or a space.
  /// Second 60 is the first of the next minute: an instant leaves leap seconds out.
  public init?(rfc3339 text: String) {
    var scanner = TimestampScanner(text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
      scanner.take("-"), let day = scanner.digits(2), scanner.takeOne(of: "Tt "),
      let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2),
      scanner.take(":"), let second = scanner.digits(2), let fraction = scanner.fraction(),
      let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    guard (1...12).contains(month), (1...daysIn(month: month, of: year)).contains(day), hour <= 23,
      minute <= 59, second <= 60
    else { return nil }
    let seconds =
      dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    self.init(milliseconds: (seconds - offset * 60) * 1_000 + fraction)
  }

  private static let yearZero: Int64 = -62_167_219_200_000
  private static let yearTenThousand: Int64 = 253_402_300_800_000
}

/// Reads a timestamp from left to right.
private struct TimestampScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == mark.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func takeOne(of marks: String) -> Bool {
    guard let first = rest.first, marks.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Milliseconds; 0 without a fraction, `nil` for a point without digits.
  mutating func fraction() -> Int64? {
    guard takeOne(of: ".,") else { return 0 }
    guard let tenths = digit() else { return nil }
    let hundredths = digit() ?? 0
    // Without a second digit there is no third.
    let thousandths = digit() ?? 0
    while digit() != nil {}
    return tenths * 100 + hundredths * 10 + thousandths
  }

  /// Minutes east of UTC.
  mutating func offset() -> Int64? {
    if takeOne(of: "Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard takeOne(of: "+-"), let hours = digits(2), hours <= 23 else { return nil }
    var minutes: Int64 = 0
    if !isAtEnd {
      _ = take(":")
      guard let given = digits(2), given <= 59 else { return nil }
      minutes = given
    }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func digit() -> Int64? {
    guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return nil
    }
    rest.removeFirst()
    return Int64(first - UInt8(ascii: "0"))
  }
}

// Dates are counted in eras of 400 years that begin on 1 March, so that the leap day comes last:
// https://howardhinnant.github.io/date_algorithms.html

private func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
  let year = month <= 2 ? year - 1 : year
  let era = floorDivide(year, 400)
  let yearOfEra = year - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civilDate(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = day + 719_468
  let era = floorDivide(shifted, 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
}

private func daysIn(month: Int64, of year: Int64) -> Int64 {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// The quotient rounded toward minus infinity; `divisor` above zero.
private func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
  number / divisor - (number % divisor < 0 ? 1 : 0)
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
