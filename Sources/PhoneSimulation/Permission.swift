internal import ShiftDomain

/// What a phone says of its location permission, in the API's words. A condition that is not there
/// is not known.
public struct Permission: Sendable, Equatable, Codable {
  /// Such as `always`.
  public var authorization: String
  /// How more could be granted.
  public var grantPath: String?
  /// How exact positions are.
  public var accuracy: String?
  /// The device's own location switch.
  public var services: String?
  /// Settings beside the permission, by their names in JSON.
  public var conditions: [String: String]

  /// A permission of which only what is named is known.
  public init(
    _ authorization: String, grantPath: String? = nil, accuracy: String? = nil,
    services: String? = nil, conditions: [String: String] = [:]
  ) {
    self.authorization = authorization
    self.grantPath = grantPath
    self.accuracy = accuracy
    self.services = services
    self.conditions = conditions
  }
}

/// What a line of a script says of a permission. The phone's switches stay as they were where the
/// line is silent; how to grant belongs to the authorization and does not outlive it.
public struct PermissionChange: Sendable, Equatable {
  /// What the line names.
  public var said: Permission

  /// The permission after it.
  public func applied(to before: Permission?) -> Permission {
    guard let before else { return said }
    return Permission(
      said.authorization, grantPath: said.grantPath, accuracy: said.accuracy ?? before.accuracy,
      services: said.services ?? before.services,
      conditions: before.conditions.merging(said.conditions) { _, new in new })
  }
}

/// The conditions' words in a script, and their names in JSON.
private let conditionNames = [
  "notifications": "notifications", "battery-optimisation": "batteryOptimisation",
  "background-refresh": "backgroundRefresh", "power-save": "powerSave",
  "foreground-service": "foregroundService", "background-fix": "backgroundFix",
]

extension Words {
  /// `AUTHORIZATION [grant WORD] [accuracy WORD] [services SWITCH] [CONDITION SWITCH]…`, up to a
  /// word that is none of these.
  mutating func permissionChange() throws(ScriptFault) -> PermissionChange {
    var said = Permission(try next("authorization", of: Authorization.self).code)
    while true {
      if take("grant") {
        said.grantPath = try next("way to grant", of: GrantPath.self).code
      } else if take("accuracy") {
        said.accuracy = try next("accuracy", of: LocationAccuracy.self).code
      } else if take("services") {
        said.services = try next("state of services", of: Switch.self).code
      } else if let condition = conditionNames.keys.sorted().first(where: { take($0) }) {
        said.conditions[conditionNames[condition] ?? condition] =
          try next("state of \(condition)", of: Switch.self).code
      } else {
        return PermissionChange(said: said)
      }
    }
  }
}
