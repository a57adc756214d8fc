public import ShiftDomain

/// `AuthorizationStatus` of Transistorsoft's background-geolocation.
public enum TransistorsoftStatus: Hashable, Sendable {
  case notDetermined
  case restricted
  case denied
  case always
  case whenInUse
  /// `DENIED_ALWAYS` of newer builds: only the settings can grant it.
  case deniedAlways

  public init?(number: Int64) {
    switch number {
    case 0: self = .notDetermined
    case 1: self = .restricted
    case 2: self = .denied
    case 3: self = .always
    case 4: self = .whenInUse
    default: return nil
    }
  }
}

/// The values of Transistorsoft's background-geolocation, as the `provider` of a location or as a
/// `providerchange` event.
///
/// Pitfalls: builds from before mid-2020 report always for every grant on Android; nothing in the
/// value distinguishes them from newer ones, which are believed. On Android full accuracy is
/// reported for every grant. With the device's location off, the status stays.
///
/// - Source: the library's ProviderChangeEvent and AuthorizationStatus.
public struct TransistorsoftValues: Hashable, Sendable {
  public var status: RawField<TransistorsoftStatus>
  /// `enabled`: whether the device's location is on.
  public var enabled: RawField<Bool>
  /// `accuracyAuthorization`: 0 full, 1 reduced.
  public var accuracyAuthorization: RawField<Int64>

  public init(
    status: RawField<TransistorsoftStatus>, enabled: RawField<Bool> = .absent,
    accuracyAuthorization: RawField<Int64> = .absent
  ) {
    self.status = status
    self.enabled = enabled
    self.accuracyAuthorization = accuracyAuthorization
  }

  public func reading(on platform: Platform) -> RawReading {
    let permission = status.translated { status in
      switch status {
      case .notDetermined: RawReading(.notDetermined, .prompt)
      case .restricted: RawReading(.restricted, .administrator)
      case .denied: RawReading(.denied, platform == .ios ? .settings : .unknown)
      case .deniedAlways: RawReading(.denied, .settings)
      case .always: RawReading(.always)
      case .whenInUse: RawReading(.whenInUse, .settings)
      }
    }
    let accuracy: RawField<LocationAccuracy> = accuracyAuthorization.translated { number in
      switch number {
      case 0: platform == .android ? .unknown : .full
      case 1: .reduced
      default: nil
      }
    }
    return RawReading(permission).adding(accuracy: accuracy).adding(services: enabled)
  }
}
