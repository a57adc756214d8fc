public import ShiftDomain

// What another policy would have decided: a draft is tried on stored clock-ins before it is saved.

/// A clock-in that was decided, with everything that another policy needs to decide it.
public struct DecidedClockIn: Hashable, Sendable {
  public enum ReportAge: Hashable, Sendable {
    /// It was decided without a report.
    case noReport
    case known(TimeSpan)
    /// The report is not stored any more.
    case unknown
  }

  /// As it was decided.
  public var decision: Decision
  /// The override that it used; `nil`: none.
  public var override: Override?
  /// The age of the report at the time of the clock-in.
  public var reportAge: ReportAge
  /// The age from which on a report was stale then; `nil`: that policy is not known.
  public var freshFor: TimeSpan?

  public init(
    _ decision: Decision, override: Override?, reportAge: ReportAge, freshFor: TimeSpan?
  ) {
    self.decision = decision
    self.override = override
    self.reportAge = reportAge
    self.freshFor = freshFor
  }
}

public struct ReplayedDecision: Hashable, Sendable {
  public var decision: Decision
  /// Whether the verdict is certain. It is not if it depends on the age of a report that is not
  /// stored any more; then the report counts as stale if it did before.
  public var isCertain: Bool
}

/// What `policy` would have decided about `clockIn`, with the override that it used. For the policy
/// by which it was decided, that is the decision itself.
public func replay(_ clockIn: DecidedClockIn, under policy: Policy) -> ReplayedDecision {
  let override = clockIn.override?.isAllowed(by: policy) == true ? clockIn.override : nil
  func decide(_ findings: FindingSet) -> Decision {
    Decision(findings, under: policy.severities, excusing: override?.findings ?? [])
  }
  let stale = FindingSet(.staleReport)
  let others = clockIn.decision.findings.subtracting(stale)
  let wasStale = clockIn.decision.findings.contains(.staleReport)
  let isStale = clockIn.isStale(after: policy.freshFor)
  let decision = decide(isStale ?? wasStale ? others.union(stale) : others)
  guard isStale == nil else { return ReplayedDecision(decision: decision, isCertain: true) }
  let other = decide(wasStale ? others : others.union(stale))
  return ReplayedDecision(decision: decision, isCertain: decision.verdict == other.verdict)
}

extension DecidedClockIn {
  /// Whether the report would be stale if that began at the age of `freshFor`; `nil`: not known.
  /// The stored finding comes first: a report that was sent twice has two times.
  fileprivate func isStale(after freshFor: TimeSpan) -> Bool? {
    if reportAge == .noReport { return false }
    let wasStale = decision.findings.contains(.staleReport)
    if let then = self.freshFor {
      if freshFor == then || (freshFor > then && !wasStale) || (freshFor < then && wasStale) {
        return wasStale
      }
    }
    guard case .known(let age) = reportAge else { return nil }
    return age > freshFor
  }
}
