public import ShiftDomain

/// Three flickers within this span are a phone that keeps going off and on.
public let flickerBurstMax = TimeSpan.minutes(10)

/// Remembers the newest flickers of a shift, so that the third within ten minutes is told: once in
/// the cooldown.
public struct FlickerBurst: Hashable, Sendable {
  /// When the flicker before the newest ended; `nil` before there were two.
  public var earlierAt: Instant?
  /// When the newest flicker ended; `nil` before the first.
  public var newestAt: Instant?
  /// When flickers were told last in this shift; `nil` before the first time.
  public var toldAt: Instant?

  /// A burst; by default none.
  public init(earlierAt: Instant? = nil, newestAt: Instant? = nil, toldAt: Instant? = nil) {
    self.earlierAt = earlierAt
    self.newestAt = newestAt
    self.toldAt = toldAt
  }

  /// Takes in a flicker that ended at `now`; answers whether it is the one to tell.
  /// - Parameter cooldown: So long nobody is told again; `nil`: nobody is told at all.
  mutating func add(at now: Instant, cooldown: TimeSpan?) -> Bool {
    let isThird = earlierAt.map { now - $0 < flickerBurstMax } ?? false
    (earlierAt, newestAt) = (newestAt, now)
    guard isThird, let cooldown, toldAt.map({ now - $0 >= cooldown }) ?? true else { return false }
    toldAt = now
    return true
  }

  /// What is left of it when another device takes over: its own flickers count from none, and
  /// what was told in this shift was told.
  var ofNextDevice: FlickerBurst { FlickerBurst(toldAt: toldAt) }
}
