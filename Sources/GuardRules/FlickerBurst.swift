public import ShiftDomain

/// Flickers within this span of each other make a burst.
public let flickerBurstMax = TimeSpan.minutes(10)

/// Remembers the newest flickers, so that the third within ten minutes is told, once a burst.
public struct FlickerBurst: Hashable, Sendable {
  /// When the flicker before the newest ended; `nil` before there were two in this burst.
  public var earlierAt: Instant?
  /// When the newest flicker ended; `nil` before the first.
  public var newestAt: Instant?
  /// Whether this burst was told. It lasts until ten minutes pass without a flicker.
  public var isTold: Bool

  /// A burst; by default none.
  public init(earlierAt: Instant? = nil, newestAt: Instant? = nil, isTold: Bool = false) {
    self.earlierAt = earlierAt
    self.newestAt = newestAt
    self.isTold = isTold
  }

  /// Takes in a flicker that ended at `now`; answers whether it is the one to tell.
  mutating func add(at now: Instant) -> Bool {
    if let newestAt, now - newestAt >= flickerBurstMax { self = FlickerBurst() }
    let isThird = earlierAt.map { now - $0 < flickerBurstMax } ?? false
    let tells = isThird && !isTold
    self = FlickerBurst(earlierAt: newestAt, newestAt: now, isTold: isTold || isThird)
    return tells
  }
}
