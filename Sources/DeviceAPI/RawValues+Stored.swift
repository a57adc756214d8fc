import APIJSON
import JSONText

extension JSONFields {
  /// The raw values of a report as they are stored, so that support sees what the phone said: JSON
  /// with the fields that we read, as far as their values are words, whole numbers or flags.
  /// Everything else is left out, so that nothing can be a coordinate. `nil`: nothing is left, or
  /// it is longer than 1,000 characters.
  var storedRawValues: String? {
    let kept = readable(depth: 2)
    guard !kept.members.isEmpty else { return nil }
    let text = String(decoding: JSONValue.object(kept).bytes, as: UTF8.self)
    return text.unicodeScalars.count <= 1_000 ? text : nil
  }

  private func readable(depth: Int) -> JSONObject {
    var seen: Set<String> = []
    var members: [JSONObject.Member] = []
    for name in names where rawNames.contains(name) && seen.insert(name).inserted {
      guard let value = self[name].flatMap({ readable($0, depth: depth) }) else { continue }
      members.append(JSONObject.Member(name: name, value: value))
    }
    return JSONObject(members)
  }

  private func readable(_ value: JSONValue, depth: Int) -> JSONValue? {
    switch value {
    case .bool, .integer: return value
    case .string(let text): return text.isRawWord ? value : "?"
    case .object:
      guard depth > 0, let fields = try? JSONFields(value) else { return nil }
      return .object(fields.readable(depth: depth - 1))
    case .null, .number, .array: return nil
    }
  }
}

/// The names of all fields that `RawValues` reads, at any depth.
private let rawNames: Set<String> = [
  "platform", "authorizationStatus", "accuracyAuthorization", "locationServicesEnabled",
  "hasAskedAlways", "apiLevel", "fine", "coarse", "background", "shouldShowRationale", "hasAsked",
  "locationEnabled", "exitReason", "exitTimestamp", "hasAskedBackground", "restricted",
  "geolocation", "location", "locationWhenInUse", "locationAlways", "serviceStatus", "permission",
  "accuracy", "serviceEnabled", "ios.permission.LOCATION_WHEN_IN_USE",
  "ios.permission.LOCATION_ALWAYS", "locationAccuracy", "android.permission.ACCESS_FINE_LOCATION",
  "android.permission.ACCESS_COARSE_LOCATION", "android.permission.ACCESS_BACKGROUND_LOCATION",
  "permissionStatus", "status", "enabled", "state", "foreground", "hasServicesEnabled",
  "canAskAgain", "scope", "ios", "android",
]

extension String {
  /// Whether it can be a code of a library: up to 40 letters, digits, `_` and `-`.
  fileprivate var isRawWord: Bool {
    utf8.count <= 40
      && utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || (byte < 0x80 && Unicode.Scalar(byte).properties.isAlphabetic)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
