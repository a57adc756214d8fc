public import GuardRules
import JSONText
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
  /// Such as `17.5`: the steps are written for it. Up to 50 characters are sent; `nil` if unknown.
  public var systemVersion: String?
  /// Maker and model. Up to 100 characters are sent.
  public var model: String?
  /// The app and its version, such as `Shifts 3.2`. Up to 100 characters are sent.
  public var app: String?
  /// The app's name as the phone shows it, such as `Field Work`: the steps then name it. Up to 30
  /// characters of one line are sent.
  public var appName: String?

  public init(
    platform: Platform, systemVersion: String? = nil, model: String? = nil, app: String? = nil,
    appName: String? = nil
  ) {
    self.platform = platform
    self.systemVersion = systemVersion
    self.model = model
    self.app = app
    self.appName = appName
  }

  /// `osVersion` and `model` of the API.
  var deviceJSON: JSONObject {
    ["osVersion": json(systemVersion, max: 50), "model": json(model, max: 100)]
  }

  /// `app` and `appName` of the API.
  var appJSON: JSONObject { ["app": json(app, max: 100), "appName": json(appName, max: 30)] }

  /// The rules are compiled into the app, so its version names theirs.
  var rulesVersion: String? {
    let version = app.map { oneLine($0, max: 50) } ?? ""
    return version.isEmpty ? nil : version
  }

  /// What the server would refuse is left out, because it would refuse the whole report.
  private func json(_ text: String?, max: Int) -> JSONValue? {
    let text = text.map { oneLine($0, max: max) } ?? ""
    return text.isEmpty ? nil : .string(text)
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

/// `text` as one line of at most `max` Unicode scalars, without spaces around it.
func oneLine(_ text: String, max: Int) -> String {
  let plain = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
    if scalar.properties.isWhitespace { return " " }
    return [.control, .format].contains(scalar.properties.generalCategory) ? nil : scalar
  }
  var line = Array(plain.drop { $0 == " " }.prefix(max))
  while line.last == " " { line.removeLast() }
  var view = String.UnicodeScalarView()
  view.append(contentsOf: line)
  return String(view)
}
