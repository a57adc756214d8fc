/// What the system lets the app do with location.
///
/// - Source: iOS `CLAuthorizationStatus`; Android's fine, coarse and background permissions.
public enum Authorization: UInt8, Coded {
  /// The report could not be read. Never taken for a grant and never for a denial.
  case unknown = 0
  /// Never asked, or an *Allow Once* that has run out: the app may show the system's dialog.
  case notDetermined = 1
  /// Forbidden by parental control or by the device's administrator; the employee cannot grant it.
  case restricted = 2
  /// Refused by the employee, once or for good (see `GrantPath`).
  case denied = 3
  /// Granted while the app is in use.
  case whenInUse = 4
  /// Granted all the time.
  case always = 5

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .notDetermined: "not_determined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .whenInUse: "when_in_use"
    case .always: "always"
    }
  }
}

/// How the employee could grant what is missing.
public enum GrantPath: UInt8, Coded {
  /// The device cannot tell.
  case unknown = 0
  /// The app may show the system's dialog.
  case prompt = 1
  /// Only the system's settings can grant it now: a permanent denial.
  case settings = 2
  /// Only the device's administrator can.
  case administrator = 3

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .prompt: "prompt"
    case .settings: "settings"
    case .administrator: "administrator"
    }
  }
}

/// How exact the positions are that the app may have.
public enum LocationAccuracy: UInt8, Coded {
  /// The device cannot tell, or has no permission to which it would apply.
  case unknown = 0
  /// As exact as the hardware allows.
  case full = 1
  /// Approximate: kilometres.
  case reduced = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .full: "full"
    case .reduced: "reduced"
    }
  }
}

/// A switch of the device that the app may be unable to read.
public enum Switch: UInt8, Coded {
  /// Not reported, or not readable.
  case unknown = 0
  /// Off.
  case off = 1
  /// On.
  case on = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .off: "off"
    case .on: "on"
    }
  }
}

/// Settings beside the permission that make background tracking or its repair less reliable.
public struct DeviceConditions: Hashable, Sendable {
  /// Whether the app may show notifications.
  public var notifications: Switch
  /// Whether the system saves battery at the cost of this app. Android.
  public var batteryOptimisation: Switch
  /// Whether the app may refresh in the background. iOS; `unknown` when the employee cannot change
  /// it.
  public var backgroundRefresh: Switch
  /// Whether the whole device saves power.
  public var powerSave: Switch
  /// Whether a foreground service of type location runs. Android.
  public var foregroundService: Switch
  /// Whether a fix arrived in the background since *Always* was granted. Only then is iOS's
  /// *Always* known not to be the provisional kind.
  public var backgroundFix: Switch
  /// Whether another app makes positions up. Android.
  public var mockLocation: Switch

  /// Conditions of which only those named are known.
  public init(
    notifications: Switch = .unknown, batteryOptimisation: Switch = .unknown,
    backgroundRefresh: Switch = .unknown, powerSave: Switch = .unknown,
    foregroundService: Switch = .unknown, backgroundFix: Switch = .unknown,
    mockLocation: Switch = .unknown
  ) {
    self.notifications = notifications
    self.batteryOptimisation = batteryOptimisation
    self.backgroundRefresh = backgroundRefresh
    self.powerSave = powerSave
    self.foregroundService = foregroundService
    self.backgroundFix = backgroundFix
    self.mockLocation = mockLocation
  }
}

/// What a device says of its location permission at one instant. Never a single enum: each
/// dimension has a remedy of its own.
public struct PermissionState: Hashable, Sendable {
  /// What the system lets the app do.
  public var authorization: Authorization
  /// How more could be granted.
  public var grantPath: GrantPath
  /// How exact the positions may be.
  public var accuracy: LocationAccuracy
  /// The device's own location switch.
  public var services: Switch
  /// Settings beside the permission.
  public var conditions: DeviceConditions

  /// A state of which only what is named is known.
  public init(
    authorization: Authorization, grantPath: GrantPath = .unknown,
    accuracy: LocationAccuracy = .unknown, services: Switch = .unknown,
    conditions: DeviceConditions = DeviceConditions()
  ) {
    self.authorization = authorization
    self.grantPath = grantPath
    self.accuracy = accuracy
    self.services = services
    self.conditions = conditions
  }
}
