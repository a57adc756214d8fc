import ShiftDomain

/// The location permission that a phone reports, with the codes of the API. A missing condition is
/// unknown.
package struct Permission: Sendable, Equatable, Codable {
  /// The authorization, such as `always`.
  package var authorization: String
  /// How a better permission could be granted.
  package var grantPath: String?
  /// The accuracy of positions.
  package var accuracy: String?
  /// The device's own location switch.
  package var services: String?
  /// Other settings, by their names in JSON.
  package var conditions: [String: String]

  /// A permission in which everything else is unknown.
  package init(
    _ authorization: String, grantPath: String? = nil, accuracy: String? = nil,
    services: String? = nil, conditions: [String: String] = [:]
  ) {
    self.authorization = authorization
    self.grantPath = grantPath
    self.accuracy = accuracy
    self.services = services
    self.conditions = conditions
  }

  /// The permission as reports have it.
  var state: PermissionState {
    var state = PermissionState(
      authorization: word(authorization) ?? .unknown, grantPath: word(grantPath) ?? .unknown,
      accuracy: word(accuracy) ?? .unknown, services: word(services) ?? .unknown)
    for condition in DeviceCondition.allCases {
      state.conditions[condition] = word(conditions[condition.name]) ?? .unknown
    }
    return state
  }

  private func word<Word: Coded>(_ code: String?) -> Word? { code.flatMap { Word(code: $0) } }
}

/// A permission change in a script. Switches that the line does not name stay as they were; the
/// grant path belongs to the authorization and changes with it.
package struct PermissionChange: Sendable, Equatable {
  /// The values in the line.
  package var said: Permission

  /// The permission after the change.
  package func applied(to before: Permission?) -> Permission {
    guard let before else { return said }
    return Permission(
      said.authorization, grantPath: said.grantPath, accuracy: said.accuracy ?? before.accuracy,
      services: said.services ?? before.services,
      conditions: before.conditions.merging(said.conditions) { _, new in new })
  }
}

extension DeviceCondition {
  /// Its name in scripts: `power-save` for `powerSave`.
  package var scriptName: String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }
}

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
      } else if let condition = DeviceCondition.allCases.first(where: { take($0.scriptName) }) {
        said.conditions[condition.name] =
          try next("state of \(condition.scriptName)", of: Switch.self).code
      } else {
        return PermissionChange(said: said)
      }
    }
  }
}
