public import ShiftDomain

/// `LocationPermission` of Flutter's geolocator, by its index.
public enum GeolocatorPermission: UInt8, Coded {
  /// iOS: never asked or restricted. Android: denied, once or permanently. Web: it would ask.
  case denied = 0
  /// Permanently denied. On Android only as the result of a request.
  case deniedForever = 1
  case whileInUse = 2
  case always = 3
  /// A browser without the Permissions API.
  case unableToDetermine = 4

  public var code: String {
    switch self {
    case .denied: "denied"
    case .deniedForever: "deniedForever"
    case .whileInUse: "whileInUse"
    case .always: "always"
    case .unableToDetermine: "unableToDetermine"
    }
  }
}

/// `LocationAccuracyStatus` of Flutter's geolocator, by its index.
public enum GeolocatorAccuracy: UInt8, Coded {
  case reduced = 0
  case precise = 1
  case unknown = 2

  public var code: String {
    switch self {
    case .reduced: "reduced"
    case .precise: "precise"
    case .unknown: "unknown"
    }
  }
}

/// The values of Flutter's geolocator.
///
/// Pitfalls: on iOS *restricted* has the same value as never asked; on Android a coarse grant alone
/// counts, below API level 29 as always, and without the background permission in its manifest an
/// app never has more than while in use.
public struct GeolocatorValues: Hashable, Sendable {
  /// `Geolocator.checkPermission()`, or the result of a request.
  public var permission: RawField<GeolocatorPermission>
  public var accuracy: RawField<GeolocatorAccuracy>
  public var serviceEnabled: RawField<Bool>

  public init(
    permission: RawField<GeolocatorPermission>, accuracy: RawField<GeolocatorAccuracy> = .absent,
    serviceEnabled: RawField<Bool> = .absent
  ) {
    self.permission = permission
    self.accuracy = accuracy
    self.serviceEnabled = serviceEnabled
  }

  public func reading(on platform: Platform) -> RawReading {
    RawReading(permission.translated { permission($0, on: platform) })
      .adding(
        accuracy: accuracy.translated { accuracy in
          switch accuracy {
          case .reduced: .reduced
          case .precise: .full
          case .unknown: .unknown
          }
        }
      )
      .adding(services: serviceEnabled)
  }

  private func permission(
    _ permission: GeolocatorPermission, on platform: Platform
  ) -> RawReading {
    switch (permission, platform) {
    // The dialog may not appear: for a restricted phone, the settings must be shown too.
    case (.denied, .ios): RawReading(.notDetermined, quality: .incomplete)
    case (.denied, .android): RawReading(.denied)
    case (.denied, .web): WebPermission.prompt.reading
    case (.denied, .unknown): .incomplete
    case (.deniedForever, _): RawReading(.denied, .settings)
    case (.whileInUse, .web): WebPermission.granted.reading
    case (.whileInUse, _): RawReading(.whenInUse, .settings)
    case (.always, .web): .contradictory
    case (.always, _): RawReading(.always)
    case (.unableToDetermine, _): .incomplete
    }
  }
}
