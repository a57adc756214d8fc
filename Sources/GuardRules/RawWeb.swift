public import ShiftDomain

/// The answer of the web's Permissions API for `geolocation`. A page never has *Always*.
public enum WebPermission: UInt8, Coded {
  /// A word that the specification does not name.
  case unknown = 0
  /// The page may locate while it is open.
  case granted = 1
  /// The browser would ask.
  case prompt = 2
  /// Refused.
  case denied = 3

  /// The specification's word.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .granted: "granted"
    case .prompt: "prompt"
    case .denied: "denied"
    }
  }

  /// In our words. A browser does not tell whether the device's location is on.
  public var reading: RawReading {
    switch self {
    case .unknown: .unknownValue
    case .granted: RawReading(.whenInUse)
    case .prompt: RawReading(.notDetermined, .prompt)
    case .denied: RawReading(.denied, .settings)
    }
  }
}
