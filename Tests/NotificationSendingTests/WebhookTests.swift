import Cryptography
import Foundation
import HTTPSending
import JSONText
import ShiftDomain
import TestKit
import Testing

@testable import NotificationSending

@Suite("Webhooks", .timeLimit(.minutes(5))) struct WebhookTests {
  /// What the peer verifies with; see `webhooks.py`.
  private static let known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private static let here = AddressRange("127.0.0.1").map { [$0] } ?? []
  private static let sender = HTTPSender(
    connectionsMax: 16, reach: .publicAddresses(besides: here))
  private let channel = WebhookChannel(
    sender: sender, clock: .system, deadline: TestDatabase.patience)

  private func address(
    _ scenario: String, _ notification: OutgoingNotification, secrets: [String] = [known]
  ) async throws -> WebhookAddress {
    WebhookAddress(
      url: try await Peer.shared.url("hook/\(scenario)/\(notification.key)"),
      secrets: secrets.compactMap { WebhookSecret(text: $0) })
  }

  // R: M4
  @Test func `the Standard Webhooks library verifies what arrives`() async throws {
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel.send(notification, to: address("200", notification))
        == .accepted(reference: nil))
    let arrived = try await Peer.shared.next(notification.key)
    #expect(try arrived.text(at: "method") == "POST")
    #expect(try arrived.text(at: "headers", "webhook-id") == notification.key)
    #expect(try arrived.text(at: "headers", "content-type") == "application/json")
    let body = try arrived.body()
    #expect(body.names == ["type", "timestamp", "data"])
    #expect(try body.text(at: "type") == "shift.tracking_impaired")
    #expect(try body.instant("timestamp") == notification.occurredAt)
    let told = try #require(try body.object("data"))
    #expect(told.names == ["employee", "shift", "title", "body", "language", "urgent"])
    #expect(told["employee"] == .integer(7))
    #expect(try told.text(at: "body") == notification.body)
  }

  @Test func `the standard's own example is signed byte for byte`() throws {
    let secret = try #require(WebhookSecret(text: Self.known))
    #expect(
      secret.signature(
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
        body: Array(#"{"test": 2432232314}"#.utf8))
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(secret.text == Self.known)
  }

  @Test func `while secrets change, a receiver with either secret accepts`() async throws {
    let new = WebhookSecret.random().text
    for secrets in [[new, Self.known], [Self.known, new]] {
      let notification = OutgoingNotification.sample()
      let outcome = try await channel.send(
        notification, to: address("200", notification, secrets: secrets))
      #expect(outcome == .accepted(reference: nil))
    }
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel.send(notification, to: address("200", notification, secrets: [new]))
        == .retry(reason: "status 401", after: nil))
    #expect(
      try await channel.send(notification, to: address("200", notification, secrets: [])).kind
        == "misconfigured")
  }

  // R: M4
  @Test func `a chat gets the text and a link, in which a name calls nobody`() async throws {
    var notification = OutgoingNotification.sample()
    notification.body += " <!channel> & @all"
    notification.steps = ["Call <them>."]
    notification.link = "https://shifts.example.com/employees/7"
    let url = try await Peer.shared.url("hook/200/\(notification.key)")
    // The peer expects a signature, which a chat gets none of.
    #expect(
      await channel.send(notification, toChat: url) == .retry(reason: "status 401", after: nil))
    let arrived = try await Peer.shared.next(notification.key)
    let body = try arrived.body()
    #expect(body.names == ["text"])
    let text = try #require(try body.text(at: "text"))
    #expect(text.hasPrefix("*\(notification.title)*\n"))
    #expect(text.contains("&lt;!channel&gt; &amp; @\u{200B}all"), "\(text)")
    #expect(text.hasSuffix("\n• Call &lt;them&gt;.\nhttps://shifts.example.com/employees/7"))
    notification.key = "a b"
    #expect(await channel.send(notification, toChat: url).kind == "refused")
  }

  static let answers: [(scenario: String, is: SendOutcome)] = [
    ("204-empty", .accepted(reference: nil)), ("299", .accepted(reference: nil)),
    ("200-huge", .accepted(reference: nil)), ("200-html", .accepted(reference: nil)),
    ("200-close", .accepted(reference: nil)),
    ("410", .addressGone(reason: "status 410", at: nil)),
    ("302-elsewhere", .retry(reason: "status 302", after: nil)),
    ("400", .retry(reason: "status 400", after: nil)),
    ("404", .retry(reason: "status 404", after: nil)),
    ("500-html", .retry(reason: "status 500", after: nil)),
    ("502-huge", .retry(reason: "status 502", after: nil)),
    ("429-after-7", .retry(reason: "status 429", after: .seconds(7))),
    ("503-after-999999999999999999999", .retry(reason: "status 503", after: .seconds(86_400))),
    ("503-after-soon", .retry(reason: "status 503", after: nil)),
    ("503-date-90", .retry(reason: "status 503", after: .seconds(90))),
  ]

  @Test(arguments: answers) func `every response has an outcome`(
    _ row: (scenario: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    #expect(try await channel.send(notification, to: address(row.scenario, notification)) == row.is)
  }

  @Test(arguments: ["drop", "garbage", "200-headers"])
  func `a broken response leaves the outcome unknown`(_ scenario: String) async throws {
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel.send(notification, to: address(scenario, notification)).kind == "unknown")
  }

  @Test func `a response after the deadline leaves the outcome unknown`() async throws {
    var outcome = SendOutcome.accepted(reference: nil)
    for deadline in growingLimits where outcome.kind != "unknown" {
      let hurried = WebhookChannel(sender: Self.sender, clock: .system, deadline: deadline)
      let notification = OutgoingNotification.sample()
      outcome = try await hurried.send(notification, to: address("silent", notification))
    }
    #expect(outcome == .unknown(reason: "no response within the deadline"))
  }

  @Test func `a closed port causes a retry`() async throws {
    let url = "http://127.0.0.1:\(try await Peer.shared.ports["closed"] ?? 0)/"
    let secrets = [WebhookSecret.random()]
    let outcome = await channel.send(.sample(), to: WebhookAddress(url: url, secrets: secrets))
    #expect(outcome.kind == "retry")
  }

  @Test(arguments: [
    "http://169.254.169.254/latest/meta-data/", "https://[fd00:ec2::254]/", "http://localhost/",
    "https://10.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "", "https://", "http://a b/",
    "http://127.0.0.2:80/",
  ]) func `a forbidden or invalid address is refused at once`(_ url: String) async {
    let secrets = [WebhookSecret.random()]
    // `localhost` names ::1 too, which no exception covers; nothing listens on 127.0.0.1.
    let strict = WebhookChannel(
      sender: HTTPSender(connectionsMax: 1, reach: .publicAddresses(besides: [])), clock: .system)
    let outcome = await strict.send(.sample(), to: WebhookAddress(url: url, secrets: secrets))
    #expect(outcome.kind == "refused")
  }

  @Test func `an expired notification or an invalid key is not sent`() async throws {
    var notification = OutgoingNotification.sample()
    let now = SendingClock.system.now()
    let stopped = WebhookChannel(
      sender: Self.sender, clock: SendingClock(now: { now }), deadline: TestDatabase.patience)
    notification.expiresAt = now
    #expect(
      try await stopped.send(notification, to: address("200", notification))
        == .refused(reason: "expired"))
    notification.expiresAt = now + .milliseconds(1)
    #expect(
      try await stopped.send(notification, to: address("200", notification)).kind == "accepted")
    for key in ["", "a.b", "a b", "a\r\nb", "ä", String(repeating: "a", count: 65)] {
      var notification = OutgoingNotification.sample()
      notification.key = key
      let address = WebhookAddress(url: "http://127.0.0.1:1/", secrets: [.random()])
      #expect(await channel.send(notification, to: address).kind == "refused", "\(key)")
    }
  }

  @Test(arguments: [
    "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!w", "whsec_" + Base64.encode(Array(0..<65)),
  ]) func `an invalid secret is refused`(_ text: String) {
    #expect(WebhookSecret(text: text) == nil)
  }
}
