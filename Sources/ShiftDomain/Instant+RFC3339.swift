// Hand-written: Foundation's RFC 3339 formatters are slow, reject what phones send (nine fraction
// digits), and accept what they should not.

extension Instant {
  /// The instant in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`. An instant outside
  /// the years 0…9999 is clamped, because the format has four digits for the year.
  public var rfc3339: String {
    let clamped = min(max(milliseconds, Self.yearZero), Self.yearTenThousand - 1)
    let (day, ofDay) = floorDivide(clamped, by: 86_400_000)
    let date = CivilCalendar.date(ofDay: day)
    // Fast, because a board has thousands of instants.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    bytes.append(date.year, digits: 4, then: "-")
    bytes.append(date.month, digits: 2, then: "-")
    bytes.append(date.day, digits: 2, then: "T")
    bytes.append(ofDay / 3_600_000, digits: 2, then: ":")
    bytes.append(ofDay / 60_000 % 60, digits: 2, then: ":")
    bytes.append(ofDay / 1_000 % 60, digits: 2, then: ".")
    bytes.append(ofDay % 1_000, digits: 3, then: "Z")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads an RFC 3339 instant of the years 0…9999, or `nil`. Any number of fraction digits, cut to
  /// milliseconds; the offset as `Z`, `±hh:mm`, `±hhmm` or `±hh`; `T` in either case or a space.
  /// Second 60 is the first of the next minute: an instant has no leap seconds.
  public init?(rfc3339 text: String) {
    guard let instant = text.withUTF8Span({ Instant(rfc3339: $0) }) else { return nil }
    self = instant
  }

  /// The same of its bytes.
  public init?(rfc3339 text: Span<UInt8>) {
    var scanner = TimestampScanner()
    guard let year = scanner.digits(4, of: text), scanner.take("-", of: text),
      let month = scanner.digits(2, of: text), scanner.take("-", of: text),
      let day = scanner.digits(2, of: text), scanner.takeSeparator(of: text),
      let hour = scanner.digits(2, of: text), scanner.take(":", of: text),
      let minute = scanner.digits(2, of: text), scanner.take(":", of: text),
      let second = scanner.digits(2, of: text), let fraction = scanner.fraction(of: text),
      let offset = scanner.offset(of: text), scanner.isAtEnd(of: text)
    else { return nil }
    guard (1...12).contains(month),
      (1...CivilCalendar.days(inMonth: month, of: year)).contains(day), hour <= 23,
      minute <= 59, second <= 60
    else { return nil }
    let days = CivilCalendar.day(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    self.init(milliseconds: (seconds - offset * 60) * 1_000 + fraction)
  }

  private static let yearZero: Int64 = -62_167_219_200_000
  private static let yearTenThousand: Int64 = 253_402_300_800_000
}

private struct TimestampScanner {
  private var position = 0

  func isAtEnd(of text: Span<UInt8>) -> Bool { position == text.count }

  private func next(of text: Span<UInt8>) -> UInt8? {
    position < text.count ? text[position] : nil
  }

  mutating func take(_ mark: Unicode.Scalar, of text: Span<UInt8>) -> Bool {
    guard next(of: text) == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  mutating func takeSeparator(of text: Span<UInt8>) -> Bool {
    take("T", of: text) || take("t", of: text) || take(" ", of: text)
  }

  mutating func digits(_ count: Int, of text: Span<UInt8>) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit(of: text) else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Milliseconds; 0 without a fraction, `nil` for a point without digits.
  mutating func fraction(of text: Span<UInt8>) -> Int64? {
    guard take(".", of: text) || take(",", of: text) else { return 0 }
    guard let tenths = digit(of: text) else { return nil }
    let hundredths = digit(of: text) ?? 0
    // Without a second digit there is no third.
    let thousandths = digit(of: text) ?? 0
    while digit(of: text) != nil {}
    return tenths * 100 + hundredths * 10 + thousandths
  }

  /// Minutes east of UTC.
  mutating func offset(of text: Span<UInt8>) -> Int64? {
    if take("Z", of: text) || take("z", of: text) { return 0 }
    let isWest = take("-", of: text)
    guard isWest || take("+", of: text), let hours = digits(2, of: text), hours <= 23 else {
      return nil
    }
    var minutes: Int64 = 0
    if !isAtEnd(of: text) {
      _ = take(":", of: text)
      guard let given = digits(2, of: text), given <= 59 else { return nil }
      minutes = given
    }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func digit(of text: Span<UInt8>) -> Int64? {
    guard let first = next(of: text),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return nil }
    position += 1
    return Int64(first - UInt8(ascii: "0"))
  }
}

extension [UInt8] {
  /// Adds the last `digits` decimal digits of `number`, which is not negative, and `mark`.
  fileprivate mutating func append(_ number: Int64, digits: Int, then mark: Unicode.Scalar) {
    var scale: Int64 = 1
    for _ in 1..<digits { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
    append(UInt8(ascii: mark))
  }
}
