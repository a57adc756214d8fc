public import ShiftDomain

/// The answer of the web's Permissions API for `geolocation`. A page never has *Always*.
public enum WebPermission: UInt8, Coded {
  /// A value that is not in the specification.
  case unknown = 0
  /// The page may locate while it is open.
  case granted = 1
  /// The browser would ask.
  case prompt = 2
  case denied = 3

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .granted: "granted"
    case .prompt: "prompt"
    case .denied: "denied"
    }
  }

  /// In our own codes. A browser does not report whether the device's location is on.
  public var reading: RawReading {
    switch self {
    case .unknown: .unknownValue
    case .granted: RawReading(.whenInUse)
    case .prompt: RawReading(.notDetermined, .prompt)
    case .denied: RawReading(.denied, .settings)
    }
  }
}
