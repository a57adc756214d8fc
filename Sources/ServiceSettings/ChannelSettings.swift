import Cryptography
import Foundation
import HTTPSending
import JSONText
import NotificationSending
import ReadModels
import ShiftDomain

/// Why a file of settings cannot be used: everything that is wrong with it. Never quotes a secret.
package struct SettingsFault: Error {
  package let descriptions: [String]

  package init(_ descriptions: String...) { self.descriptions = descriptions }

  package init(all descriptions: [String]) { self.descriptions = descriptions }

  package init(_ fault: BodyFault, in path: String) {
    self.init("`\(fault.pointer.isEmpty ? path : fault.pointer)` \(fault.detail)")
  }
}

package struct WebhookSettings: Sendable {
  package var reach: [AddressRange] = []
  /// A file of certificates (PEM) to trust instead of the system's.
  package var authorities: String?
}

/// The channels from the file of `--channels`. A channel that is not in the file is not set up, and
/// notifications that need it wait. Webhooks need no settings, except to reach internal addresses.
package struct ChannelSettings: Sendable {
  package var apns: APNsSettings?
  package var fcm: FCMSettings?
  package var webPush: WebPushSettings?
  package var mail: MailSettings?
  package var webhooks = WebhookSettings()
  /// What is not visible here of the channels, by their names; only of another program's settings.
  package private(set) var unseen: [String: String] = [:]
  /// The file they are from; `nil`: none.
  private var file: String?
  /// Where that file is named.
  package var namedBy: String?

  /// What browsers need to subscribe to push messages, in base64url.
  package var pushKey: String? { webPush.map { Base64URL.encode($0.key.publicKey.point) } }

  /// The channels that can be used.
  package var setUp: Set<Channel> {
    let known: [(Bool, Channel)] = [
      (apns != nil, .apns), (fcm != nil, .fcm), (webPush != nil, .webPush),
      (mail != nil, .email), (true, .webhook),
    ]
    return Set(known.filter(\.0).map(\.1))
  }

  package var setup: ChannelSetup {
    let protections: [MailServer.Protection: String] = [
      .startTLS: "STARTTLS", .tls: "TLS", .none: "no encryption",
    ]
    var details: [Channel: String] = [:]
    details[.apns] = apns.map { "app \($0.topic), team \($0.teamID), key \($0.keyID)" }
    details[.fcm] = fcm.map { "project \($0.projectID), service account \($0.account)" }
    details[.webPush] = webPush.map { "contact \($0.contact)" }
    details[.email] = mail.map { mail in
      let server = mail.server
      return "\(server.host):\(server.port), \(protections[server.protection] ?? ""), "
        + "from \(mail.sender)"
    }
    details[.webhook] = webhooks.reach.isEmpty ? "public addresses" : "internal addresses, too"
    return ChannelSetup(file: file, namedBy: namedBy, details: details)
  }

  /// The names of the channels that are set up.
  package var names: [String] {
    [
      (apns != nil, "apns"), (fcm != nil, "fcm"), (webPush != nil, "webPush"),
      (mail != nil, "email"),
    ].filter(\.0).map(\.1)
  }

  package init() {}

  package init(file path: String, credentials: ServiceCredentials) throws(SettingsFault) {
    let files = NamedFiles(beside: path, credentials: credentials)
    var (faults, unseen) = ([String](), [String: String]())
    func collect<Value>(_ channel: String, _ read: () throws(BodyFault) -> Value?) -> Value? {
      do throws(BodyFault) {
        return try read()
      } catch  where error.detail == NamedFiles.unseen {
        unseen[channel] = SettingsFault(error, in: path).descriptions.first
        return nil
      } catch {
        faults += SettingsFault(error, in: path).descriptions
        return nil
      }
    }
    guard let bytes = NamedFiles.read(path) else {
      throw SettingsFault("`\(path)` cannot be read")
    }
    guard let value = try? JSONValue(parsing: bytes) else {
      throw SettingsFault("`\(path)` is not JSON")
    }
    guard let fields = collect("", { () throws(BodyFault) in try JSONFields(value) }) else {
      throw SettingsFault(all: faults)
    }
    let channels = ["apns", "fcm", "webPush", "email", "webhooks"]
    for name in fields.names where !channels.contains(name) {
      faults.append("`\(fields.place(name))` is not a channel")
    }
    apns = collect("apns") { () throws(BodyFault) in
      try fields.object("apns").map { (part) throws(BodyFault) in try Self.apns(part, files) }
    }
    fcm = collect("fcm") { () throws(BodyFault) in
      try fields.object("fcm").map { (part) throws(BodyFault) in try Self.fcm(part, files) }
    }
    webPush = collect("webPush") { () throws(BodyFault) in
      try fields.object("webPush").map { (part) throws(BodyFault) in
        try Self.webPush(part, files)
      }
    }
    mail = collect("email") { () throws(BodyFault) in
      try fields.object("email").map { (part) throws(BodyFault) in try Self.mail(part, files) }
    }
    let webhooks = collect("webhooks") { () throws(BodyFault) in
      try fields.object("webhooks").map { (part) throws(BodyFault) in
        try Self.webhooks(part, files)
      }
    }
    self.webhooks = webhooks ?? WebhookSettings()
    (self.unseen, file) = (unseen, path)
    if !faults.isEmpty { throw SettingsFault(all: faults) }
  }

  private static func apns(_ fields: JSONFields, _ files: NamedFiles)
    throws(BodyFault) -> APNsSettings
  {
    APNsSettings(
      teamID: try text("team", fields), keyID: try text("keyId", fields),
      key: try files.key(fields),
      topic: try text("topic", fields))
  }

  private static func fcm(_ fields: JSONFields, _ files: NamedFiles)
    throws(BodyFault) -> FCMSettings
  {
    guard var settings = FCMSettings(keyFile: try files.contents("keyFile", fields).bytes) else {
      throw BodyFault(at: fields.place("keyFile"), "must name a service account key file")
    }
    if let origin = try fields.text("origin", min: 1, max: 200) { settings.origin = origin }
    if let url = try fields.text("tokenUrl", min: 1, max: 200) { settings.tokenURL = url }
    return settings
  }

  private static func webPush(_ fields: JSONFields, _ files: NamedFiles)
    throws(BodyFault) -> WebPushSettings
  {
    WebPushSettings(key: try files.key(fields), contact: try text("contact", fields))
  }

  private static func mail(_ fields: JSONFields, _ files: NamedFiles)
    throws(BodyFault) -> MailSettings
  {
    let protections: [String: MailServer.Protection] = [
      "start_tls": .startTLS, "tls": .tls, "none": .none,
    ]
    guard
      let protection = protections[
        try fields.text("protection", min: 1, max: 20) ?? "start_tls"]
    else { throw BodyFault(at: fields.place("protection"), "must be `start_tls`, `tls` or `none`") }
    var login: MailServer.Login?
    if let user = try fields.text("user", min: 1, max: 200) {
      let password = String(
        decoding: try files.contents("passwordFile", fields).bytes, as: UTF8.self)
      login = MailServer.Login(
        name: user, password: password.trimmingCharacters(in: .newlines))
    }
    let port = try fields.integer("port", in: 1...65_535) ?? 587
    let host = try text("host", fields)
    let pages = try fields.text("pages", min: 1, max: 200)
    if let pages, !["https://", "http://"].contains(where: pages.hasPrefix) || pages.hasSuffix("/")
    {
      throw BodyFault(
        at: fields.place("pages"), "must be an address such as `https://shifts.example.com`")
    }
    var settings = MailSettings(
      server: MailServer(
        host: host, port: UInt16(clamping: port), protection: protection, login: login,
        ownName: try fields.text("ownName", min: 1, max: 200) ?? "localhost"),
      sender: try text("from", fields),
      senderName: try fields.text("fromName", min: 1, max: 100) ?? "ShiftGuard")
    settings.pages = pages
    return settings
  }

  private static func webhooks(_ fields: JSONFields, _ files: NamedFiles)
    throws(BodyFault) -> WebhookSettings
  {
    var settings = WebhookSettings()
    for value in try fields.elements("reach") ?? [] {
      guard case .string(let text) = value, let range = AddressRange(text) else {
        throw BodyFault(at: fields.place("reach"), "must be addresses such as `10.0.0.0/8`")
      }
      settings.reach.append(range)
    }
    if try fields.text("authorities", min: 1, max: 4_096) != nil {
      settings.authorities = try files.contents("authorities", fields).path
    }
    return settings
  }

  private static func text(_ name: String, _ fields: JSONFields) throws(BodyFault) -> String {
    try fields.required(name, fields.text(name, min: 1, max: 200))
  }
}
