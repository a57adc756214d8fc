import Guidance
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
    return "in \((ahead + .milliseconds(ahead.roughUnit.milliseconds / 2)).roughly)"
  }

  /// `3 min ago (2026-11-20 15:04:05Z)`.
  func text(at now: Instant) -> String { "\(relative(to: now)) (\(text))" }

  /// `since 2026-11-20 15:04:05Z (3 min ago)`.
  func since(at now: Instant) -> String { "since \(text) (\(relative(to: now)))" }
}

/// `+05:30`
private func offsetText(_ minutes: Int) -> String {
  let size = TimeSpan.minutes(Int64(minutes.magnitude))
  return (minutes < 0 ? "-" : "+") + (size < .hours(10) ? "0" : "") + size.hoursAndMinutes
}
