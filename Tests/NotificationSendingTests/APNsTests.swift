import Cryptography
import Foundation
import HTTPSending
import JSONText
import Lifecycle
import ShiftDomain
import TestKit
import Testing

@testable import NotificationSending

@Suite("Apple's push notifications", .timeLimit(.minutes(5))) struct APNsTests {
  private func channel(
    clock: SendingClock = .system, key: EllipticPrivateKey? = nil, topic: String? = nil,
    deadline: Duration = TestDatabase.patience, sender: HTTPSender? = nil
  ) async throws -> APNsChannel {
    let peer = try await Peer.shared
    let theirs = try #require(EllipticPrivateKey(pem: peer.text(of: "apns.p8")))
    let origin = "https://127.0.0.1:\(peer.ports["push"] ?? 0)"
    var settings = APNsSettings(
      teamID: "TEAM123456", keyID: "ABC1234567", key: key ?? theirs,
      topic: topic ?? "org.example.shifts", origin: origin,
      sandboxOrigin: "https://127.0.0.1:\(peer.ports["closed"] ?? 0)")
    settings.deadline = deadline
    return APNsChannel(
      settings, sender: sender ?? HTTPSender(connectionsMax: 4, authorities: peer.authorities),
      clock: clock)
  }

  private func address(_ scenario: String, _ notification: OutgoingNotification) -> APNsAddress {
    let digits = Array("\(scenario)/\(notification.key)".utf8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return APNsAddress(deviceToken: digits.joined())
  }

  // R: M4, A11
  @Test func `a notification arrives as Apple requires, again under the same id`() async throws {
    let channel = try await channel()
    let notification = OutgoingNotification.sample()
    var ids: Set<String> = []
    var tokens: Set<String> = []
    for _ in 0..<2 {
      let outcome = await channel.send(notification, to: address("200", notification))
      let arrived = try await Peer.shared.next(notification.key)
      #expect(try arrived.text(at: "fault") == "")
      let id = try arrived.text(at: "headers", "apns-id")
      #expect(outcome == .accepted(reference: id))
      ids.insert(id ?? "")
      tokens.insert(try arrived.text(at: "headers", "authorization") ?? "")
      #expect(
        try arrived.text(at: "headers", "apns-expiration")
          == "\(notification.expiresAt.milliseconds / 1_000)")
      #expect(try arrived.text(at: "headers", "apns-priority") == "10")
      #expect(try arrived.text(at: "headers", "apns-collapse-id") == notification.collapseKey)
      let body = try arrived.body()
      #expect(try body.text(at: "aps", "alert", "body") == notification.body)
      #expect(try body.text(at: "aps", "interruption-level") == "time-sensitive")
      #expect(try body.text(at: "action") == notification.actionCode)
      #expect(try body.elements("steps")?.count == 3)
    }
    #expect(ids.count == 1)
    #expect(tokens.count == 1)
  }

  @Test func `many notifications at once share a connection and a token`() async throws {
    let channel = try await channel()
    let notifications = (0..<40).map { _ in OutgoingNotification.sample() }
    await withTaskGroup(of: SendOutcome.self) { group in
      for notification in notifications {
        group.addTask { await channel.send(notification, to: address("200", notification)) }
      }
      for await outcome in group { #expect(outcome.kind == "accepted", "\(outcome)") }
    }
    var connections: Set<Int64> = []
    var tokens: Set<String> = []
    var ids: Set<String> = []
    for notification in notifications {
      let arrived = try await Peer.shared.next(notification.key)
      connections.insert(try arrived.integer("connection", in: 0...1_000) ?? 0)
      tokens.insert(try arrived.text(at: "headers", "authorization") ?? "")
      ids.insert(try arrived.text(at: "headers", "apns-id") ?? "")
    }
    #expect(ids.count == notifications.count)
    #expect(connections.count == 1)
    #expect(tokens.count == 1)
  }

  static let answers: [(scenario: String, is: SendOutcome)] = [
    (
      "410-Unregistered-1700000000000",
      .addressGone(
        reason: "status 410 Unregistered", at: Instant(milliseconds: 1_700_000_000_000))
    ),
    ("410-ExpiredToken", .addressGone(reason: "status 410 ExpiredToken", at: nil)),
    ("410-html", .addressGone(reason: "status 410", at: nil)),
    ("400-BadDeviceToken", .addressGone(reason: "status 400 BadDeviceToken", at: nil)),
    (
      "400-DeviceTokenNotForTopic",
      .addressGone(reason: "status 400 DeviceTokenNotForTopic", at: nil)
    ),
    ("400-IdleTimeout", .retry(reason: "status 400 IdleTimeout", after: nil)),
    ("400-BadCollapseId", .refused(reason: "status 400 BadCollapseId")),
    ("400-Bad\u{1}Thing", .refused(reason: "status 400 ?")),
    ("400-TopicDisallowed", .misconfigured(reason: "status 400 TopicDisallowed")),
    ("403-Forbidden", .misconfigured(reason: "status 403 Forbidden")),
    ("403-html", .misconfigured(reason: "status 403")),
    ("404-BadPath", .refused(reason: "status 404 BadPath")),
    ("405-MethodNotAllowed", .refused(reason: "status 405 MethodNotAllowed")),
    ("413-PayloadTooLarge", .refused(reason: "status 413 PayloadTooLarge")),
    ("429-TooManyRequests", .retry(reason: "status 429 TooManyRequests", after: .seconds(60))),
    (
      "429-TooManyProviderTokenUpdates",
      .retry(reason: "status 429 TooManyProviderTokenUpdates", after: .seconds(1_200))
    ),
    (
      "500-InternalServerError",
      .retry(reason: "status 500 InternalServerError", after: .seconds(900))
    ),
    ("503-Shutdown", .retry(reason: "status 503 Shutdown", after: .seconds(900))),
    ("503-after-5", .retry(reason: "status 503", after: .seconds(5))),
    ("502-html", .retry(reason: "status 502", after: .seconds(900))),
  ]

  @Test(arguments: answers) func `every response from Apple has an outcome`(
    _ row: (scenario: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel().send(notification, to: address(row.scenario, notification)) == row.is)
  }

  @Test(arguments: ["once-refused", "200-huge"])
  func `what was surely not accepted is sent again at once`(_ scenario: String) async throws {
    let notification = OutgoingNotification.sample()
    let outcome = try await channel().send(notification, to: address(scenario, notification))
    #expect(outcome.kind == "accepted", "\(outcome)")
  }

  @Test(arguments: ["drop", "reset"])
  func `a lost response leaves the outcome unknown until a retry`(_ trouble: String) async throws {
    let channel = try await channel()
    let notification = OutgoingNotification.sample()
    let address = address("once-\(trouble)", notification)
    let outcome = await channel.send(notification, to: address)
    #expect(outcome.kind == "unknown", "\(outcome)")
    #expect(await channel.send(notification, to: address).kind == "accepted")
  }

  @Test func `without a response the outcome is unknown, and others do not wait`() async throws {
    let sender = HTTPSender(
      connectionsMax: 1, authorities: try await Peer.shared.authorities)
    let patient = try await channel(sender: sender)
    var (outcome, notification) = (
      SendOutcome.accepted(reference: nil), OutgoingNotification.sample()
    )
    // The connection is open before the deadline begins.
    #expect(await patient.send(notification, to: address("200", notification)).kind == "accepted")
    for deadline in growingLimits where outcome.kind != "unknown" {
      let hurried = try await channel(deadline: deadline, sender: sender)
      notification = OutgoingNotification.sample()
      outcome = await hurried.send(notification, to: address("once-silent", notification))
    }
    #expect(outcome == .unknown(reason: "no response within the deadline"))
    _ = try await Peer.shared.next(notification.key)
    let address = address("once-silent", notification)
    #expect(await patient.send(notification, to: address).kind == "accepted")
  }

  @Test func `after GOAWAY another connection is used`() async throws {
    let channel = try await channel()
    let notification = OutgoingNotification.sample()
    let address = address("once-goaway", notification)
    let outcome = await channel.send(notification, to: address)
    #expect(["accepted", "unknown", "retry"].contains(outcome.kind), "\(outcome)")
    #expect(await channel.send(notification, to: address).kind == "accepted")
  }

  @Test func `a provider token that Apple calls expired is replaced once`() async throws {
    let time = Lock((day: SendingClock.system.now(), uptime: Duration.zero))
    let clock = SendingClock(
      now: { time.withLock { $0.day } }, uptime: { time.withLock { $0.uptime } })
    let channel = try await channel(clock: clock)
    let first = OutgoingNotification.sample()
    // Apple refuses tokens that are renewed within 20 minutes.
    #expect(
      await channel.send(first, to: address("expired", first))
        == .misconfigured(reason: "status 403 ExpiredProviderToken"))
    time.withLock {
      $0.day = $0.day + .minutes(21)
      $0.uptime += .seconds(21 * 60)
    }
    let second = OutgoingNotification.sample()
    #expect(await channel.send(second, to: address("expired", second)).kind == "accepted")
  }

  @Test func `a wrong key or topic is reported as a misconfiguration`() async throws {
    let notification = OutgoingNotification.sample()
    let address = address("200", notification)
    #expect(
      try await channel(key: .random()).send(notification, to: address)
        == .misconfigured(reason: "status 403 InvalidProviderToken"))
    #expect(
      try await channel(topic: "org.example.other").send(notification, to: address)
        == .misconfigured(reason: "status 400 BadTopic"))
  }

  @Test func `a long text is shortened to what Apple accepts`() async throws {
    var notification = OutgoingNotification.sample()
    notification.body = String(repeating: "Ω\"", count: 3_000)
    #expect(
      try await channel().send(notification, to: address("200", notification)).kind == "accepted")
    let bytes = try await Peer.shared.next(notification.key).integer("bytes", in: 0...100_000) ?? 0
    #expect((4_088...4_096).contains(bytes))
    notification.title = notification.body
    #expect(
      try await channel().send(notification, to: address("200", notification)).kind == "refused")
  }

  @Test(arguments: [
    "", "a", "xyz", "ab/../cd", "ab cd", "ab\r\ncd", String(repeating: "a", count: 401),
  ])
  func `an invalid device token counts as gone`(_ token: String) async throws {
    let outcome = try await channel().send(.sample(), to: APNsAddress(deviceToken: token))
    #expect(outcome.kind == "addressGone")
  }

  @Test func `a developer build is reached through the sandbox`() async throws {
    let notification = OutgoingNotification.sample()
    var address = address("200", notification)
    address.isSandbox = true
    // Nothing listens there in these tests.
    #expect(try await channel().send(notification, to: address).kind == "retry")
  }

  @Test func `a certificate from an unknown authority is not trusted`() async throws {
    let peer = try await Peer.shared
    let channel = APNsChannel(
      APNsSettings(
        teamID: "TEAM123456", keyID: "ABC1234567", key: .random(), topic: "t",
        origin: "https://127.0.0.1:\(peer.ports["push"] ?? 0)"),
      sender: HTTPSender(connectionsMax: 1), clock: .system)
    #expect(await channel.send(.sample(), to: APNsAddress(deviceToken: "abcd")).kind == "retry")
  }
}
