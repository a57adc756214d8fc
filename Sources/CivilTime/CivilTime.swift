import Foundation
import GuardRules
import ShiftDomain

/// The local time of a time zone: which day an instant falls on, and when a day begins.
///
/// Only the zone's UTC offsets are used, so that a day without a midnight, a skipped day and a
/// shift by half an hour are all the same case.
package struct CivilTime: Sendable {
  private let zone: TimeZone

  private static let day: Int64 = 86_400

  /// `nil` for an unknown name.
  package init?(zone name: String) {
    guard let zone = TimeZone(identifier: name) else { return nil }
    self.zone = zone
  }

  /// The day of `instant`: the one whose span contains it.
  package func date(of instant: Instant) -> CivilDate {
    let seconds = instant.milliseconds.flooredQuotient(by: 1_000)
    let wall = seconds + offset(at: seconds)
    let date = CivilDate(daysSince1970: Int(wall.flooredQuotient(by: Self.day)))
    // Where the clock was set back over midnight, the day that had begun continues.
    return instant < beginning(of: date.next) ? date : date.next
  }

  /// The local time at `instant`, in seconds since its last midnight: 0…86,399.
  package func secondsOfDay(at instant: Instant) -> Int {
    let seconds = instant.milliseconds.flooredQuotient(by: 1_000)
    let wall = seconds + offset(at: seconds)
    return Int(wall - wall.flooredQuotient(by: Self.day) * Self.day)
  }

  /// `+02:00`, which tells a local time that occurs twice from the other; `nil` for all others.
  package func offsetText(at instant: Instant) -> String? {
    let seconds = instant.milliseconds.flooredQuotient(by: 1_000)
    let offset = offset(at: seconds)
    guard showings(of: seconds + offset).count > 1 else { return nil }
    let minutes = abs(offset) / 60
    func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  /// The whole day: from its first instant to the first of the next day, half-open. 23 or 25 hours
  /// at a clock change; empty for a day that the zone skipped.
  package func span(of date: CivilDate) -> Interval {
    Interval(from: beginning(of: date), to: beginning(of: date.next))
  }

  /// The instant of a planned local time. A time that is skipped moves forward by the jump; of a
  /// time that occurs twice, the first counts.
  /// - Parameters:
  ///   - hour: 0…24; 24 is the end of the day.
  ///   - minute: 0…59.
  package func instant(of date: CivilDate, hour: Int, minute: Int) -> Instant {
    let wall = Int64(date.daysSince1970) * Self.day + Int64(hour * 3_600 + minute * 60)
    let showings = showings(of: wall)
    return Instant(seconds: showings.first ?? wall - offsets(around: wall).before)
  }

  /// What a local time means that somebody typed.
  package func typed(_ date: CivilDate, hour: Int, minute: Int, second: Int) -> TypedTime {
    let wall =
      Int64(date.daysSince1970) * Self.day + Int64(hour * 3_600 + minute * 60 + second)
    let showings = showings(of: wall).map { Instant(seconds: $0) }
    switch (showings.first, showings.last) {
    case (let first?, let last?) where first < last: return .twice(first: first, second: last)
    case (let only?, _): return .once(only)
    default:
      let jump = Instant(seconds: jump(over: wall))
      return .never(before: jump - .minutes(1), after: jump)
    }
  }

  /// The first instant of a day: when the clock first shows midnight or, if midnight is skipped,
  /// when the clock jumps.
  private func beginning(of date: CivilDate) -> Instant {
    let midnight = Int64(date.daysSince1970) * Self.day
    return Instant(seconds: showings(of: midnight).first ?? jump(over: midnight))
  }

  /// When the clock jumps over `wall`, which it never shows.
  private func jump(over wall: Int64) -> Int64 {
    let (before, after) = offsets(around: wall)
    // The clock jumps once in this interval: before the jump it shows less, afterwards more.
    var (early, late) = (wall - after, wall - before)
    while early < late {
      let middle = early + (late - early) / 2
      if middle + offset(at: middle) < wall { early = middle + 1 } else { late = middle }
    }
    return late
  }

  /// When the clock shows `wall`, in order: once, twice if the clock is set back, never if it is
  /// skipped.
  private func showings(of wall: Int64) -> [Int64] {
    let (before, after) = offsets(around: wall)
    // On all but a few days of a year.
    guard before != after else { return [wall - before] }
    return [wall - before, wall - after].filter { $0 + offset(at: $0) == wall }.sorted()
  }

  /// The offsets well before and well after the clock shows `wall`. No zone is further than 15
  /// hours from UTC, and none changes twice in two days.
  private func offsets(around wall: Int64) -> (before: Int64, after: Int64) {
    (before: offset(at: wall - Self.day), after: offset(at: wall + Self.day))
  }

  /// Seconds to add to UTC, at an instant in seconds since 1970.
  private func offset(at seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
  }
}

/// What a local time means that somebody typed.
package enum TypedTime: Hashable, Sendable {
  case once(Instant)
  /// The clock is set back over it.
  case twice(first: Instant, second: Instant)
  /// The clock is set forward over it: the last minute before that, and the first time after it.
  case never(before: Instant, after: Instant)
}

extension CivilDate {
  fileprivate var next: CivilDate { CivilDate(daysSince1970: daysSince1970 + 1) }
}

extension Instant {
  fileprivate init(seconds: Int64) { self.init(milliseconds: seconds * 1_000) }
}

extension Int64 {
  /// The quotient rounded down, also below zero.
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
