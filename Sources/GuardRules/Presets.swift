public import ShiftDomain

// The table of presets. Nothing else asks which preset it is: what a preset means is in its row.

/// Findings with which the phone cannot be located, or without evidence that it can be.
private let withoutLocation: [Finding] = [
  .restricted, .servicesOff, .denied, .notDetermined, .unreadable, .noReport, .staleReport,
  .cannotReportNoFix,
]

/// Not judged unless a team asks for it: many have no sites and no plans.
private let placeAndTime = FindingSet([.siteUnknown, .offSite, .notPlanned, .tooEarly])

public struct PresetRow: Hashable, Sendable {
  /// The severities that a policy begins with; it may move any finding.
  public let severities: SeverityTable
  /// Whether notifications leave the open app: by push, by e-mail, and to the managers.
  public let notifiesBeyondOpenApp: Bool
  public let showsOncePerAppSession: Bool
}

extension Preset {
  /// The preset of a policy for which none was chosen.
  public static let initial = Preset.standard

  public var row: PresetRow {
    switch self {
    case .standard:
      PresetRow(
        severities: .standard, notifiesBeyondOpenApp: true, showsOncePerAppSession: false)
    case .strict:
      PresetRow(severities: .strict, notifiesBeyondOpenApp: true, showsOncePerAppSession: false)
    case .advisory:
      PresetRow(severities: .advisory, notifiesBeyondOpenApp: false, showsOncePerAppSession: true)
    }
  }
}

extension SeverityTable {
  public static let standard = SeverityTable(
    blocking: FindingSet(withoutLocation),
    warning: FindingSet([.cannotReport, .accuracyReduced, .whenInUse, .mockLocation]),
    ignored: placeAndTime)

  /// Everything but a readable, fresh *Always* blocks; reduced accuracy warns.
  public static let strict = SeverityTable(
    blocking: FindingSet(withoutLocation + [.cannotReport, .whenInUse, .mockLocation]),
    warning: FindingSet([.accuracyReduced]), ignored: placeAndTime)

  public static let advisory = SeverityTable(blocking: [], warning: [], ignored: placeAndTime)

  public static func table(of preset: Preset) -> SeverityTable {
    preset.row.severities
  }
}

extension Policy {
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
