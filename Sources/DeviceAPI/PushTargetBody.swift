import Cryptography
import HTTPAPI
import JSONText
import ReadModels
import ShiftDomain

/// The body of `PUT /v1/me/push-target`.
struct PushTargetBody: Sendable {
  private let channel: Channel
  private let address: String
  private let isSandbox: Bool
  private let publicKey: [UInt8]?
  private let secret: [UInt8]?

  init(_ fields: JSONFields) throws(BodyFault) {
    guard let channel: Channel = try fields.knownWord("channel"),
      [.apns, .fcm, .webPush].contains(channel)
    else { throw BodyFault(at: fields.place("channel"), "must be `apns`, `fcm` or `web_push`") }
    self.channel = channel
    isSandbox = try fields.flag("sandbox") ?? false
    let isBrowser = channel == .webPush
    let name = isBrowser ? "endpoint" : "token"
    address = try fields.required(name, fields.text(name, min: 1, max: 2_048))
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw BodyFault(at: fields.place(name), "must be printable ASCII")
    }
    guard isBrowser else {
      (publicKey, secret) = (nil, nil)
      return
    }
    guard address.hasPrefix("https://") else {
      throw BodyFault(at: fields.place(name), "must begin with `https://`")
    }
    // As in a browser's PushSubscription.
    publicKey = try Self.bytes("p256dh", count: 65, fields)
    secret = try Self.bytes("auth", count: 16, fields)
  }

  private static func bytes(_ name: String, count: Int, _ fields: JSONFields)
    throws(BodyFault) -> [UInt8]
  {
    let text = try fields.required(name, fields.text(name, min: 1, max: 200))
    guard let bytes = Base64URL.decode(text), bytes.count == count else {
      throw BodyFault(at: fields.place(name), "must be \(count) bytes in base64url")
    }
    return bytes
  }

  func target(at now: Instant) -> PushTarget {
    PushTarget(
      channel, address: address, isSandbox: isSandbox, publicKey: publicKey, secret: secret,
      registeredAt: now)
  }
}
