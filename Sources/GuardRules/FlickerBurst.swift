public import ShiftDomain

/// Three flickers within this span mean a phone that keeps changing.
public let flickerBurstMax = TimeSpan.minutes(10)

/// The newest flickers of a shift: the third within ten minutes notifies, once per cooldown.
public struct FlickerBurst: Hashable, Sendable {
  /// When the flicker before the newest ended; `nil` before there were two.
  public var earlierAt: Instant?
  public var newestAt: Instant?
  /// When a flicker last notified in this shift; `nil` before the first time.
  public var notifiedAt: Instant?

  public init(earlierAt: Instant? = nil, newestAt: Instant? = nil, notifiedAt: Instant? = nil) {
    self.earlierAt = earlierAt
    self.newestAt = newestAt
    self.notifiedAt = notifiedAt
  }

  /// Adds a flicker that ended at `now`; returns whether it notifies: never without `cooldown`.
  /// Several within the debounce that began at `begin` are one.
  mutating func add(at now: Instant, debouncedSince begin: Instant, cooldown: TimeSpan?) -> Bool {
    if let newestAt, newestAt > begin { return false }
    let isThird = earlierAt.map { now - $0 < flickerBurstMax } ?? false
    (earlierAt, newestAt) = (newestAt, now)
    guard isThird, let cooldown, notifiedAt.map({ now - $0 >= cooldown }) ?? true else {
      return false
    }
    notifiedAt = now
    return true
  }

  /// After a take-over: flickers start from zero, but notifications of this shift still count.
  var ofNextDevice: FlickerBurst { FlickerBurst(notifiedAt: notifiedAt) }
}
