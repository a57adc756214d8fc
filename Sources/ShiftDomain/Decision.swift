/// The result of a decision.
public enum Verdict: UInt8, Coded, Comparable {
  /// Clock in, without interruption.
  case allow = 0
  /// Clock in, and tell the employee what to fix.
  case warn = 1
  /// Do not clock in.
  case block = 2

  /// Its code in JSON and SQL.
  public var code: String {
    switch self {
    case .allow: "allow"
    case .warn: "warn"
    case .block: "block"
    }
  }

  /// Whether `left` is milder.
  public static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
}

/// A verdict with all its findings. Further details (age, OS version, how to grant) are derived
/// from report and policy by the guidance, so that this stays small in memory.
public struct Decision: Hashable, Sendable {
  /// The highest severity among the findings.
  public var verdict: Verdict
  /// Findings that block.
  public var blocking: FindingSet
  /// Findings that warn.
  public var warning: FindingSet
  /// Findings that only advise.
  public var informing: FindingSet
  /// Findings that would block and were overridden; they are among the warnings.
  public var overridden: FindingSet

  /// Sorts `findings` by `severities`; the verdict is the highest that occurs.
  /// - Parameter excused: Findings that an override allows: they warn instead of blocking.
  public init(
    _ findings: FindingSet, under severities: SeverityTable, excusing excused: FindingSet = []
  ) {
    let forbidden = findings.intersection(severities.blocking)
    overridden = forbidden.intersection(excused)
    blocking = forbidden.subtracting(overridden)
    warning = findings.intersection(severities.warning).union(overridden)
    informing = findings.subtracting(blocking).subtracting(warning)
    verdict = !blocking.isEmpty ? .block : !warning.isEmpty ? .warn : .allow
  }

  /// Every finding, whatever its severity.
  public var findings: FindingSet { blocking.union(warning).union(informing) }
}
