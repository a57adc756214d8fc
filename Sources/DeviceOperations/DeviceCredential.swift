import Cryptography
import OperationCore
import ShiftDomain
import ShiftStore

/// A device's credential, from its token. Only the secret's hash is compared, and only the hash is
/// stored.
package struct DeviceCredential: Hashable, Sendable {
  package var device: DeviceID
  /// SHA-256 of the secret.
  package let secretHash: [UInt8]
  /// The app from a store to whose address it came; `nil`: to another address. The token of such an
  /// app is valid only there, because proxies log addresses that contain it.
  let storeApp: PhoneApp?

  /// `nil` for anything that is not a device's token.
  package init?(token: String, to storeApp: PhoneApp? = nil) {
    let parts = token.utf8.split(
      separator: UInt8(ascii: "_"), maxSplits: 3, omittingEmptySubsequences: false
    ).map { Substring($0) }
    guard parts.count == 4, parts[0] == "sg", let employee = Int32(parts[1]), employee > 0,
      let number = Int16(parts[2]), number > 0, let secret = Base64URL.decode(String(parts[3])),
      secret.count == DeviceToken.secretBytes
    else { return nil }
    device = DeviceID(employee: EmployeeID(employee), number: number)
    secretHash = sha256(secret)
    self.storeApp = storeApp
  }

  /// Whether this is the credential of the device of `inputs`, which is not revoked, and is valid
  /// where it was sent.
  func opens(_ inputs: DecisionInputs) -> Bool {
    isOf(inputs) && (inputs.device.phoneApp == nil || inputs.device.phoneApp == storeApp)
  }

  /// Whether it is the token of an app from a store, sent where it is not valid.
  func isMisplaced(_ inputs: DecisionInputs) -> Bool { isOf(inputs) && !opens(inputs) }

  private func isOf(_ inputs: DecisionInputs) -> Bool {
    inputs.device.revokedAt == nil && matches(inputs.tokenHash)
  }

  /// Whether its secret has this hash.
  func matches(_ tokenHash: [UInt8]) -> Bool { constantTimeEqual(tokenHash, secretHash) }
}

extension Pulse {
  init(
    of credential: DeviceCredential, receivedAt: Instant, fixAt: Instant? = nil,
    positionAt: Instant? = nil, sign: Sign? = nil
  ) {
    self.init(
      device: credential.device, tokenHash: credential.secretHash, receivedAt: receivedAt,
      fixAt: fixAt, positionAt: positionAt, sign: sign)
  }
}
