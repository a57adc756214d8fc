import ShiftDomain

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
