public import ShiftDomain
import SystemCalls

/// The phone's clock and its random numbers; tests use their own.
public struct ClientClock: Sendable {
  /// The phone's calendar time, however wrong.
  public var now: @Sendable () -> Instant
  /// A number from 0 to 1 for the jitter of pauses.
  public var chance: @Sendable () -> Double

  public init(
    now: @escaping @Sendable () -> Instant, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.chance = chance
  }

  public static let system = ClientClock(
    now: { Instant(milliseconds: calendarMilliseconds()) }, chance: { .random(in: 0...1) })
}
