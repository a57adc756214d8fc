import ShiftDomain

// The documented tables, written a second time, so that the oracle does not use those of the rules:
// what a preset means, and what a permission says in each dimension.

/// What a preset means.
struct DocumentedPreset {
  /// The findings that block a clock-in.
  let blocking: FindingSet
  /// The findings that warn; all others are advice.
  let warning: FindingSet
  /// Whether only the open app shows notifications, and each cause once per session.
  let isQuiet: Bool
  /// How many of six simulated policies begin with it.
  let share: Int

  private init(
    blocking: [Finding], warning: [Finding], isQuiet: Bool = false, share: Int
  ) {
    self.blocking = blocking.reduce(into: []) { $0.insert($1) }
    self.warning = warning.reduce(into: []) { $0.insert($1) }
    self.isQuiet = isQuiet
    self.share = share
  }

  /// The effect of `finding` on clocking in.
  func severity(of finding: Finding) -> Severity {
    switch finding {
    case .siteUnknown, .offSite, .notPlanned, .tooEarly: .ignore
    default: blocking.contains(finding) ? .block : warning.contains(finding) ? .warn : .advice
    }
  }

  fileprivate static let standard = DocumentedPreset(
    blocking: [
      .restricted, .denied, .notDetermined, .servicesOff, .noReport, .staleReport, .unreadable,
      .cannotReportNoFix,
    ], warning: [.cannotReport, .whenInUse, .accuracyReduced, .mockLocation], share: 3)
  fileprivate static let strict = DocumentedPreset(
    blocking: [
      .restricted, .denied, .notDetermined, .servicesOff, .noReport, .staleReport, .unreadable,
      .cannotReportNoFix, .cannotReport, .whenInUse, .mockLocation,
    ], warning: [.accuracyReduced], share: 2)
  fileprivate static let advisory = DocumentedPreset(
    blocking: [], warning: [], isQuiet: true, share: 1)
}

extension Preset {
  /// What it means.
  var documented: DocumentedPreset {
    switch self {
    case .standard: .standard
    case .strict: .strict
    case .advisory: .advisory
    }
  }

  /// Each as often as its share.
  static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.documented.share) }
}

/// The true state of a phone's permission, as far as it is visible from outside. The simulated
/// phone provides it itself, not through the rules' reading of raw values, which is tested too.
package struct TruePermission: Hashable, Sendable {
  /// The permission that the system gives the app.
  package var authorization: Authorization
  /// The device's own location switch.
  package var services: Switch
  /// The accuracy of positions; `unknown` without a grant.
  package var accuracy: LocationAccuracy
  /// Whether another app fakes positions; `unknown` where apps cannot know.
  package var mock: Switch

  /// Creates a state.
  package init(
    authorization: Authorization, services: Switch, accuracy: LocationAccuracy,
    mock: Switch = .unknown
  ) {
    self.authorization = authorization
    self.services = services
    self.accuracy = accuracy
    self.mock = mock
  }
}

/// The oracle's reading of a permission state in one dimension.
enum Impairment: Equatable {
  /// No statement is possible.
  case unknown
  /// No impairment.
  case none
  /// An impairment of this kind.
  case some(IncidentKind)
}

extension TruePermission {
  /// The dimensions covered by reports, in the order in which incidents are numbered.
  static let dimensions: [Dimension] = [.authorization, .services, .accuracy, .mock]

  /// The first cause, in the order of remedy, that prevents locating the phone; explains silence.
  var worstLoss: IncidentKind? {
    if authorization == .restricted { return .restricted }
    if services == .off { return .servicesOff }
    if authorization == .denied { return .denied }
    if authorization == .notDetermined { return .notDetermined }
    return nil
  }

  func impairment(of dimension: Dimension) -> Impairment {
    switch dimension {
    case .authorization:
      switch authorization {
      case .unknown: .unknown
      case .always: .none
      case .whenInUse: .some(.whenInUse)
      case .notDetermined: .some(.notDetermined)
      case .denied: .some(.denied)
      case .restricted: .some(.restricted)
      }
    case .services:
      services == .unknown ? .unknown : services == .on ? .none : .some(.servicesOff)
    case .accuracy:
      accuracy == .unknown ? .unknown : accuracy == .full ? .none : .some(.accuracyReduced)
    case .mock:
      mock == .unknown ? .unknown : mock == .off ? .none : .some(.mockLocation)
    case .contact, .fix, .app: .unknown
    }
  }
}

extension IncidentKind {
  /// Whether this kind prevents locating the phone.
  var blinds: Bool {
    switch self {
    case .restricted, .denied, .notDetermined, .servicesOff: true
    default: false
    }
  }

  /// Whether positions that still arrive are at risk.
  var endangers: Bool { self == .whenInUse || self == .accuracyReduced }

  /// The order of remedy: first the kinds that prevent locating the phone, then those that no
  /// report shows, then those that only make positions worse.
  static let worstFirst: [IncidentKind] = [
    .restricted, .servicesOff, .denied, .notDetermined, .noContact, .noFix, .mockLocation,
    .accuracyReduced, .whenInUse,
  ]

  /// The rank of the kind within its dimension.
  var badness: Int {
    switch self {
    case .restricted: 4
    case .denied: 3
    case .notDetermined: 2
    case .whenInUse: 1
    default: 0
    }
  }
}

extension TruePermission {
  /// The findings at clock-in.
  var findings: FindingSet {
    var found: FindingSet = []
    switch authorization {
    case .unknown: found.insert(.unreadable)
    case .notDetermined: found.insert(.notDetermined)
    case .restricted: found.insert(.restricted)
    case .denied: found.insert(.denied)
    case .whenInUse: found.insert(.whenInUse)
    case .always: break
    }
    if services == .off { found.insert(.servicesOff) }
    if services == .unknown { found.insert(.servicesUnknown) }
    if accuracy == .reduced { found.insert(.accuracyReduced) }
    return found
  }
}
