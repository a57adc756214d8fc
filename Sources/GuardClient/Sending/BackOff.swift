public import ShiftDomain

/// The pauses between attempts that fail: from a second on, doubling up to five minutes, each
/// between half and all of that at random, so that phones do not come back all at once. Never
/// shorter than the server asked for. Pure: the random value is an argument.
public struct BackOff: Hashable, Sendable {
  private var failures = 0

  public static let first = TimeSpan.seconds(1)
  public static let pauseMax = TimeSpan.minutes(5)
  /// Of `Retry-After`: a longer one is a mistake of somebody else.
  public static let retryAfterMax = TimeSpan.hours(1)

  public init() {}

  /// The pause after another failure.
  /// - Parameters:
  ///   - retryAfter: What the server asked for; `nil`: nothing.
  ///   - chance: 0…1.
  public mutating func fail(retryAfter: TimeSpan?, chance: Double) -> TimeSpan {
    let doubled = Self.first.milliseconds << min(failures, 20)
    let whole = Double(min(doubled, Self.pauseMax.milliseconds))
    failures += 1
    let own = TimeSpan(milliseconds: Int64(whole * (0.5 + 0.5 * chance)))
    guard let retryAfter, retryAfter > .zero else { return own }
    // Added to it, because nobody may come earlier.
    let asked = min(retryAfter, Self.retryAfterMax)
    let spread = Double(min(asked.milliseconds, 60_000)) * 0.25 * chance
    return max(own, asked + TimeSpan(milliseconds: Int64(spread)))
  }

  public mutating func succeed() { failures = 0 }
}
