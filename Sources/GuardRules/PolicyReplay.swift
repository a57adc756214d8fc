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
  /// How long before a planned shift it was not too early then; `nil`: that policy is not known.
  public var earlyWindow: TimeSpan?
  /// Findings of which it is not known whether they held: that policy ignored them.
  public var unjudged: FindingSet
  /// `nil`: it is not kept any more.
  public var place: ReplayedPlace?

  public init(
    _ decision: Decision, override: Override?, reportAge: ReportAge, freshFor: TimeSpan?,
    earlyWindow: TimeSpan? = nil, unjudged: FindingSet = [], place: ReplayedPlace? = nil
  ) {
    self.decision = decision
    self.override = override
    self.reportAge = reportAge
    self.freshFor = freshFor
    self.earlyWindow = earlyWindow
    self.unjudged = unjudged
    self.place = place
  }
}

/// Where a clock-in was made, as far as it is kept.
public enum ReplayedPlace: Hashable, Sendable {
  case noSites
  /// There were sites, and no position that was accurate enough.
  case unknown
  case at(KeptPlace)

  var findings: FindingSet {
    switch self {
    case .noSites: []
    case .unknown: FindingSet(.siteUnknown)
    case .at(let place): place.marginMeters < 0 ? FindingSet(.offSite) : []
    }
  }
}

public struct ReplayedDecision: Hashable, Sendable {
  public var decision: Decision
  /// Whether the verdict is certain. It is not if it depends on something that is not stored any
  /// more, which then counts as it did before, or on what was not judged.
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
  let held = clockIn.decision.findings
  let isStale = clockIn.isStale(after: policy.freshFor)
  // Of these it is not known whether they would hold.
  var doubtful = clockIn.doubtfulOfPlan(within: policy.earlyWindow)
  var found = held.subtracting(stale)
  var unjudged = clockIn.unjudged
  if let place = clockIn.place {
    let ofPlace = FindingSet(.offSite).union(FindingSet(.siteUnknown))
    found = found.subtracting(ofPlace).union(place.findings)
    unjudged.subtract(ofPlace)
  }
  if isStale == true { found.formUnion(stale) }
  if isStale == nil { doubtful.formUnion(stale) }
  let least = decide(found.subtracting(doubtful))
  let most = decide(found.union(doubtful).union(unjudged))
  return ReplayedDecision(
    decision: decide(found.union(doubtful.intersection(held))),
    isCertain: least.verdict == most.verdict)
}

extension DecidedClockIn {
  /// The findings about the plan that another window may change. One that is too early for a longer
  /// window may have been in time, and one in time too early for a shorter.
  fileprivate func doubtfulOfPlan(within earlyWindow: TimeSpan) -> FindingSet {
    let (tooEarly, notPlanned) = (FindingSet(.tooEarly), FindingSet(.notPlanned))
    guard let then = self.earlyWindow else { return tooEarly }
    if earlyWindow > then { return decision.findings.intersection(tooEarly) }
    guard earlyWindow < then else { return [] }
    return decision.findings.isDisjoint(with: tooEarly.union(notPlanned)) ? tooEarly : []
  }

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
