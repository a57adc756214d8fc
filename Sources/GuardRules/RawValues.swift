public import ShiftDomain

public enum RawSource: UInt8, Coded {
  case unknown = 0
  case coreLocation = 1
  case android = 2
  /// The web's Permissions API.
  case webPermissions = 3
  case permissionHandler = 4
  case geolocator = 5
  /// expo-location, its old interface and its next one.
  case expoLocation = 6
  case reactNativePermissions = 7
  /// Flutter's package `location`.
  case pubLocation = 8
  /// Transistorsoft's background-geolocation.
  case transistorsoft = 9
  /// HyperTrack's permission state.
  case hyperTrack = 10

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .coreLocation: "core_location"
    case .android: "android"
    case .webPermissions: "web_permissions"
    case .permissionHandler: "permission_handler"
    case .geolocator: "geolocator"
    case .expoLocation: "expo_location"
    case .reactNativePermissions: "react_native_permissions"
    case .pubLocation: "pub_location"
    case .transistorsoft: "transistorsoft"
    case .hyperTrack: "hypertrack"
    }
  }

  /// Whether the same value has different meanings on iOS, on Android or in a browser.
  public var dependsOnPlatform: Bool {
    switch self {
    case .permissionHandler, .geolocator, .expoLocation, .pubLocation, .transistorsoft: true
    case .unknown, .coreLocation, .android, .webPermissions, .reactNativePermissions, .hyperTrack:
      false
    }
  }
}

public enum RawValues: Hashable, Sendable {
  case unknown
  case coreLocation(CoreLocationValues)
  case android(AndroidFlags)
  case webPermissions(RawField<WebPermission>)
  case permissionHandler(PermissionHandlerValues)
  case geolocator(GeolocatorValues)
  case expoLocation(ExpoValues)
  case reactNativePermissions(ReactNativeValues)
  case pubLocation(PubLocationValues)
  case transistorsoft(TransistorsoftValues)
  case hyperTrack(RawField<HyperTrackState>)

  public var source: RawSource {
    switch self {
    case .unknown: .unknown
    case .coreLocation: .coreLocation
    case .android: .android
    case .webPermissions: .webPermissions
    case .permissionHandler: .permissionHandler
    case .geolocator: .geolocator
    case .expoLocation: .expoLocation
    case .reactNativePermissions: .reactNativePermissions
    case .pubLocation: .pubLocation
    case .transistorsoft: .transistorsoft
    case .hyperTrack: .hyperTrack
    }
  }

  /// Every input gives a reading. Some sources' values depend on the platform: that of the
  /// enrolment or, if it has none, `given`, which the app reports.
  public func reading(on enrolled: Platform, given: RawField<Platform> = .absent) -> RawReading {
    guard source.dependsOnPlatform else { return reading(of: .unknown) }
    let platform = RawField(enrolled.ifKnown)
      .agreeing(with: given.value == .unknown ? .absent : given)
    switch platform {
    case .given(let platform)?: return reading(of: platform)
    case .absent?: return reading(of: .unknown)
    case .unreadable?: return reading(of: enrolled).noting(given)
    case nil: return .contradictory
    }
  }

  private func reading(of platform: Platform) -> RawReading {
    switch self {
    case .unknown: .unknownValue
    case .coreLocation(let values): values.reading
    case .android(let flags): flags.reading
    case .webPermissions(let word): RawReading(word.translated { $0.reading })
    case .permissionHandler(let values): values.reading(on: platform)
    case .geolocator(let values): values.reading(on: platform)
    case .expoLocation(let values): values.reading(on: platform)
    case .reactNativePermissions(let values): values.reading
    case .pubLocation(let values): values.reading(on: platform)
    case .transistorsoft(let values): values.reading(on: platform)
    case .hyperTrack(let state): RawReading(state.translated { $0.reading })
    }
  }
}

extension Platform {
  fileprivate var ifKnown: Platform? { self == .unknown ? nil : self }
}
