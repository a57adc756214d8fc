import Foundation
import HTTPSending
import JSONText
import ShiftDomain
import TestKit
import Testing

@testable import NotificationSending

@Suite("E-mail", .timeLimit(.minutes(5))) struct MailTests {
  private func channel(
    port: String = "mail", protection: MailServer.Protection = .startTLS,
    login: MailServer.Login? = nil, mailsMax: Int = 4, deadline: Duration = TestDatabase.patience
  ) async throws -> MailChannel {
    let peer = try await Peer.shared
    // The name in the peers' certificate.
    let server = MailServer(
      host: "localhost", port: UInt16(peer.ports[port] ?? 0), protection: protection, login: login,
      ownName: "shifts.example.com")
    var settings = MailSettings(
      server: server, sender: "shifts@example.com", senderName: "Dienst – Größe")
    settings.deadline = deadline
    return MailChannel(
      settings, sender: MailSender(mailsMax: mailsMax, authorities: peer.authorities),
      clock: .system)
  }

  private func address(_ scenario: String, _ notification: OutgoingNotification) -> String {
    "\(scenario)+\(notification.key)@example.org"
  }

  // R: M4
  @Test func `an e-mail arrives encrypted, and reads as it was written`() async throws {
    var notification = OutgoingNotification.sample()
    notification.title = "Lokacija je isključena – uključite je, inače se smjena dalje ne prati 👷🏽"
    notification.body = "A < B & \"C\"\n.\n..\r\n.\r\nčćžšđ"
    let address = address("ok", notification)
    #expect(try await channel().send(notification, to: address) == .accepted(reference: nil))
    let arrived = try await Peer.shared.next(notification.key)
    #expect(try arrived.flag("encrypted") == true)
    #expect(try arrived.integer("defects", in: 0...9) == 0)
    #expect(try arrived.text(at: "sender") == "shifts@example.com")
    #expect(try arrived.text(at: "headers", "subject") == notification.title)
    #expect(try arrived.text(at: "headers", "from") == "Dienst – Größe <shifts@example.com>")
    #expect(try arrived.text(at: "headers", "to") == address)
    #expect(try arrived.text(at: "headers", "message-id") == "<\(notification.key)@example.com>")
    #expect(try arrived.text(at: "headers", "auto-submitted") == "auto-generated")
    let plain = try arrived.text(at: "plain")?.replacing("\r\n", with: "\n")
    #expect(
      plain == "A < B & \"C\"\n.\n..\n.\nčćžšđ\n\n"
        + "1. Open Settings.\n2. Tap Location.\n3. Choose Always.\n")
    let html = try arrived.text(at: "html") ?? ""
    #expect(html.contains("A &lt; B &amp; &quot;C&quot;"))
    #expect(html.contains("<ol><li>Open Settings.</li>"))
    let lines = try arrived.text(at: "content")?.split(separator: "\r\n") ?? []
    #expect(lines.allSatisfy { $0.utf8.count <= 78 })
  }

  @Test func `the date is that of the event, as another library reads it`() async throws {
    var notification = OutgoingNotification.sample()
    notification.occurredAt = try #require(Instant(rfc3339: "2026-02-09T03:04:05Z"))
    #expect(
      try await channel().send(notification, to: address("ok", notification)).kind == "accepted")
    let arrived = try await Peer.shared.next(notification.key)
    #expect(try arrived.text(at: "headers", "date") == "Mon, 09 Feb 2026 03:04:05 +0000")
  }

  @Test func `when the last reply is lost, the same e-mail is sent again`() async throws {
    let notification = OutgoingNotification.sample()
    let address = address("lost", notification)
    let channel = try await channel()
    let outcome = await channel.send(notification, to: address)
    #expect(outcome.kind == "unknown", "\(outcome)")
    #expect(await channel.send(notification, to: address).kind == "accepted")
    let first = try await Peer.shared.next(notification.key)
    let second = try await Peer.shared.next(notification.key)
    #expect(try first.text(at: "content") == second.text(at: "content"))
  }

  static let replies: [(scenario: String, is: SendOutcome)] = [
    ("grey", .retry(reason: "status 451 4.7.1", after: nil)),
    ("full", .retry(reason: "status 452 4.2.2", after: nil)),
    ("closing", .retry(reason: "status 421 4.3.2", after: nil)),
    ("nobody", .addressGone(reason: "status 550 5.1.1", at: nil)),
    ("moved", .addressGone(reason: "status 551 5.1.6", at: nil)),
    ("bare", .refused(reason: "status 550")),
    ("policy", .refused(reason: "status 550 5.7.1")),
    ("large", .refused(reason: "status 552 5.3.4")),
    ("sender", .misconfigured(reason: "status 550 5.1.8")),
  ]

  @Test(arguments: replies) func `every reply has an outcome`(
    _ row: (scenario: String, is: SendOutcome)
  ) async throws {
    let notification = OutgoingNotification.sample()
    #expect(
      try await channel().send(notification, to: address(row.scenario, notification)) == row.is)
  }

  @Test func `a greylisted e-mail is accepted when it is sent again`() async throws {
    let notification = OutgoingNotification.sample()
    let channel = try await channel()
    #expect(await channel.send(notification, to: address("grey", notification)).kind == "retry")
    #expect(await channel.send(notification, to: address("grey", notification)).kind == "accepted")
  }

  @Test func `the login is sent within TLS only, and a wrong one is reported`() async throws {
    let notification = OutgoingNotification.sample()
    let right = MailServer.Login(name: "shifts", password: "open sesame")
    #expect(
      try await channel(login: right).send(notification, to: address("ok", notification)).kind
        == "accepted")
    #expect(try await Peer.shared.next(notification.key).text(at: "login") == "shifts")
    let wrong = MailServer.Login(name: "shifts", password: "open barley")
    #expect(
      try await channel(login: wrong).send(notification, to: address("ok", notification)).kind
        == "misconfigured")
  }

  @Test func `without STARTTLS nothing is sent, unless the settings allow it`() async throws {
    let notification = OutgoingNotification.sample()
    let refused = try await channel(port: "mail-plain").send(
      notification, to: address("ok", notification))
    #expect(refused.kind == "retry", "\(refused)")
    let open = try await channel(port: "mail-plain", protection: .none)
    #expect(await open.send(notification, to: address("ok", notification)).kind == "accepted")
    #expect(try await Peer.shared.next(notification.key).flag("encrypted") == false)
  }

  @Test(arguments: ["mail-busy", "mail-slow", "mail-other", "mail-injecting", "closed", "web"])
  func `a server that is busy or no mail server causes a retry`(_ port: String) async throws {
    let notification = OutgoingNotification.sample()
    let outcome = try await channel(port: port, deadline: .milliseconds(500))
      .send(notification, to: address("ok", notification))
    #expect(outcome.kind == "retry", "\(outcome)")
  }

  @Test func `an e-mail cut off before its end was not sent`() async throws {
    let port = try await Peer.shared.ports["mail-cutting"] ?? 0
    let mail = OutgoingMail(
      server: MailServer(
        host: "localhost", port: UInt16(port), protection: .none, ownName: "x.example.com"),
      sender: "a@example.com", recipient: "b@example.org",
      content: Array(String(repeating: "line\r\n", count: 2_000_000).utf8))
    let error = await #expect(throws: SendingError.self) {
      try await MailSender(mailsMax: 1).send(mail)
    }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a reply after the deadline leaves the outcome unknown`() async throws {
    var outcome = SendOutcome.accepted(reference: nil)
    for deadline in growingLimits where outcome.kind != "unknown" {
      let notification = OutgoingNotification.sample()
      outcome = try await channel(deadline: deadline)
        .send(notification, to: address("silent", notification))
    }
    #expect(outcome == .unknown(reason: "no response within the deadline"))
  }

  @Test func `an e-mail above the limit waits, and a cancelled one ends`() async throws {
    let channel = try await channel(mailsMax: 1)
    let (notification, other) = (OutgoingNotification.sample(), OutgoingNotification.sample())
    let silent = address("silent", notification)
    let task = Task { await channel.send(notification, to: silent) }
    _ = try await Peer.shared.next(notification.key)
    #expect(
      await channel.send(other, to: address("ok", other))
        == .retry(reason: "unreachable: too many mails in progress", after: nil))
    task.cancel()
    #expect(await task.value == .unknown(reason: "cancelled"))
  }

  @Test func `a task cancelled before it sends sends nothing`() async throws {
    let channel = try await channel()
    let (notification, other) = (OutgoingNotification.sample(), OutgoingNotification.sample())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await channel.send(notification, to: address("ok", notification))
    }
    #expect(await task.value == .unknown(reason: "cancelled"))
    #expect(await channel.send(other, to: address("ok", other)).kind == "accepted")
  }

  @Test(arguments: [
    "", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\r\nRCPT TO:<x@y>", "a@b>", "<a@b>", "a,b@c", "ä@b",
    "a@b/c", String(repeating: "a", count: 65) + "@b",
  ]) func `an invalid address counts as gone`(_ address: String) async throws {
    #expect(try await channel().send(.sample(), to: address).kind == "addressGone")
  }

  @Test func `a line break never gets into a header`() async throws {
    for title in ["a\r\nBcc: b@c", "a\nb", "a\u{85}b", "a\0b"] {
      var notification = OutgoingNotification.sample()
      notification.title = title
      #expect(try await channel().send(notification, to: "a@b").kind == "refused")
    }
  }

  @Test func `a bare line ending is never sent`() async throws {
    let server = MailServer(host: "localhost", port: 1, ownName: "x")
    for content in ["a\n.\r\n", "a\rb\r\n", "a\r\n.\n", "a", "\n", "a\r\r\n"] {
      let mail = OutgoingMail(
        server: server, sender: "a@b", recipient: "c@d", content: Array(content.utf8))
      let error = await #expect(throws: SendingError.self, "\(content.debugDescription)") {
        try await MailSender(mailsMax: 1).send(mail)
      }
      guard case .unsendable = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `long header texts are split between characters`() {
    let words = encodedWords(String(repeating: "👷🏽", count: 30)).split(separator: "\r\n ")
    #expect(words.count > 1)
    #expect(words.allSatisfy { $0.utf8.count <= 75 })
  }
}
