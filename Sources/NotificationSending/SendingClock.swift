import ShiftDomain

package struct SendingClock: Sendable {
  /// The time of day, for tokens and notifications. May jump.
  package var now: @Sendable () -> Instant
  /// The time since a fixed moment, for measuring ages. Never jumps.
  package var uptime: @Sendable () -> Duration

  package init(
    now: @escaping @Sendable () -> Instant, uptime: @escaping @Sendable () -> Duration
  ) {
    self.now = now
    self.uptime = uptime
  }

  /// The clock with this time of day and the machine's own uptime.
  package init(now: @escaping @Sendable () -> Instant) {
    let start = ContinuousClock.now
    self.init(now: now, uptime: { start.duration(to: .now) })
  }
}
