import Cryptography
import ShiftDomain

/// A device's bearer token: `sg_<employee>_<device>_<secret>`. It contains the device, so that one
/// row is enough to check it.
package enum DeviceToken {
  /// 256 random bits.
  package static let secretBytes = 32

  package static func text(of device: DeviceID, secret: [UInt8]) -> String {
    "sg_\(device.employee.rawValue)_\(device.number)_\(Base64URL.encode(secret))"
  }
}
