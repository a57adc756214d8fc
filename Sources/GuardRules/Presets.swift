public import ShiftDomain

// The presets are tables, not code: a policy may move any finding between severities.

/// Findings with which the phone cannot be located, or without evidence that it can be.
private let withoutLocation: [Finding] = [
  .restricted, .servicesOff, .denied, .notDetermined, .unreadable, .noReport, .staleReport,
  .cannotReportNoFix,
]

extension SeverityTable {
  /// A missing permission blocks, while-in-use warns, always passes.
  public static let standard = SeverityTable(
    blocking: FindingSet(withoutLocation),
    warning: FindingSet([.cannotReport, .accuracyReduced, .whenInUse]))

  /// Everything but a readable, fresh *Always* blocks; reduced accuracy warns.
  public static let strict = SeverityTable(
    blocking: FindingSet(withoutLocation + [.cannotReport, .whenInUse]),
    warning: FindingSet([.accuracyReduced]))

  /// Nothing blocks and nothing warns: the guard only advises.
  public static let advisory = SeverityTable(blocking: [], warning: [])

  /// The table of `preset`.
  public static func table(of preset: Preset) -> SeverityTable {
    switch preset {
    case .standard: .standard
    case .strict: .strict
    case .advisory: .advisory
    }
  }
}

extension Policy {
  /// The initial policy of `preset`.
  public static func policy(of preset: Preset) -> Policy {
    Policy(preset: preset, severities: .table(of: preset))
  }
}

extension FindingSet {
  fileprivate init(_ findings: [Finding]) {
    self = []
    for finding in findings { insert(finding) }
  }
}
