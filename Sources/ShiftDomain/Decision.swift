public enum Verdict: UInt8, Coded, Comparable {
  case allow = 0
  /// Clock in, and tell the employee what to fix.
  case warn = 1
  case block = 2

  public var code: String {
    switch self {
    case .allow: "allow"
    case .warn: "warn"
    case .block: "block"
    }
  }

  public static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
}

/// A verdict with all its findings. Further details (age, OS version, how to grant) are derived
/// from report and policy by the guidance, so that this stays small in memory.
public struct Decision: Hashable, Sendable {
  public var verdict: Verdict
  public var blocking: FindingSet
  public var warning: FindingSet
  public var informing: FindingSet
  /// Findings that would block and were overridden; they are among the warnings.
  public var overridden: FindingSet

  /// Sorts `findings` by `severities`, without those that they ignore; the verdict is the highest
  /// that occurs. Those in `excused`, which an override allows, warn instead of blocking.
  public init(
    _ findings: FindingSet, under severities: SeverityTable, excusing excused: FindingSet = []
  ) {
    let forbidden = findings.intersection(severities.blocking)
    overridden = forbidden.intersection(excused)
    blocking = forbidden.subtracting(overridden)
    warning = findings.intersection(severities.warning).union(overridden)
    informing = findings.subtracting(blocking).subtracting(warning).subtracting(severities.ignored)
    verdict = !blocking.isEmpty ? .block : !warning.isEmpty ? .warn : .allow
  }

  /// The decision with these findings; one in several sets has the highest of their severities.
  public init(
    blocking: FindingSet, warning: FindingSet, informing: FindingSet,
    excusing excused: FindingSet = []
  ) {
    self.init(
      blocking.union(warning).union(informing),
      under: SeverityTable(
        blocking: blocking.union(excused), warning: warning.subtracting(excused)),
      excusing: excused)
  }

  public var findings: FindingSet { blocking.union(warning).union(informing) }
}
