import ShiftDomain

extension Instant {
  /// `2026-11-20 15:04:05Z`: UTC to the second, for people.
  var text: String {
    let (day, time, _) = parts
    return "\(day) \(time)Z"
  }

  /// `2026-11-20T15:04:05.000Z`: RFC 3339 to the millisecond, for programs.
  var rfc3339: String {
    let (day, time, milliseconds) = parts
    return "\(day)T\(time).\(padded(milliseconds, 3))Z"
  }

  /// `3 min ago`, `in 24 h` or `just now`: how far this is from `now`, in one unit.
  func relative(to now: Instant) -> String {
    let past = now - self
    if abs(past.seconds) < 1 { return "just now" }
    if past > .zero { return "\(past.roughly) ago" }
    // Rounded, so that what was made for 30 days does not end "in 29 d" a second later.
    let ahead = self - now
    return "in \((ahead + .milliseconds(ahead.unit.milliseconds / 2)).roughly)"
  }

  /// `3 min ago (2026-11-20 15:04:05Z)`.
  func text(at now: Instant) -> String { "\(relative(to: now)) (\(text))" }

  /// `since 2026-11-20 15:04:05Z (3 min ago)`.
  func since(at now: Instant) -> String { "since \(text) (\(relative(to: now)))" }

  /// Day and time of day. Total: every `Int64` of milliseconds has a date.
  private var parts: (day: String, time: String, milliseconds: Int64) {
    let (days, ofDay) = floorDivide(milliseconds, by: 86_400_000)
    let (seconds, rest) = floorDivide(ofDay, by: 1_000)
    let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return (civilDate(ofDay: days), time.joined(separator: ":"), rest)
  }
}

extension TimeSpan {
  /// The span in the largest unit that fits it twice or more, rounded down: `90 s`, `3 min`,
  /// `47 h`, `5 d`. For spans of a second and more.
  var roughly: String { "\(milliseconds / unit.milliseconds) \(unit.name)" }

  /// The largest unit that fits the span twice, or seconds.
  fileprivate var unit: (name: String, milliseconds: Int64) {
    switch seconds {
    case ..<120: ("s", 1_000)
    case ..<7_200: ("min", 60_000)
    case ..<172_800: ("h", 3_600_000)
    default: ("d", 86_400_000)
    }
  }

  /// `1:25:26.000`: hours, minutes, seconds and milliseconds, for sums.
  var clockText: String {
    let (minutes, ofMinute) = floorDivide(milliseconds, by: 60_000)
    let clock = "\(minutes / 60):\(padded(minutes % 60, 2)):\(padded(ofMinute / 1_000, 2))"
    return "\(clock).\(padded(ofMinute % 1_000, 3))"
  }

  /// The span to the minute, `3 h 12 min`; to the second below an hour, `4 min 10 s`; to the
  /// millisecond below a second.
  var exactly: String {
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    let hours = seconds / 3_600
    let minutes = seconds / 60 % 60
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
  }
}

private func floorDivide(_ value: Int64, by unit: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
  return remainder < 0 ? (quotient - 1, remainder + unit) : (quotient, remainder)
}

/// The proleptic Gregorian date, `days` after 1970-01-01, as `2026-11-20`.
///
/// Years are counted from March, so that the leap day is the last of its year.
/// - Source: Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”.
private func civilDate(ofDay days: Int64) -> String {
  let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
}

private func padded(_ number: Int64, _ digits: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, digits - text.count))
  return (number < 0 ? "-" : "") + zeros + text
}
