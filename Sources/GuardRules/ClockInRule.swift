public import ShiftDomain

public enum Evidence: Hashable, Sendable {
  case report(PermissionReport, Platform)
  case noReport
  /// The app cannot report permissions; the time of its last fix, or `nil` without one.
  case cannotReport(lastFixAt: Instant?)
}

/// The maximum age of a fix that shows that a phone which cannot report permissions can be located.
public let recentFixMax = TimeSpan.seconds(300)

/// A larger deviation of a phone's clock, either way, is a finding of its own.
public let clockErrorMax = TimeSpan.minutes(10)

/// Decides whether a device may clock in. Every input has a decision, with all findings, so that
/// the phone can show all remedies at once. `evidence` was pinned when the request was first read;
/// `now` is server time: the phone's clock is never used to compute an age.
public func decideClockIn(
  _ evidence: Evidence, _ placeAndPlan: PlaceAndPlan = PlaceAndPlan(), policy: Policy, now: Instant,
  excusing excused: FindingSet = []
) -> Decision {
  decideClockIn(
    evidence, adding: placeAndPlan.findings(at: now, under: policy), policy: policy, now: now,
    excusing: excused)
}

/// The same with what the place and the plan come to.
public func decideClockIn(
  _ evidence: Evidence, adding found: FindingSet, policy: Policy, now: Instant,
  excusing excused: FindingSet = []
) -> Decision {
  Decision(
    findings(in: evidence, policy: policy, now: now).union(found), under: policy.severities,
    excusing: excused)
}

/// Every finding in `evidence`; an old report has its own findings in addition to being stale.
public func findings(in evidence: Evidence, policy: Policy, now: Instant) -> FindingSet {
  switch evidence {
  case .noReport:
    return FindingSet(.noReport)
  case .cannotReport(let lastFixAt):
    guard let lastFixAt, now - lastFixAt <= recentFixMax else {
      return FindingSet(.cannotReportNoFix)
    }
    return FindingSet(.cannotReport)
  case .report(let report, let platform):
    var found = findings(in: report.state, platform: platform)
    if now - report.effectiveAt > policy.freshFor { found.insert(.staleReport) }
    if let skew = report.skew, skew > clockErrorMax || skew < .zero - clockErrorMax {
      found.insert(.clockWrong)
    }
    return found
  }
}

public func findings(in state: PermissionState, platform: Platform) -> FindingSet {
  var found: FindingSet = []
  for dimension in Dimension.reported {
    switch state.reading(of: dimension) {
    case .impaired(let kind): if let finding = kind.finding { found.insert(finding) }
    case .unknown(let finding?): found.insert(finding)
    case .unknown(nil), .clear, .absent: break
    }
  }
  // iOS first grants a provisional Always; only a fix in the background proves the permanent one.
  if platform == .ios, state.authorization == .always, state.conditions.backgroundFix != .on {
    found.insert(.alwaysUnproven)
  }
  found.formUnion(findings(in: state.conditions))
  return found
}

private func findings(in conditions: DeviceConditions) -> FindingSet {
  var found: FindingSet = []
  if conditions.batteryOptimisation == .on { found.insert(.batteryOptimised) }
  if conditions.backgroundRefresh == .off { found.insert(.backgroundRefreshOff) }
  if conditions.powerSave == .on { found.insert(.powerSave) }
  if conditions.notifications == .off { found.insert(.notificationsOff) }
  return found
}

extension Decision {
  /// The findings of a permission check that is too old, or was never made.
  public static let checkDue = FindingSet(.noReport).union(FindingSet(.staleReport))

  /// Whether nothing blocks but these. The app sends a new check when it is opened, so this is no
  /// denial and needs no override; a clock-in without one is blocked all the same.
  public var isCheckDue: Bool { !blocking.isEmpty && blocking.isSubset(of: Self.checkDue) }
}
