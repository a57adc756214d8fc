public import ShiftDomain

/// The clock that channels use.
public struct SendingClock: Sendable {
  /// The time of day, for tokens and notifications. May jump.
  public var now: @Sendable () -> Instant
  /// The time since a fixed moment, for measuring ages. Never jumps.
  public var uptime: @Sendable () -> Duration

  /// A clock of these two.
  public init(
    now: @escaping @Sendable () -> Instant, uptime: @escaping @Sendable () -> Duration
  ) {
    self.now = now
    self.uptime = uptime
  }

  /// The clock with this time of day and the machine's own uptime.
  public init(now: @escaping @Sendable () -> Instant) {
    let start = ContinuousClock.now
    self.init(now: now, uptime: { start.duration(to: .now) })
  }
}
