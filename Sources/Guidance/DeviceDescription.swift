import ShiftDomain

/// How a device describes itself. Free text, never trusted: it only selects the wording.
package struct DeviceDescription: Hashable, Sendable {
  package var platform: Platform
  /// As the device gives it, such as `17.5.1` or `Android 14`; any text, or `nil` if unknown.
  package var osVersion: String?
  /// The phone's manufacturer, such as `samsung`; any text, or `nil` if unknown.
  package var maker: String?
  /// The app's name, as the phone shows it; `nil` if unknown.
  package var appName: String?

  package init(
    platform: Platform, osVersion: String? = nil, maker: String? = nil, appName: String? = nil
  ) {
    self.platform = platform
    self.osVersion = osVersion
    self.maker = maker
    self.appName = appName
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

/// The browser of a page and the system below it. A page names both like a phone: the browser with
/// its version as the model, such as `Safari 17` or `Safari 17 (installed)`, and the system as its
/// version, such as `Android 14` or `iPhone OS 17.5`.
struct WebBrowser: Equatable {
  /// Browsers whose menus differ; Edge and Opera have those of Chrome.
  enum Name { case chrome, safari, firefox, samsung, other }
  enum System { case android, ios, other }

  var name: Name
  var system: System
  /// Whether the page was opened from the Home Screen, in a window without an address.
  var isInstalled: Bool
  /// The system's version, as far as it is known. Safari freezes the one that it names, but has the
  /// same version itself.
  var systemMajor: Int?

  init(_ device: DeviceDescription) {
    let browser = (device.maker ?? "").prefix(32)
    let system = (device.osVersion ?? "").prefix(32)
    let names: [(String, Name)] = [
      ("Samsung", .samsung), ("Firefox", .firefox), ("Safari", .safari), ("Chrome", .chrome),
      ("Edge", .chrome), ("Opera", .chrome),
    ]
    isInstalled = device.maker?.hasSuffix("(installed)") == true
    name = names.first { browser.hasPrefix($0.0) }?.1 ?? .other
    self.system =
      system.hasPrefix("Android")
      ? .android
      : system.hasPrefix("iPhone OS") || system.hasPrefix("OS ") ? .ios : .other
    let versioned = DeviceDescription(platform: .ios, osVersion: device.maker)
    systemMajor = name == .safari ? versioned.osMajor : device.osMajor
  }
}
