public import ShiftDomain

/// What time it is, asked by channels.
public struct SendingClock: Sendable {
  /// The time of day: what tokens and messages carry. May jump.
  public var now: @Sendable () -> Instant
  /// Time passed since a moment that never changes: what ages are measured by. Never jumps.
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
