public import ShiftDomain

/// What a device says it is. Free text, never trusted: it only chooses between wordings.
public struct DeviceDescription: Hashable, Sendable {
  /// The system it runs.
  public var platform: Platform
  /// The system's version as the device gives it, such as `17.5.1` or `Android 14`; any text, or
  /// `nil` when not told.
  public var osVersion: String?
  /// Who made the phone, such as `samsung`; any text, or `nil` when not told.
  public var maker: String?

  /// A device of which only what is named is known.
  public init(platform: Platform, osVersion: String? = nil, maker: String? = nil) {
    self.platform = platform
    self.osVersion = osVersion
    self.maker = maker
  }

  /// The first number in the version, 1…99; `nil` where there is none that a system could have.
  public var osMajor: Int? {
    guard let osVersion else { return nil }
    let digits = osVersion.utf8.prefix(64)
      .drop { !($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
      .prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard digits.count <= 2 else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return number > 0 ? number : nil
  }

  /// The makers whose settings are known to differ from stock Android.
  var makerFamily: MakerFamily {
    let name = (maker ?? "").prefix(32).lowercased().drop { $0 == " " }
    if name.hasPrefix("samsung") { return .samsung }
    if ["xiaomi", "redmi", "poco"].contains(where: { name.hasPrefix($0) }) { return .xiaomi }
    return .other
  }
}

/// Whose settings an Android phone has.
enum MakerFamily {
  case samsung, xiaomi, other
}
