import ShiftDomain

/// How a device describes itself. Free text, never trusted: it only selects the wording.
package struct DeviceDescription: Hashable, Sendable {
  package var platform: Platform
  /// As the device gives it, such as `17.5.1` or `Android 14`; any text, or `nil` if unknown.
  package var osVersion: String?
  /// The phone's manufacturer, such as `samsung`; any text, or `nil` if unknown.
  package var maker: String?

  package init(platform: Platform, osVersion: String? = nil, maker: String? = nil) {
    self.platform = platform
    self.osVersion = osVersion
    self.maker = maker
  }

  /// The first number in the version, 1…99; `nil` if there is none in this range.
  package var osMajor: Int? {
    guard let osVersion else { return nil }
    let digits = osVersion.utf8.prefix(64)
      .drop { !($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
      .prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard digits.count <= 2 else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return number > 0 ? number : nil
  }

  /// The group of manufacturers whose settings differ from stock Android.
  var makerFamily: MakerFamily {
    let name = (maker ?? "").prefix(32).lowercased().drop { $0 == " " }
    if name.hasPrefix("samsung") { return .samsung }
    if ["xiaomi", "redmi", "poco"].contains(where: { name.hasPrefix($0) }) { return .xiaomi }
    return .other
  }
}

enum MakerFamily {
  case samsung, xiaomi, other
}
