import JSONText
import ShiftDomain

extension Instant {
  /// `2026-11-20 16:04:05+01:00`, for people: to the second, in the zone that is shown. In UTC
  /// `2026-11-20 15:04:05Z`.
  var text: String {
    let minutes = ShownZone.current.offset(at: self)
    let text = (self + .minutes(Int64(minutes ?? 0))).rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))" + (minutes.map(offsetText) ?? "Z")
  }

  /// `3 min ago`, `in 24 h` or `just now`: how far this is from `now`, in one unit.
  func relative(to now: Instant) -> String {
    let past = now - self
    if abs(past.seconds) < 1 { return "just now" }
    if past > .zero { return "\(past.roughly) ago" }
    // Rounded: what was created for 30 days must not end "in 29 d" a second later.
    let ahead = self - now
    return "in \((ahead + .milliseconds(ahead.unit.milliseconds / 2)).roughly)"
  }

  /// `3 min ago (2026-11-20 15:04:05Z)`.
  func text(at now: Instant) -> String { "\(relative(to: now)) (\(text))" }

  /// `since 2026-11-20 15:04:05Z (3 min ago)`.
  func since(at now: Instant) -> String { "since \(text) (\(relative(to: now)))" }
}

extension TimeSpan {
  /// The span in the largest unit of which it holds at least two, rounded down: `90 s`, `3 min`,
  /// `47 h`, `5 d`. For spans of at least a second.
  var roughly: String { "\(milliseconds / unit.milliseconds) \(unit.name)" }

  /// The largest unit of which the span holds at least two, or seconds.
  fileprivate var unit: (name: String, milliseconds: Int64) {
    switch seconds {
    case ..<120: ("s", 1_000)
    case ..<7_200: ("min", 60_000)
    case ..<172_800: ("h", 3_600_000)
    default: ("d", 86_400_000)
    }
  }

  /// `5m`: whole seconds as written for an option, in the largest exact unit up to hours.
  var typed: String {
    if seconds != 0, seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
    return seconds != 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
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

/// `+05:30`
private func offsetText(_ minutes: Int) -> String {
  let size = Int64(minutes.magnitude)
  return (minutes < 0 ? "-" : "+") + "\(padded(size / 60, 2)):\(padded(size % 60, 2))"
}

private func floorDivide(_ value: Int64, by unit: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
  return remainder < 0 ? (quotient - 1, remainder + unit) : (quotient, remainder)
}

private func padded(_ number: Int64, _ digits: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, digits - text.count))
  return (number < 0 ? "-" : "") + zeros + text
}
