/// - Source: iOS `CLAuthorizationStatus`; Android's fine, coarse and background permissions.
public enum Authorization: UInt8, Coded {
  /// The report could not be read. Never counts as a grant or a denial.
  case unknown = 0
  /// Never asked, or an *Allow Once* that has expired: the app may show the system's dialog.
  case notDetermined = 1
  /// Forbidden by parental control or by the device's administrator; the employee cannot grant it.
  case restricted = 2
  /// Denied by the employee, once or permanently (see `GrantPath`).
  case denied = 3
  case whenInUse = 4
  case always = 5

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

public enum GrantPath: UInt8, Coded {
  /// Unknown to the device.
  case unknown = 0
  /// The app may show the system's dialog.
  case prompt = 1
  /// Only the system's settings can grant it now, after a permanent denial.
  case settings = 2
  case administrator = 3

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .prompt: "prompt"
    case .settings: "settings"
    case .administrator: "administrator"
    }
  }
}

public enum LocationAccuracy: UInt8, Coded {
  /// Unknown to the device, or not applicable without a permission.
  case unknown = 0
  /// As exact as the hardware allows.
  case full = 1
  /// Approximate: kilometres.
  case reduced = 2

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .full: "full"
    case .reduced: "reduced"
    }
  }
}

/// A switch of the device, which the app may be unable to read.
public enum Switch: UInt8, Coded {
  /// Not reported, or not readable.
  case unknown = 0
  case off = 1
  case on = 2

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .off: "off"
    case .on: "on"
    }
  }
}

/// Settings besides the permission that make background tracking or its repair less reliable.
public struct DeviceConditions: Hashable, Sendable {
  public var notifications: Switch
  /// Whether the system restricts this app to save battery. Android.
  public var batteryOptimisation: Switch
  /// Whether the app may refresh in the background. iOS; `unknown` if it cannot be changed.
  public var backgroundRefresh: Switch
  /// Whether the whole device saves power.
  public var powerSave: Switch
  /// Whether a foreground service of type location runs. Android.
  public var foregroundService: Switch
  /// Whether a background fix came since the grant: else iOS's *Always* may be provisional.
  public var backgroundFix: Switch
  /// Whether another app mocks positions. Android.
  public var mockLocation: Switch

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

/// A setting in `DeviceConditions`, for code that handles all of them.
public enum DeviceCondition: CaseIterable, Hashable, Sendable {
  case notifications
  case batteryOptimisation
  case backgroundRefresh
  case powerSave
  case foregroundService
  case backgroundFix
  case mockLocation

  public var name: String {
    switch self {
    case .notifications: "notifications"
    case .batteryOptimisation: "batteryOptimisation"
    case .backgroundRefresh: "backgroundRefresh"
    case .powerSave: "powerSave"
    case .foregroundService: "foregroundService"
    case .backgroundFix: "backgroundFix"
    case .mockLocation: "mockLocation"
    }
  }
}

extension DeviceConditions {
  public subscript(condition: DeviceCondition) -> Switch {
    get {
      switch condition {
      case .notifications: notifications
      case .batteryOptimisation: batteryOptimisation
      case .backgroundRefresh: backgroundRefresh
      case .powerSave: powerSave
      case .foregroundService: foregroundService
      case .backgroundFix: backgroundFix
      case .mockLocation: mockLocation
      }
    }
    set {
      switch condition {
      case .notifications: notifications = newValue
      case .batteryOptimisation: batteryOptimisation = newValue
      case .backgroundRefresh: backgroundRefresh = newValue
      case .powerSave: powerSave = newValue
      case .foregroundService: foregroundService = newValue
      case .backgroundFix: backgroundFix = newValue
      case .mockLocation: mockLocation = newValue
      }
    }
  }
}

/// A device's location permission. Not one enum, because each dimension has its own remedy.
public struct PermissionState: Hashable, Sendable {
  public var authorization: Authorization
  public var grantPath: GrantPath
  public var accuracy: LocationAccuracy
  public var services: Switch
  public var conditions: DeviceConditions

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
