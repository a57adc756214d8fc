public import GuardRules
public import ShiftDomain

/// The rules as a world calls them; a test puts broken ones in their place.
public struct RulesUnderTest: Sendable {
  /// What follows from an event.
  public var step: @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep
  /// A shift's segments.
  public var coverage: @Sendable (CoverageFacts) -> [CoverageSegment]

  /// Whether the phone is asked for a fix at once.
  public var wantsFixNow: @Sendable (GuardStep) -> Bool

  /// The real rules, except for what is given.
  public init(
    step: @escaping @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep = {
      GuardRules.step($0, $1, policy: $2, now: $3)
    },
    coverage: @escaping @Sendable (CoverageFacts) -> [CoverageSegment] = {
      GuardRules.coverage(of: $0)
    },
    wantsFixNow: @escaping @Sendable (GuardStep) -> Bool = { $0.wantsFixNow }
  ) {
    self.step = step
    self.coverage = coverage
    self.wantsFixNow = wantsFixNow
  }
}
