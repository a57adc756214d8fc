import Cryptography
import Foundation
import HTTPSending
import JSONText
import NotificationSending
import ShiftDomain

/// Why the file of `--channels` cannot be used. Never quotes a secret.
struct ChannelFault: Error, CustomStringConvertible {
  let description: String
}

struct WebhookSettings: Sendable {
  var reach: [AddressRange] = []
  /// A file of certificates (PEM) to trust instead of the system's.
  var authorities: String?
}

/// The channels from the file of `--channels`. A channel that is not in the file is not set up, and
/// notifications that need it wait. Webhooks need no settings, except to reach internal addresses.
struct ChannelSettings: Sendable {
  var apns: APNsSettings?
  var fcm: FCMSettings?
  var webPush: WebPushSettings?
  var mail: MailSettings?
  var webhooks = WebhookSettings()

  /// What browsers need to subscribe to push messages, in base64url.
  var pushKey: String? { webPush.map { Base64URL.encode($0.key.publicKey.point) } }

  init() {}

  init(file path: String) throws(ChannelFault) {
    let bytes = try Self.read(path, named: "--channels")
    do throws(BodyFault) {
      guard let value = try? JSONValue(parsing: bytes) else {
        throw BodyFault(at: "", "is not JSON")
      }
      let fields = try JSONFields(value)
      let channels = ["apns", "fcm", "webPush", "email", "webhooks"]
      for name in fields.names where !channels.contains(name) {
        throw BodyFault(at: fields.place(name), "is not a channel")
      }
      apns = try fields.object("apns").map(Self.apns)
      fcm = try fields.object("fcm").map(Self.fcm)
      webPush = try fields.object("webPush").map(Self.webPush)
      mail = try fields.object("email").map(Self.mail)
      webhooks = try fields.object("webhooks").map(Self.webhooks) ?? WebhookSettings()
    } catch {
      let place = error.pointer.isEmpty ? path : error.pointer
      throw ChannelFault(description: "--channels: `\(place)` \(error.detail)")
    }
  }

  private static func apns(_ fields: JSONFields) throws(BodyFault) -> APNsSettings {
    APNsSettings(
      teamID: try text("team", fields), keyID: try text("keyId", fields), key: try key(fields),
      topic: try text("topic", fields))
  }

  private static func fcm(_ fields: JSONFields) throws(BodyFault) -> FCMSettings {
    guard var settings = FCMSettings(keyFile: try contents("keyFile", fields)) else {
      throw BodyFault(at: fields.place("keyFile"), "must name a service account key file")
    }
    if let origin = try fields.text("origin", min: 1, max: 200) { settings.origin = origin }
    if let url = try fields.text("tokenUrl", min: 1, max: 200) { settings.tokenURL = url }
    return settings
  }

  private static func webPush(_ fields: JSONFields) throws(BodyFault) -> WebPushSettings {
    WebPushSettings(key: try key(fields), contact: try text("contact", fields))
  }

  private static func mail(_ fields: JSONFields) throws(BodyFault) -> MailSettings {
    let protections: [String: MailServer.Protection] = [
      "start_tls": .startTLS, "tls": .tls, "none": .none,
    ]
    guard
      let protection = protections[
        try fields.text("protection", min: 1, max: 20) ?? "start_tls"]
    else { throw BodyFault(at: fields.place("protection"), "must be `start_tls`, `tls` or `none`") }
    var login: MailServer.Login?
    if let user = try fields.text("user", min: 1, max: 200) {
      let password = String(decoding: try contents("passwordFile", fields), as: UTF8.self)
      login = MailServer.Login(
        name: user, password: password.trimmingCharacters(in: .newlines))
    }
    let port = try fields.integer("port", in: 1...65_535) ?? 587
    let host = try text("host", fields)
    return MailSettings(
      server: MailServer(
        host: host, port: UInt16(clamping: port), protection: protection, login: login,
        ownName: try fields.text("ownName", min: 1, max: 200) ?? "localhost"),
      sender: try text("from", fields),
      senderName: try fields.text("fromName", min: 1, max: 100) ?? "ShiftGuard")
  }

  private static func webhooks(_ fields: JSONFields) throws(BodyFault) -> WebhookSettings {
    var settings = WebhookSettings()
    for value in try fields.elements("reach") ?? [] {
      guard case .string(let text) = value, let range = AddressRange(text) else {
        throw BodyFault(at: fields.place("reach"), "must be addresses such as `10.0.0.0/8`")
      }
      settings.reach.append(range)
    }
    if let path = try fields.text("authorities", min: 1, max: 4_096) {
      _ = try contents("authorities", fields)
      settings.authorities = path
    }
    return settings
  }

  private static func text(_ name: String, _ fields: JSONFields) throws(BodyFault) -> String {
    try fields.required(name, fields.text(name, min: 1, max: 200))
  }

  private static func key(_ fields: JSONFields) throws(BodyFault) -> EllipticPrivateKey {
    let pem = String(decoding: try contents("keyFile", fields), as: UTF8.self)
    guard let key = EllipticPrivateKey(pem: pem) else {
      throw BodyFault(at: fields.place("keyFile"), "must name a P-256 key in PEM")
    }
    return key
  }

  private static func contents(_ name: String, _ fields: JSONFields)
    throws(BodyFault) -> [UInt8]
  {
    let path = try fields.required(name, fields.text(name, min: 1, max: 4_096))
    do throws(ChannelFault) {
      return try read(path, named: name)
    } catch {
      throw BodyFault(at: fields.place(name), "names a file that cannot be read")
    }
  }

  private static func read(_ path: String, named name: String) throws(ChannelFault) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
      throw ChannelFault(description: "\(name): `\(path)` cannot be read")
    }
    return Array(data)
  }
}
