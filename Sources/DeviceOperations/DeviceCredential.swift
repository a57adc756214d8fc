import Cryptography
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
    guard let credential = token.withUTF8Span({ DeviceCredential(token: $0, to: storeApp) }) else {
      return nil
    }
    self = credential
  }

  /// The same of the bytes of the token.
  package init?(token: Span<UInt8>, to storeApp: PhoneApp? = nil) {
    guard token.count >= 3, token[0] == UInt8(ascii: "s"), token[1] == UInt8(ascii: "g"),
      token[2] == UInt8(ascii: "_")
    else { return nil }
    var place = 3
    guard let employee: Int32 = Self.number(in: token, at: &place),
      let number: Int16 = Self.number(in: token, at: &place),
      let hash = Base64URL.hash(ofSecret: token.extracting(place...))
    else { return nil }
    device = DeviceID(employee: EmployeeID(employee), number: number)
    secretHash = hash
    self.storeApp = storeApp
  }

  /// A number from 1 on, with any number of leading zeros or a plus sign, and the underscore behind
  /// it.
  private static func number<Number: FixedWidthInteger>(
    in token: Span<UInt8>, at place: inout Int
  ) -> Number? {
    if place < token.count, token[place] == UInt8(ascii: "+") { place += 1 }
    var number: Number = 0
    while place < token.count, token[place] != UInt8(ascii: "_") {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(token[place]) else { return nil }
      let (tens, isTooMuch) = number.multipliedReportingOverflow(by: 10)
      let (sum, isAbove) = tens.addingReportingOverflow(Number(token[place] - UInt8(ascii: "0")))
      guard !isTooMuch, !isAbove else { return nil }
      number = sum
      place += 1
    }
    guard place < token.count, number > 0 else { return nil }
    place += 1
    return number
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
