/// What the guard answers.
public enum Verdict: UInt8, Coded, Comparable {
  /// Clock in, without interruption.
  case allow = 0
  /// Clock in, and tell the employee what is not as it should be.
  case warn = 1
  /// Do not clock in.
  case block = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .allow: "allow"
    case .warn: "warn"
    case .block: "block"
    }
  }

  /// Whether `left` is the milder.
  public static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
}

/// A verdict with every finding behind it. What a finding needs besides (age, OS version, how to
/// grant) is derived from report and policy by the guidance, so this stays four words of memory.
public struct Decision: Hashable, Sendable {
  /// The highest severity among the findings.
  public var verdict: Verdict
  /// Findings that block.
  public var blocking: FindingSet
  /// Findings that warn.
  public var warning: FindingSet
  /// Findings that only advise.
  public var informing: FindingSet

  /// Sorts `findings` by `severities`; the verdict is the highest that occurs.
  public init(_ findings: FindingSet, under severities: SeverityTable) {
    blocking = findings.intersection(severities.blocking)
    warning = findings.intersection(severities.warning)
    informing = findings.subtracting(blocking).subtracting(warning)
    verdict = !blocking.isEmpty ? .block : !warning.isEmpty ? .warn : .allow
  }

  /// Every finding, whatever its severity.
  public var findings: FindingSet { blocking.union(warning).union(informing) }
}
