public import GuardRules
public import ShiftDomain

/// The rules as a world calls them; a test puts broken ones in their place.
public struct RulesUnderTest: Sendable {
  /// What follows from an event.
  public var step: @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep
  /// A shift's segments.
  public var coverage: @Sendable (CoverageFacts) -> [CoverageSegment]

  /// The real rules, except for what is given.
  public init(
    step: @escaping @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep = {
      GuardRules.step($0, $1, policy: $2, now: $3)
    },
    coverage: @escaping @Sendable (CoverageFacts) -> [CoverageSegment] = {
      GuardRules.coverage(of: $0)
    }
  ) {
    self.step = step
    self.coverage = coverage
  }
}
