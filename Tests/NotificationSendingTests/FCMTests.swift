import Cryptography
import Foundation
import HTTPSending
import JSONText
import Lifecycle
import ShiftDomain
import TestKit
import Testing

@testable import NotificationSending

@Suite("Firebase Cloud Messaging", .timeLimit(.minutes(5))) struct FCMTests {
  private func settings(
    account: String, deadline: Duration = TestDatabase.patience
  ) async throws -> FCMSettings {
    let peer = try await Peer.shared
    let file = try Array(peer.text(of: "account.json").utf8)
    var settings = try #require(FCMSettings(keyFile: file))
    #expect(settings.account == "good@shifts-1.example")
    settings.account = account
    settings.origin = "https://127.0.0.1:\(peer.ports["google"] ?? 0)"
    settings.tokenURL = settings.origin + "/token"
    settings.deadline = deadline
    return settings
  }

  private func channel(
    account: String = "good-\(UUID().uuidString)@shifts-1.example", clock: SendingClock = .system,
    deadline: Duration = TestDatabase.patience
  ) async throws -> FCMChannel {
    FCMChannel(
      try await settings(account: account, deadline: deadline),
      sender: HTTPSender(connectionsMax: 4, authorities: try await Peer.shared.authorities),
      clock: clock)
  }

  private func address(_ scenario: String, _ notification: OutgoingNotification) -> FCMAddress {
    FCMAddress(.token, "\(scenario)/\(notification.key)")
  }

  // R: M4, A11
  @Test(arguments: FCMAddress.Kind.allCases) func `a notification arrives as Firebase requires`(
    _ kind: FCMAddress.Kind
  ) async throws {
    let notification = OutgoingNotification.sample()
    let address = FCMAddress(kind, "200/\(notification.key)")
    #expect(try await channel().send(notification, to: address) == .accepted(reference: "0:15%31"))
    let arrived = try await Peer.shared.next(notification.key)
    #expect(try arrived.text(at: "path") == "/v1/projects/shifts-1/messages:send")
    let told = try #require(try arrived.body().object("message"))
    #expect(told.names == [kind.rawValue, "notification", "data", "android"])
    #expect(try told.text(at: "notification", "body") == notification.body)
    #expect(try told.text(at: "data", "action") == notification.actionCode)
    #expect(try told.text(at: "data", "subject") == #"{"employee":7,"shift":3}"#)
    #expect(try told.text(at: "android", "priority") == "HIGH")
    #expect(try told.text(at: "android", "collapse_key") == notification.collapseKey)
    #expect(try told.text(at: "android", "notification", "tag") == notification.collapseKey)
    let life = try told.text(at: "android", "ttl") ?? ""
    #expect(life.last == "s" && (3_000...3_600).contains(Int(life.dropLast()) ?? 0), "\(life)")
  }

  @Test func `many notifications at once request one access token`() async throws {
    let account = "good-many@shifts-1.example"
    let channel = try await channel(account: account)
    let notifications = (0..<40).map { _ in OutgoingNotification.sample() }
    await withTaskGroup(of: SendOutcome.self) { group in
      for notification in notifications {
        group.addTask { await channel.send(notification, to: address("200", notification)) }
      }
      for await outcome in group { #expect(outcome.kind == "accepted", "\(outcome)") }
    }
    var tokens: Set<String> = []
    for notification in notifications {
      tokens.insert(try await Peer.shared.next(notification.key).text(at: "token") ?? "")
    }
    #expect(tokens.count == 1)
    #expect(try await Peer.shared.next("token of \(account)").flag("right") == true)
  }

  static let answers: [(scenario: String, is: SendOutcome)] = [
    ("404-UNREGISTERED", .addressGone(reason: "status 404 UNREGISTERED", at: nil)),
    ("403-SENDER_ID_MISMATCH", .addressGone(reason: "status 403 SENDER_ID_MISMATCH", at: nil)),
    ("400-INVALID_ARGUMENT", .refused(reason: "status 400 INVALID_ARGUMENT")),
    ("400-a b", .refused(reason: "status 400 ?")),
    ("blame-none", .addressGone(reason: "status 400 INVALID_ARGUMENT", at: nil)),
    ("blame-message.token", .addressGone(reason: "status 400 INVALID_ARGUMENT", at: nil)),
    ("blame-other", .refused(reason: "status 400 INVALID_ARGUMENT")),
    ("blame-message.data[0].value", .refused(reason: "status 400 INVALID_ARGUMENT")),
    (
      "blame-message.token-message.android.ttl", .refused(reason: "status 400 INVALID_ARGUMENT")
    ),
    ("401-THIRD_PARTY_AUTH_ERROR", .misconfigured(reason: "status 401 THIRD_PARTY_AUTH_ERROR")),
    ("plain-403-PERMISSION_DENIED", .misconfigured(reason: "status 403 PERMISSION_DENIED")),
    ("plain-404-NOT_FOUND", .misconfigured(reason: "status 404 NOT_FOUND")),
    ("404-html", .misconfigured(reason: "status 404")),
    ("429-QUOTA_EXCEEDED", .retry(reason: "status 429 QUOTA_EXCEEDED", after: .seconds(60))),
    ("429-QUOTA_EXCEEDED-300", .retry(reason: "status 429 QUOTA_EXCEEDED", after: .seconds(300))),
    ("500-INTERNAL", .retry(reason: "status 500 INTERNAL", after: nil)),
    ("503-UNAVAILABLE-9", .retry(reason: "status 503 UNAVAILABLE", after: .seconds(9))),
    ("502-html", .retry(reason: "status 502", after: nil)),
    ("200-huge", .accepted(reference: nil)),
    ("reset", .unknown(reason: "")), ("drop", .unknown(reason: "")),
  ]

  @Test(arguments: answers) func `every response from Firebase has an outcome`(
    _ row: (scenario: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    let outcome = try await channel().send(notification, to: address(row.scenario, notification))
    if case .unknown = row.is {
      #expect(outcome.kind == "unknown", "\(outcome)")
    } else {
      #expect(outcome == row.is)
    }
  }

  @Test func `a response after the deadline leaves the outcome unknown`() async throws {
    var outcome = SendOutcome.accepted(reference: nil)
    for deadline in growingLimits where outcome.kind != "unknown" {
      let channel = try await channel(deadline: deadline)
      let (notification, first) = (OutgoingNotification.sample(), OutgoingNotification.sample())
      guard await channel.send(first, to: address("200", first)).kind == "accepted" else {
        continue
      }
      outcome = await channel.send(notification, to: address("silent", notification))
    }
    #expect(outcome == .unknown(reason: "no response within the deadline"))
  }

  static let troubles: [(account: String, is: SendOutcome)] = [
    ("revoked", .misconfigured(reason: "access token: status 400 invalid_grant")),
    ("busy", .retry(reason: "access token: status 503", after: .seconds(20))),
    ("odd", .retry(reason: "access token: status 200", after: nil)),
    ("huge", .retry(reason: "access token: status 200", after: nil)),
    ("silent", .retry(reason: "access token: no response within the deadline", after: nil)),
  ]

  @Test(arguments: troubles) func `without an access token nothing is sent`(
    _ row: (account: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    var outcome = SendOutcome.accepted(reference: nil)
    for deadline in row.account == "silent" ? growingLimits : [TestDatabase.patience]
    where outcome != row.is {
      let channel = try await channel(
        account: "\(row.account)@shifts-1.example", deadline: deadline)
      outcome = await channel.send(notification, to: address("200", notification))
    }
    #expect(outcome == row.is)
  }

  @Test func `a wrong clock is reported as a misconfiguration`() async throws {
    let notification = OutgoingNotification.sample()
    let slow = SendingClock(now: { SendingClock.system.now() - .minutes(10) })
    #expect(
      try await channel(clock: slow).send(notification, to: address("200", notification))
        == .misconfigured(reason: "access token: status 400 invalid_grant"))
  }

  @Test func `a rejected access token is replaced once, unless it is new`() async throws {
    let uptime = Lock(Duration.zero)
    let clock = SendingClock(
      now: SendingClock.system.now, uptime: { uptime.withLock { $0 } })
    let channel = try await channel(clock: clock)
    let young = OutgoingNotification.sample()
    #expect(await channel.send(young, to: address("stale", young)).kind == "misconfigured")
    uptime.withLock { $0 += .seconds(61) }
    let old = OutgoingNotification.sample()
    #expect(await channel.send(old, to: address("stale", old)).kind == "accepted")
  }

  @Test func `a long text is shortened to what Firebase accepts`() async throws {
    var notification = OutgoingNotification.sample()
    notification.body = String(repeating: "Ω\"", count: 3_000)
    let address = address("200", notification)
    #expect(try await channel().send(notification, to: address).kind == "accepted")
    let bytes = try await Peer.shared.next(notification.key).integer("bytes", in: 0...9_999) ?? 0
    #expect((4_088...4_096).contains(bytes - Int64(address.name.utf8.count)))
    notification.title = notification.body
    #expect(try await channel().send(notification, to: address).kind == "refused")
  }

  @Test func `an invalid registration counts as gone`() async throws {
    for name in ["", String(repeating: "a", count: 4_097)] {
      #expect(
        try await channel().send(.sample(), to: FCMAddress(.token, name)).kind == "addressGone")
    }
  }

  @Test func `an invalid key file is refused`() async throws {
    let text = try await Peer.shared.text(of: "account.json")
    for (part, other) in [
      ("private_key\"", "other\""), ("BEGIN", "START"), ("shifts-1\"", "a/b\""), ("{", "["),
      ("client_email", "mail"), ("private_key_id", "id"),
    ] {
      let file = Array(text.replacing(part, with: other, maxReplacements: 1).utf8)
      #expect(FCMSettings(keyFile: file) == nil, "\(part)")
    }
  }
}
