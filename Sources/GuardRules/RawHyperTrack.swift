public import ShiftDomain

/// `state` of HyperTrack's `location_permission`, and of those who copied its shape.
public enum HyperTrackState: UInt8, Coded {
  /// Nothing was heard yet.
  case unknown = 0
  /// No permission, for whatever reason.
  case never = 1
  /// While in use.
  case foregroundOnly = 2
  /// All the time.
  case always = 3
  /// Granted, but only approximately; for when, it does not tell.
  case locationImprecise = 4

  /// Its word.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .never: "never"
    case .foregroundOnly: "foreground_only"
    case .always: "always"
    case .locationImprecise: "location_imprecise"
    }
  }

  /// In our words.
  public var reading: RawReading {
    switch self {
    case .unknown: .incomplete
    case .never: RawReading(.denied)
    case .foregroundOnly: RawReading(.whenInUse, .settings)
    case .always: RawReading(.always)
    case .locationImprecise:
      RawReading(.whenInUse, .settings, quality: .incomplete).adding(accuracy: .told(.reduced))
    }
  }
}
