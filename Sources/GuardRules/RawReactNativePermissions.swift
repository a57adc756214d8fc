public import ShiftDomain

public enum ReactNativeResult: UInt8, Coded {
  /// Not available. Android: unknown permission. iOS: restricted.
  case unavailable = 0
  /// iOS: never asked. Android: not granted, once or permanently.
  case denied = 1
  /// Permanently denied. On Android only as the result of a request.
  case blocked = 2
  case granted = 3
  case limited = 4

  public var code: String {
    switch self {
    case .unavailable: "unavailable"
    case .denied: "denied"
    case .blocked: "blocked"
    case .granted: "granted"
    case .limited: "limited"
    }
  }

  var isGranted: Bool { self == .granted || self == .limited }
}

/// The values of react-native-permissions; its permissions tell the platform.
///
/// Pitfalls: on Android a check never reports blocked, so denied does not mean that the app may
/// ask. On iOS the result for always is blocked while in use, too. Android below API level 29 does
/// not have the background permission: it is unavailable there, and the grant includes it.
///
/// - Source: the library's RNPermissionHandlerLocationAlways.mm and RNPermissionsModuleImpl.kt.
public struct ReactNativeValues: Hashable, Sendable {
  public typealias Result = RawField<ReactNativeResult>

  /// `ios.permission.LOCATION_WHEN_IN_USE`.
  public var iosWhenInUse: Result
  /// `ios.permission.LOCATION_ALWAYS`.
  public var iosAlways: Result
  /// `checkLocationAccuracy()`, on iOS.
  public var locationAccuracy: RawField<LocationAccuracy>
  /// `android.permission.ACCESS_FINE_LOCATION`.
  public var androidFine: Result
  /// `android.permission.ACCESS_COARSE_LOCATION`.
  public var androidCoarse: Result
  /// `android.permission.ACCESS_BACKGROUND_LOCATION`.
  public var androidBackground: Result

  public init(
    iosWhenInUse: Result = .absent, iosAlways: Result = .absent,
    locationAccuracy: RawField<LocationAccuracy> = .absent, androidFine: Result = .absent,
    androidCoarse: Result = .absent, androidBackground: Result = .absent
  ) {
    self.iosWhenInUse = iosWhenInUse
    self.iosAlways = iosAlways
    self.locationAccuracy = locationAccuracy
    self.androidFine = androidFine
    self.androidCoarse = androidCoarse
    self.androidBackground = androidBackground
  }

  public var reading: RawReading {
    let isOfIOS = iosWhenInUse != .absent || iosAlways != .absent
    let isOfAndroid =
      androidFine != .absent || androidCoarse != .absent || androidBackground != .absent
    switch (isOfIOS, isOfAndroid) {
    case (true, true): return .contradictory
    case (true, false): return ios.adding(accuracy: locationAccuracy)
    case (false, true): return android.noting(locationAccuracy)
    case (false, false): return RawReading.incomplete.noting(locationAccuracy)
    }
  }

  private var ios: RawReading {
    if iosWhenInUse.isUnreadable || iosAlways.isUnreadable { return .unknownValue }
    let (foreground, always) = (iosWhenInUse.value, iosAlways.value)
    if foreground?.isGranted ?? true, always?.isGranted == true { return RawReading(.always) }
    if foreground?.isGranted == true {
      switch always {
      case .denied?: return RawReading(.whenInUse, .prompt)
      case .blocked?: return RawReading(.whenInUse, .settings)
      case nil: return RawReading(.whenInUse, .settings, quality: .incomplete)
      default: return .contradictory
      }
    }
    switch (foreground, always) {
    case (.denied?, .denied?), (.denied?, nil): return RawReading(.notDetermined, .prompt)
    case (.blocked?, .blocked?), (.blocked?, nil): return RawReading(.denied, .settings)
    // Restricted, or no such hardware: both have this value.
    case (.unavailable?, .unavailable?), (.unavailable?, nil), (nil, .unavailable?):
      return .incomplete
    // While in use, or not even that.
    case (nil, .denied?), (nil, .blocked?): return .incomplete
    default: return .contradictory
    }
  }

  private var android: RawReading {
    if androidFine.isUnreadable || androidCoarse.isUnreadable || androidBackground.isUnreadable {
      return .unknownValue
    }
    let (fine, coarse) = (androidFine.value, androidCoarse.value)
    let holdsFine = fine.map { $0.isGranted }
    let accuracy: RawField<LocationAccuracy> = RawField(holdsFine.map { $0 ? .full : .reduced })
    if holdsFine == true || coarse?.isGranted == true {
      return grantOnAndroid.adding(accuracy: accuracy)
    }
    let holdsBackground = androidBackground.value?.isGranted == true
    guard let fine, let coarse else {
      // Android grants the background only with the foreground.
      return holdsBackground
        ? RawReading(.always, quality: .incomplete).adding(accuracy: accuracy) : .incomplete
    }
    if holdsBackground { return .contradictory }
    if fine == .unavailable && coarse == .unavailable { return .incomplete }
    return RawReading(.denied, fine == .blocked || coarse == .blocked ? .settings : .unknown)
  }

  private var grantOnAndroid: RawReading {
    switch androidBackground.value {
    case .granted?, .limited?, .unavailable?: RawReading(.always)
    case .denied?, .blocked?: RawReading(.whenInUse, .settings)
    case nil: RawReading(.whenInUse, .settings, quality: .incomplete)
    }
  }
}
