public import ShiftDomain

/// `state` of HyperTrack's `location_permission`, and of products with the same format.
public enum HyperTrackState: UInt8, Coded {
  case unknown = 0
  case never = 1
  case foregroundOnly = 2
  case always = 3
  /// Granted, but only approximately; it does not say for when.
  case locationImprecise = 4

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .never: "never"
    case .foregroundOnly: "foreground_only"
    case .always: "always"
    case .locationImprecise: "location_imprecise"
    }
  }

  public var reading: RawReading {
    switch self {
    case .unknown: .incomplete
    case .never: RawReading(.denied)
    case .foregroundOnly: RawReading(.whenInUse, .settings)
    case .always: RawReading(.always)
    case .locationImprecise:
      RawReading(.whenInUse, .settings, quality: .incomplete).adding(accuracy: .given(.reduced))
    }
  }
}
