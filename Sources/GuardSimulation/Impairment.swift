import ShiftDomain

/// What the oracle takes a sight for, in one dimension.
enum Impairment: Equatable {
  /// Nothing can be told.
  case unknown
  /// All well.
  case none
  /// Impaired.
  case some(IncidentKind)
}

extension Sight {
  /// The dimensions that a report speaks of, in the order in which incidents are numbered.
  static let dimensions: [Dimension] = [.authorization, .services, .accuracy, .mock]

  /// Why the phone cannot be located, by the order of remedy: that explains a silence.
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
  /// Whether the phone cannot be located while it lasts.
  var blinds: Bool {
    switch self {
    case .restricted, .denied, .notDetermined, .servicesOff: true
    default: false
    }
  }

  /// The order of remedy; what no report can find stands between what cannot be located and what
  /// only makes positions worse.
  static let worstFirst: [IncidentKind] = [
    .restricted, .servicesOff, .denied, .notDetermined, .noContact, .noFix, .mockLocation,
    .accuracyReduced, .whenInUse,
  ]

  /// How bad it is among those of its dimension.
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
