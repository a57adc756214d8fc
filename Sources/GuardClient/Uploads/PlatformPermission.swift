public import GuardRules
public import ShiftDomain

/// The permission in the platform's own values, as an adapter reads them. The tables of
/// `GuardRules` say what they mean, here as on the server: an unknown value is never a grant.
public struct PlatformPermission: Hashable, Sendable {
  public var raw: RawValues
  public var conditions: DeviceConditions
  /// Why and when the system ended the app's last process, by the phone's clock; `nil` if unknown.
  public var lastExit: AppExit?

  public init(
    raw: RawValues, conditions: DeviceConditions = DeviceConditions(), lastExit: AppExit? = nil
  ) {
    self.raw = raw
    self.conditions = conditions
    self.lastExit = lastExit
  }

  public func state(on platform: Platform) -> PermissionState {
    var state = raw.reading(on: platform).state
    state.conditions = conditions
    return state
  }
}

/// The phone and the app, as managers see them and as texts are written for.
public struct PhoneDescription: Hashable, Sendable {
  public var platform: Platform
  /// Such as `17.5`, at most 50 characters; `nil` if unknown.
  public var systemVersion: String?
  /// Maker and model, at most 100 characters.
  public var model: String?
  /// The app and its version, such as `Shifts 3.2`, at most 100 characters.
  public var app: String?

  public init(
    platform: Platform, systemVersion: String? = nil, model: String? = nil, app: String? = nil
  ) {
    self.platform = platform
    self.systemVersion = systemVersion
    self.model = model
    self.app = app
  }

  /// The number before the first point of the version.
  var systemMajor: Int? {
    systemVersion.flatMap { $0.split(separator: ".").first }.flatMap { Int($0) }
  }
}

/// What reads this phone's location. An app implements it with its platform's library; see
/// `deploy/docs/client.md`.
public protocol LocationAdapter: Sendable {
  /// The permission now. Must not show a dialog.
  func permission() async -> PlatformPermission
  /// A fresh position; `nil` if there is none within a few seconds, which is no error.
  func currentFix() async -> RecordedPing?
}
