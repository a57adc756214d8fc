public import ShiftDomain

// What each platform's own interface says, mapped one to one. A value nobody knows becomes
// `unknown`, never granted.

/// Raw values of Apple's CoreLocation.
public struct CoreLocationValues: Hashable, Sendable {
  /// `CLAuthorizationStatus`: 0 not determined, 1 restricted, 2 denied, 3 always, 4 when in use.
  public var authorizationStatus: Int
  /// `CLAccuracyAuthorization`: 0 full, 1 reduced; `nil` before iOS 14.
  public var accuracyAuthorization: Int?
  /// `CLLocationManager.locationServicesEnabled()`.
  public var locationServicesEnabled: Bool?

  /// Raw values as the app read them.
  public init(
    authorizationStatus: Int, accuracyAuthorization: Int? = nil,
    locationServicesEnabled: Bool? = nil
  ) {
    self.authorizationStatus = authorizationStatus
    self.accuracyAuthorization = accuracyAuthorization
    self.locationServicesEnabled = locationServicesEnabled
  }

  /// The canonical state. Accuracy is told only where there is a grant for it to apply to.
  public var state: PermissionState {
    let (authorization, grantPath): (Authorization, GrantPath) =
      switch authorizationStatus {
      case 0: (.notDetermined, .prompt)
      case 1: (.restricted, .administrator)
      case 2: (.denied, .settings)
      case 3: (.always, .unknown)
      case 4: (.whenInUse, .settings)
      default: (.unknown, .unknown)
      }
    let isGranted = authorization == .always || authorization == .whenInUse
    let accuracy: LocationAccuracy =
      switch accuracyAuthorization {
      case 0 where isGranted: .full
      case 1 where isGranted: .reduced
      default: .unknown
      }
    return PermissionState(
      authorization: authorization, grantPath: grantPath, accuracy: accuracy,
      services: Switch(locationServicesEnabled))
  }
}

/// Raw flags of Android.
public struct AndroidFlags: Hashable, Sendable {
  /// `Build.VERSION.SDK_INT`.
  public var apiLevel: Int
  /// Whether `ACCESS_FINE_LOCATION` is granted.
  public var fine: Bool
  /// Whether `ACCESS_COARSE_LOCATION` is granted.
  public var coarse: Bool
  /// Whether `ACCESS_BACKGROUND_LOCATION` is granted; `nil` below API level 29.
  public var background: Bool?
  /// `shouldShowRequestPermissionRationale` for the location permission.
  public var shouldShowRationale: Bool?
  /// Whether the app has ever shown the dialog. The system does not tell, so the app must remember.
  public var hasAsked: Bool?
  /// `LocationManager.isLocationEnabled`.
  public var locationEnabled: Bool?

  /// Raw flags as the app read them.
  public init(
    apiLevel: Int, fine: Bool, coarse: Bool, background: Bool? = nil,
    shouldShowRationale: Bool? = nil, hasAsked: Bool? = nil, locationEnabled: Bool? = nil
  ) {
    self.apiLevel = apiLevel
    self.fine = fine
    self.coarse = coarse
    self.background = background
    self.shouldShowRationale = shouldShowRationale
    self.hasAsked = hasAsked
    self.locationEnabled = locationEnabled
  }

  /// The canonical state. Below API level 29 a grant includes the background. A background grant
  /// without any other contradicts itself and is `unknown`; so is an API level below 1, which is an
  /// app that could not read it and would otherwise turn while-in-use into always.
  public var state: PermissionState {
    let authorization = self.authorization
    let isGranted = authorization == .always || authorization == .whenInUse
    return PermissionState(
      authorization: authorization, grantPath: grantPath(authorization),
      accuracy: isGranted ? (fine ? .full : .reduced) : .unknown,
      services: Switch(locationEnabled))
  }

  private var authorization: Authorization {
    let foreground = fine || coarse
    if apiLevel < 1 || !foreground && background == true { return .unknown }
    if apiLevel < 29 { return foreground ? .always : refusal }
    switch (foreground, background) {
    case (true, true?): return .always
    case (true, false?): return .whenInUse
    case (true, nil): return .unknown
    case (false, _): return refusal
    }
  }

  /// Without a grant: never asked, or refused.
  private var refusal: Authorization { hasAsked == false ? .notDetermined : .denied }

  /// From one sample, "no rationale" means never asked or refused for good; only the app's own
  /// memory of having asked tells them apart.
  private func grantPath(_ authorization: Authorization) -> GrantPath {
    switch authorization {
    case .notDetermined: .prompt
    case .whenInUse: .settings
    case .denied:
      switch (shouldShowRationale, hasAsked) {
      case (true?, _): .prompt
      case (false?, true?): .settings
      default: .unknown
      }
    case .unknown, .restricted, .always: .unknown
    }
  }
}

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

  /// The canonical state. A browser does not tell whether the device's location is on.
  public var state: PermissionState {
    switch self {
    case .unknown: PermissionState(authorization: .unknown)
    case .granted: PermissionState(authorization: .whenInUse)
    case .prompt: PermissionState(authorization: .notDetermined, grantPath: .prompt)
    case .denied: PermissionState(authorization: .denied, grantPath: .settings)
    }
  }
}

extension Switch {
  /// On, off, or unknown for `nil`.
  public init(_ isOn: Bool?) {
    switch isOn {
    case true?: self = .on
    case false?: self = .off
    case nil: self = .unknown
    }
  }
}
