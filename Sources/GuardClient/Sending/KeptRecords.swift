import ShiftDomain

/// Clock-ins that a manager has not decided on, and the positions that depend on them: both stay in
/// the queue, at most for seven days. A clock-in is sent again from time to time, because the
/// answer says how the review stands. Nothing here needs to be stored: after a restart the same
/// answers come again.
struct KeptRecords: Sendable {
  private struct ClockIn {
    let occurredAt: Instant
    var nextCheck: Instant
  }

  private var clockIns: [UInt64: ClockIn] = [:]
  private var pings: Set<UInt64> = []

  static let ageMax = TimeSpan.hours(7 * 24)
  static let checkInterval = TimeSpan.minutes(15)
  /// A position may count for a clock-in that was a moment later.
  private static let tolerance = TimeSpan.seconds(1)

  /// What must not be sent at `now`.
  func skipped(at now: Instant) -> Set<UInt64> {
    guard !clockIns.isEmpty else { return [] }
    // A clock that was set back must not put a check off for longer than usual.
    let waiting = clockIns.filter {
      $0.value.nextCheck > now && $0.value.nextCheck - now <= Self.checkInterval
    }
    return pings.union(waiting.keys)
  }

  /// When a clock-in is sent again; `nil` if none waits.
  var nextCheck: Instant? { clockIns.values.map(\.nextCheck).min() }

  func contains(clockIn number: UInt64) -> Bool { clockIns[number] != nil }

  /// - Returns: Whether it is kept; `false` if it has waited long enough.
  mutating func keep(clockIn number: UInt64, of occurredAt: Instant, at now: Instant) -> Bool {
    guard now - occurredAt <= Self.ageMax else {
      resolve(clockIn: number)
      return false
    }
    clockIns[number] = ClockIn(occurredAt: occurredAt, nextCheck: now + Self.checkInterval)
    return true
  }

  /// Its review is known, or does not matter any more: the positions are sent again.
  mutating func resolve(clockIn number: UInt64) {
    guard clockIns.removeValue(forKey: number) != nil else { return }
    pings = []
  }

  /// A position that no shift wants yet.
  /// - Returns: Whether it is kept; `false` if no clock-in could still open a shift for it.
  mutating func keep(ping number: UInt64, of recordedAt: Instant, at now: Instant) -> Bool {
    guard now - recordedAt <= Self.ageMax,
      clockIns.values.contains(where: { $0.occurredAt - Self.tolerance <= recordedAt })
    else { return false }
    pings.insert(number)
    return true
  }

  /// Asks for every review now: the app came to the foreground, for example.
  mutating func checkAll() {
    for number in clockIns.keys { clockIns[number]?.nextCheck = Instant(milliseconds: .min) }
  }
}
