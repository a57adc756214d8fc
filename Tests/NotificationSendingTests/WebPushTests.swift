import Cryptography
import Foundation
import HTTPSending
import JSONText
import ShiftDomain
import TestKit
import Testing

@testable import NotificationSending

@Suite("Web Push", .timeLimit(.minutes(5))) struct WebPushTests {
  private static let here = AddressRange("127.0.0.1").map { [$0] } ?? []
  private let channel: WebPushChannel

  init() {
    var settings = WebPushSettings(key: .random(), contact: "mailto:shifts@example.com")
    settings.deadline = TestDatabase.patience
    channel = WebPushChannel(
      settings, sender: HTTPSender(connectionsMax: 4, reach: .publicAddresses(besides: Self.here)),
      clock: .system)
  }

  private func address(
    _ scenario: String, _ notification: OutgoingNotification
  ) async throws -> WebPushAddress {
    let peer = try await Peer.shared
    let keys = try JSONFields(JSONValue(parsing: Array(peer.text(of: "browser.json").utf8)))
    return WebPushAddress(
      endpoint: peer.url("push/\(scenario)/\(notification.key)"),
      p256dh: try keys.text("p256dh", max: 100) ?? "", auth: try keys.text("auth", max: 100) ?? "")
  }

  @Test func `the example of RFC 8291 is encrypted byte for byte`() throws {
    let number = try #require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    let point = try #require(
      Base64URL.decode(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
          + "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
    let body = webPushBody(
      Array("When I grow up, I want to be a watermelon".utf8),
      to: try #require(EllipticPublicKey(point: point)),
      secret: try #require(Base64URL.decode("BTBZMqHH6r4Tts7J_aSIgg")),
      key: try #require(EllipticPrivateKey(number: number)),
      salt: try #require(Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw")))
    #expect(
      Base64URL.encode(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg"
        + "Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVB"
        + "St2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  // R: M4, A11
  @Test func `the browser decrypts notifications, which share one token`() async throws {
    var tokens: Set<String> = []
    for _ in 0..<2 {
      let notification = OutgoingNotification.sample()
      let outcome = try await channel.send(notification, to: address("201", notification))
      let arrived = try await Peer.shared.next(notification.key)
      #expect(try arrived.text(at: "fault") == nil)
      #expect(outcome == .accepted(reference: nil))
      #expect(try arrived.text(at: "urgency") == "high")
      #expect((3_000...3_600).contains(try arrived.integer("ttl", in: 0...9_999) ?? 0))
      tokens.insert(try arrived.text(at: "token") ?? "")
      let body = try arrived.body()
      #expect(try body.text(at: "title") == notification.title)
      #expect(try body.text(at: "tag") == notification.collapseKey)
      #expect(try body.elements("steps")?.count == 3)
    }
    #expect(tokens.count == 1)
  }

  // R: M4
  @Test func `a manager's browser gets the title and the page alone`() async throws {
    var notification = OutgoingNotification.sample()
    (notification.page, notification.body) = ("/employees/7", "Ada Lovelace, Dock 4")
    let outcome = try await channel.send(notification, to: address("201", notification))
    let arrived = try await Peer.shared.next(notification.key)
    #expect(outcome == .accepted(reference: nil))
    #expect(try arrived.text(at: "fault") == nil)
    let body = try arrived.body()
    #expect(try body.text(at: "title") == notification.title)
    #expect(try body.text(at: "page") == "/employees/7")
    #expect(try body.text(at: "tag") == notification.collapseKey)
    #expect(try body.text(at: "body") == nil && body.elements("steps") == nil)
  }

  @Test func `a long text is shortened to what fits`() async throws {
    var notification = OutgoingNotification.sample()
    notification.body = String(repeating: "Ω\"", count: 3_000)
    #expect(
      try await channel.send(notification, to: address("201", notification)).kind == "accepted")
    let bytes = try await Peer.shared.next(notification.key).integer("bytes", in: 0...9_999) ?? 0
    #expect((4_088...4_096).contains(bytes))
    notification.title = notification.body
    #expect(
      try await channel.send(notification, to: address("201", notification)).kind == "refused")
  }

  static let answers: [(scenario: String, is: SendOutcome)] = [
    ("200-huge", .accepted(reference: nil)), ("204-empty", .accepted(reference: nil)),
    ("404", .addressGone(reason: "status 404", at: nil)),
    ("410-html", .addressGone(reason: "status 410", at: nil)),
    ("400", .refused(reason: "status 400")), ("401", .refused(reason: "status 401")),
    ("403", .refused(reason: "status 403")), ("413", .refused(reason: "status 413")),
    ("302-elsewhere", .refused(reason: "status 302")),
    ("429-after-30", .retry(reason: "status 429", after: .seconds(30))),
    ("429-date-30", .retry(reason: "status 429", after: .seconds(30))),
    ("503-html", .retry(reason: "status 503", after: nil)),
  ]

  @Test(arguments: answers) func `every response has an outcome`(
    _ row: (scenario: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    #expect(try await channel.send(notification, to: address(row.scenario, notification)) == row.is)
  }

  @Test func `a connection lost after the request leaves the outcome unknown`() async throws {
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel.send(notification, to: address("drop", notification)).kind == "unknown")
  }

  @Test(arguments: [
    "https://169.254.169.254/", "https://127.0.0.2/x", "http://192.168.0.1/push/x",
  ]) func `an endpoint in a private network is refused`(_ endpoint: String) async throws {
    let notification = OutgoingNotification.sample()
    var address = try await address("201", notification)
    address.endpoint = endpoint
    #expect(await channel.send(notification, to: address).kind == "refused")
  }

  @Test func `an invalid subscription counts as gone`() async throws {
    let notification = OutgoingNotification.sample()
    let good = try await address("201", notification)
    let beside = good.p256dh.prefix(83) + "AAAA"
    let faults: [(WritableKeyPath<WebPushAddress, String>, [String])] = [
      (\.endpoint, ["", "x", "ftp://a/b", "https:///", "https://a", "https://a@b/", "https://ä/"]),
      (\.p256dh, ["", "AAAA", String(beside)]),
      (\.auth, ["", "AAAA", good.auth + "AAAA", good.auth + "="]),
    ]
    for (part, values) in faults {
      for value in values {
        var address = good
        address[keyPath: part] = value
        #expect(await channel.send(notification, to: address).kind == "addressGone", "\(value)")
      }
    }
  }
}
