import Foundation
import ServiceSettings
import Testing

@testable import guardd

@Suite("The file of channels") struct ChannelSettingsTests {
  /// A folder with these files, and what guardd makes of `channels.json` in it.
  private func settings(_ json: String, _ files: [String: String] = [:]) throws -> ChannelSettings {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    let file = folder.appending(path: "channels.json")
    try json.replacing("FOLDER", with: folder.path)
      .write(to: file, atomically: true, encoding: .utf8)
    return try ChannelSettings(file: file.path, credentials: .folder(nil))
  }

  // A key for tests: nobody else uses it.
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzqJrs9jGlFuce9yB
    XCBHx6tpnS1yFI9pf8oRsxlnkM6hRANCAASMzJfA0jaLGruhpUFxqZ05PjNWdBOy
    EJk3D95s7L4HWYyMMIoPW6hBwUjGu1/fk5ypSNVgATXYNO6c/gREDnxK
    -----END PRIVATE KEY-----

    """

  @Test("sets up what it names, and nothing else")
  func names() throws {
    let settings = try settings(
      """
      {"apns":{"team":"T","keyId":"K","keyFile":"FOLDER/key.p8","topic":"com.example"},
       "email":{"host":"mail.example","user":"u","passwordFile":"FOLDER/password",
                "from":"shifts@example.com","pages":"https://shifts.example.com"}}
      """, ["key.p8": Self.key, "password": "secret\n"])
    #expect(settings.apns?.topic == "com.example")
    #expect(settings.mail?.server.port == 587 && settings.mail?.server.protection == .startTLS)
    #expect(settings.mail?.senderName == "ShiftGuard")
    #expect(settings.mail?.pages == "https://shifts.example.com")
    #expect(settings.fcm == nil && settings.webPush == nil)
    #expect(settings.webhooks.reach.isEmpty && settings.webhooks.authorities == nil)
    let setup = settings.setup
    #expect(setup.file?.hasSuffix("/channels.json") == true && setup.namedBy == nil)
    #expect(
      setup.details == [
        .apns: "app com.example, team T, key K",
        .email: "mail.example:587, STARTTLS, from shifts@example.com",
        .webhook: "public addresses",
      ])
    #expect(!"\(setup)".contains("secret") && ChannelSettings().setup.file == nil)
  }

  @Test("lets webhooks reach inside the house, where it says so")
  func inside() throws {
    let settings = try settings(
      #"{"webhooks":{"reach":["10.0.0.0/8","::1"],"authorities":"FOLDER/ours.pem"}}"#,
      ["ours.pem": "-"])
    #expect(settings.webhooks.reach.count == 2)
    #expect(settings.webhooks.authorities?.hasSuffix("/ours.pem") == true)
  }

  static let faults: [(json: String, text: String)] = [
    ("{", "is not JSON"), (#"{"sms":{}}"#, "`/sms` is not a channel"),
    (#"{"apns":{"team":"T"}}"#, "`/apns/keyId`"),
    (#"{"fcm":{"keyFile":"/nowhere"}}"#, "`/fcm/keyFile` names a file that cannot be read"),
    (#"{"fcm":{"keyFile":"FOLDER/channels.json"}}"#, "must name a service account key file"),
    (
      #"{"webPush":{"keyFile":"FOLDER/channels.json","contact":"mailto:a@b"}}"#,
      "must name a P-256 key"
    ),
    (#"{"email":{"host":"h","from":"a@b","protection":"some"}}"#, "`/email/protection`"),
    (#"{"email":{"host":"h","from":"a@b","port":0}}"#, "`/email/port`"),
    (#"{"email":{"host":"h","from":"a@b","pages":"h"}}"#, "`/email/pages` must be an address"),
    (#"{"email":{"host":"h","from":"a@b","pages":"https://h/"}}"#, "`/email/pages`"),
    (#"{"webhooks":{"reach":["10.0.0.0/99"]}}"#, "`/webhooks/reach`"),
    (#"{"webhooks":{"authorities":"/nowhere"}}"#, "`/webhooks/authorities` names a file"),
  ]

  @Test("is refused where it is wrong, in words that quote no secret", arguments: faults)
  func wrong(_ fault: (json: String, text: String)) throws {
    let error = #expect(throws: SettingsFault.self) { try settings(fault.json) }
    #expect(
      error?.descriptions.joined().contains(fault.text) == true, "\(error?.descriptions ?? [])")
  }
}
