import ShiftDomain

/// Clock-ins that a manager has not decided on, and the positions that depend on them: both stay in
/// the queue, at most for seven days. A clock-in is sent again from time to time, because the
/// answer says how the review stands. A clock action that is not taken while too many wait for a
/// review is set aside, and sent again daily. Nothing here needs to be stored: after a restart the
/// same answers come again.
struct KeptRecords: Sendable {
  private struct Waiting {
    /// Of a clock-in, on which positions depend; `nil` for any other clock action.
    let clockInAt: Instant?
    let interval: TimeSpan
    var nextCheck: Instant
  }

  private var actions: [UInt64: Waiting] = [:]
  private var pings: Set<UInt64> = []

  static let ageMax = TimeSpan.hours(7 * 24)
  static let checkInterval = TimeSpan.minutes(15)
  static let asideInterval = TimeSpan.hours(24)
  /// A position may count for a clock-in that was a moment later.
  private static let tolerance = TimeSpan.seconds(1)

  /// What must not be sent at `now`.
  func skipped(at now: Instant) -> Set<UInt64> {
    guard !actions.isEmpty else { return [] }
    // A clock that was set back must not put a check off for longer than usual.
    let waiting = actions.filter {
      $0.value.nextCheck > now && $0.value.nextCheck - now <= $0.value.interval
    }
    return pings.union(waiting.keys)
  }

  /// When a clock action is sent again; `nil` if none waits.
  var nextCheck: Instant? { actions.values.map(\.nextCheck).min() }

  func contains(_ number: UInt64) -> Bool { actions[number] != nil }

  /// Keeps a clock-in whose review is pending.
  /// - Returns: Whether it is kept; `false` if it has waited long enough.
  mutating func keep(clockIn number: UInt64, of occurredAt: Instant, at now: Instant) -> Bool {
    guard now - occurredAt <= Self.ageMax else {
      resolve(number)
      return false
    }
    wait(number, Self.checkInterval, clockInAt: occurredAt, at: now)
    return true
  }

  /// Keeps a clock action that the server did not take.
  /// - Parameter clockInAt: Its time, if it is a clock-in.
  mutating func setAside(_ number: UInt64, clockInAt: Instant?, at now: Instant) {
    wait(number, Self.asideInterval, clockInAt: clockInAt, at: now)
  }

  private mutating func wait(
    _ number: UInt64, _ interval: TimeSpan, clockInAt: Instant?, at now: Instant
  ) {
    actions[number] = Waiting(
      clockInAt: clockInAt, interval: interval, nextCheck: now + interval)
  }

  /// Its answer is known, or does not matter any more: positions that wait are sent again.
  mutating func resolve(_ number: UInt64) {
    guard actions.removeValue(forKey: number)?.clockInAt != nil else { return }
    pings = []
  }

  /// A position that no shift wants yet.
  /// - Returns: Whether it is kept; `false` if no clock-in could still open a shift for it.
  mutating func keep(ping number: UInt64, of recordedAt: Instant, at now: Instant) -> Bool {
    guard now - recordedAt <= Self.ageMax,
      actions.values.compactMap(\.clockInAt).contains(where: {
        $0 - Self.tolerance <= recordedAt
      })
    else { return false }
    pings.insert(number)
    return true
  }

  /// Asks for every review now: the app came to the foreground, for example.
  mutating func checkAll() {
    for (number, action) in actions where action.interval == Self.checkInterval {
      actions[number]?.nextCheck = Instant(milliseconds: .min)
    }
  }
}
