import APIMessages
import GuardRules
import JSONText
import ShiftDomain

// A phone that is newer than we are must not lose its report: what we cannot read of its raw values
// is unknown, never an error and never a grant.

extension PermissionState {
  /// The platform's own values in our words.
  /// - Parameters:
  ///   - source: Whose values these are; of one that nobody knows everything is unknown.
  ///   - raw: The values.
  init(source: String, raw: JSONFields) {
    self =
      switch source {
      case "core_location": CoreLocationValues(raw)?.state ?? .unreadable
      case "android": AndroidFlags(raw)?.state ?? .unreadable
      case "web_permissions": WebPermission(raw).state
      default: .unreadable
      }
  }

  private static let unreadable = PermissionState(authorization: .unknown)
}

extension CoreLocationValues {
  fileprivate init?(_ raw: JSONFields) {
    guard let status = raw.wholeNumber("authorizationStatus") else { return nil }
    self.init(
      authorizationStatus: status,
      accuracyAuthorization: raw.wholeNumber("accuracyAuthorization"),
      locationServicesEnabled: raw["locationServicesEnabled"]?.boolean)
  }
}

extension AndroidFlags {
  fileprivate init?(_ raw: JSONFields) {
    guard let apiLevel = raw.wholeNumber("apiLevel"), let fine = raw["fine"]?.boolean,
      let coarse = raw["coarse"]?.boolean
    else { return nil }
    self.init(
      apiLevel: apiLevel, fine: fine, coarse: coarse, background: raw["background"]?.boolean,
      shouldShowRationale: raw["shouldShowRationale"]?.boolean,
      hasAsked: raw["hasAsked"]?.boolean, locationEnabled: raw["locationEnabled"]?.boolean)
  }
}

extension WebPermission {
  fileprivate init(_ raw: JSONFields) {
    guard case .string(let word) = raw["geolocation"] else {
      self = .unknown
      return
    }
    self = WebPermission(code: word) ?? .unknown
  }
}

extension JSONFields {
  /// The whole number called `name`; `nil` for anything else.
  fileprivate func wholeNumber(_ name: String) -> Int? {
    self[name]?.wholeNumber.map { Int($0) }
  }
}
