import ShiftDomain

/// What a report says about one dimension.
enum DimensionReading: Hashable, Sendable {
  /// Nothing: neither opens nor closes.
  case unknown
  /// Not impaired.
  case clear
  /// Impaired in this way.
  case impaired(IncidentKind)
}

extension Dimension {
  /// The dimensions that a permission report contains.
  static let reported: [Dimension] = [.authorization, .services, .accuracy, .mock]
}

extension PermissionState {
  /// What this state says about `dimension`.
  func reading(of dimension: Dimension) -> DimensionReading {
    switch dimension {
    case .authorization:
      switch authorization {
      case .unknown: .unknown
      case .restricted: .impaired(.restricted)
      case .denied: .impaired(.denied)
      case .notDetermined: .impaired(.notDetermined)
      case .whenInUse: .impaired(.whenInUse)
      case .always: .clear
      }
    case .services:
      switch services {
      case .unknown: .unknown
      case .off: .impaired(.servicesOff)
      case .on: .clear
      }
    case .accuracy:
      switch accuracy {
      case .unknown: .unknown
      case .reduced: .impaired(.accuracyReduced)
      case .full: .clear
      }
    case .mock:
      switch conditions.mockLocation {
      case .unknown: .unknown
      case .on: .impaired(.mockLocation)
      case .off: .clear
      }
    case .contact, .fix, .app: .unknown
    }
  }
}
