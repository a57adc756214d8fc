public import ShiftDomain

/// `LocationPermission` of Flutter's geolocator, by its index.
public enum GeolocatorPermission: UInt8, Coded {
  /// iOS: never asked, or restricted. Android: refused, once or for good. Web: the browser would
  /// ask.
  case denied = 0
  /// Refused for good. On Android only ever the answer to a request.
  case deniedForever = 1
  /// While in use.
  case whileInUse = 2
  /// All the time.
  case always = 3
  /// A browser without the Permissions API.
  case unableToDetermine = 4

  /// The library's word.
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
  /// Approximate.
  case reduced = 0
  /// Exact.
  case precise = 1
  /// The library cannot tell.
  case unknown = 2

  /// The library's word.
  public var code: String {
    switch self {
    case .reduced: "reduced"
    case .precise: "precise"
    case .unknown: "unknown"
    }
  }
}

/// What Flutter's geolocator says.
///
/// Traps: on iOS it hides *restricted* behind the word for never asked; on Android a coarse grant
/// alone counts, below API level 29 as always, and without the background permission in its
/// manifest an app never has more than while in use.
public struct GeolocatorValues: Hashable, Sendable {
  /// `Geolocator.checkPermission()`, or what a request answered.
  public var permission: RawField<GeolocatorPermission>
  /// `Geolocator.getLocationAccuracy()`.
  public var accuracy: RawField<GeolocatorAccuracy>
  /// `Geolocator.isLocationServiceEnabled()`.
  public var serviceEnabled: RawField<Bool>

  /// Values as the app read them.
  public init(
    permission: RawField<GeolocatorPermission>, accuracy: RawField<GeolocatorAccuracy> = .absent,
    serviceEnabled: RawField<Bool> = .absent
  ) {
    self.permission = permission
    self.accuracy = accuracy
    self.serviceEnabled = serviceEnabled
  }

  /// In our words, of a device that runs `platform`.
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
    // The dialog may not come: whoever is restricted must learn of the settings, too.
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
