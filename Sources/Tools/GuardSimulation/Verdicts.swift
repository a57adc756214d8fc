import GuardRules
import ShiftDomain

extension ServerKnowledge {
  /// The findings at `now`, derived independently of the rules.
  func findings(now: Instant) -> FindingSet {
    switch self {
    case .nothing:
      return FindingSet(.noReport)
    case .fixesOnly(let lastFixAt):
      let isRecent = lastFixAt.map { now.milliseconds - $0.milliseconds <= 300_000 } ?? false
      return FindingSet(isRecent ? .cannotReport : .cannotReportNoFix)
    case .report(let report, let platform, let truePermission):
      var found = truePermission.findings.union(report.state.conditions.findings)
      if platform == .ios, truePermission.authorization == .always,
        report.state.conditions.backgroundFix != .on
      {
        found.insert(.alwaysUnproven)
      }
      if now.milliseconds - report.effectiveAt.milliseconds > 300_000 { found.insert(.staleReport) }
      if let skew = report.skew?.milliseconds, skew.magnitude > 600_000 {
        found.insert(.clockWrong)
      }
      return found
    }
  }
}

extension DeviceConditions {
  fileprivate var findings: FindingSet {
    var found: FindingSet = []
    if notifications == .off { found.insert(.notificationsOff) }
    if batteryOptimisation == .on { found.insert(.batteryOptimised) }
    if backgroundRefresh == .off { found.insert(.backgroundRefreshOff) }
    if powerSave == .on { found.insert(.powerSave) }
    if mockLocation == .on { found.insert(.mockLocation) }
    return found
  }
}

extension PolicyChoice {
  /// The expected decision about `findings`, each sorted by its severity.
  func judgement(on findings: FindingSet, excusing excused: FindingSet) -> Judgement {
    var (blocking, warning): (FindingSet, FindingSet) = ([], [])
    var (overridden, ignored): (FindingSet, FindingSet) = ([], [])
    var rest = findings.rawValue
    while rest != 0 {
      let raw = UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= rest - 1
      guard let finding = Finding(rawValue: raw) else { continue }
      switch severity(of: finding) {
      case .block where excused.contains(finding):
        warning.insert(finding)
        overridden.insert(finding)
      case .block: blocking.insert(finding)
      case .warn: warning.insert(finding)
      case .ignore: ignored.insert(finding)
      case .advice: break
      }
    }
    return Judgement(
      verdict: !blocking.isEmpty ? .block : !warning.isEmpty ? .warn : .allow,
      blocking: blocking, warning: warning, overridden: overridden,
      findings: findings.subtracting(ignored))
  }
}
