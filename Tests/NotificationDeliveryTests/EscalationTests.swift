import BackgroundOperations
import DeviceOperations
import GuardRules
import JSONText
import NotificationQueue
import NotificationSending
import PolicyOperations
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import NotificationDelivery

@Suite("Escalation") struct EscalationTests {
  static let off = "Location access is off"

  @Test("goes to push after the debounce, to e-mail after five minutes, to managers after ten")
  func escalates() async throws {  // R: A11, M4, C8
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(11))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(12))
      let push = try #require(world.post.sent.first)
      #expect(push.outgoing.key == "e1-t0-s1-o1" && push.outgoing.isUrgent)
      #expect(push.outgoing.subject == ["employee": JSONValue(1), "incident": JSONValue(1)])
      #expect(push.outgoing.event == "shift.tracking_impaired")
      #expect(world.post.collect() == ["fcm: \(Self.off)"])
      try await world.deliver(at: .seconds(311))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(312))
      #expect(world.post.collect() == ["email: \(Self.off)"])
      try await world.deliver(at: .seconds(611))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(612))
      #expect(world.post.sent.first?.address == .email("mira@example.com"))
      #expect(world.post.sent.first?.outgoing.body.hasSuffix("Ada 1") == true)
      #expect(world.post.sent.first?.outgoing.key == "e1-t0-s1-o1-m")
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
      #expect(try await world.history() == ["incident delivered"])
      #expect(
        try await world.attempts() == [
          "push 1 accepted", "email 2 accepted", "managers 3 accepted",
        ])
    }
  }

  @Test("an open app shows the notification, and nothing is pushed")
  func inApp() async throws {  // R: A11
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.open()
      try await world.deliver(at: .seconds(12))
      let employee = EmployeeID(1)
      let inbox = try await world.pool.read { (session) throws(PostgresError) in
        try inboxEntries(of: employee, after: 0, limit: 10, on: &session)
      }
      #expect(inbox.map(\.notification.kind) == [.denied] && inbox.map(\.number) == [1])
      try await world.write([markWritten(upTo: 1, of: employee, at: world.now)])
      try await world.deliver(at: .seconds(13))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(312))
      #expect(world.post.collect() == ["email: \(Self.off)"])
    }
  }

  @Test("a notification that an open app does not show within a second is pushed")
  func notShown() async throws {  // R: A11
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.open()
      try await world.deliver(at: .milliseconds(12_999))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .milliseconds(13_999))
      #expect(world.post.collect() == ["fcm: \(Self.off)"])
    }
  }

  @Test("restoring tracking ends the escalation, and its push replaces the first one")
  func restored() async throws {  // R: A12
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      let alarm = try #require(world.post.sent.first?.outgoing)
      _ = world.post.collect()
      world.move(to: .seconds(100))
      try await world.report(.always)
      try await world.deliver(at: .milliseconds(101_999))
      #expect(world.post.collect() == [], "an end waits for the debounce, too")
      try await world.deliver(at: .seconds(102))
      #expect(world.post.sent.first?.outgoing.collapseKey == alarm.collapseKey)
      #expect(world.post.sent.first?.outgoing.key == "e1-t9-s1-o1")
      #expect(world.post.collect() == ["fcm: Tracking resumed"])
      // The alarm does not wait for the time of its e-mail.
      #expect(try await world.history() == ["restored delivered", "incident restored"])
      try await world.deliver(at: .hours(2))
      #expect(world.post.collect() == [])
    }
  }

  @Test("nothing is sent about an incident that is restored before the first delivery")
  func restoredUnseen() async throws {  // R: A17
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(100))
      try await world.report(.always)
      try await world.deliver(at: .seconds(102))
      #expect(world.post.collect() == [])
      #expect(
        Set(try await world.history()) == ["restored not_needed", "incident restored"])
    }
  }

  @Test("nothing is sent about an incident after the end of the shift")
  func shiftEnd() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      _ = world.post.collect()
      world.move(to: .seconds(60))
      try await world.clockOut()
      try await world.deliver()
      #expect(try await world.history() == ["incident shift_ended"], "nothing stands after it")
      try await world.deliver(at: .hours(1))
      #expect(world.post.collect() == [])
    }
  }

  @Test("the same cause waits for the cooldown of ten minutes; a worse one does not")
  func cooldown() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose(.whenInUse)
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(30))
      try await world.report(.always)
      try await world.deliver(at: .seconds(32))
      _ = world.post.collect()
      world.move(to: .seconds(40))
      try await world.report(.whenInUse)
      try await world.deliver(at: .seconds(60))
      #expect(world.post.collect() == [])
      world.move(to: .seconds(70))
      try await world.report(.denied)
      try await world.deliver(at: .seconds(72))
      #expect(world.post.collect() == ["fcm: \(Self.off)"])
    }
  }

  @Test("a notification that the cooldown delayed is sent after it if the problem lasts")
  func afterCooldown() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(30))
      try await world.report(.always)
      try await world.deliver(at: .seconds(32))
      world.move(to: .seconds(40))
      try await world.report(.denied)
      try await world.deliver()
      _ = world.post.collect()
      try await world.deliver(at: .seconds(341))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(342))
      #expect(world.post.collect() == ["email: \(Self.off)"], "no e-mail was sent before")
      try await world.deliver(at: .seconds(611))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(612))
      #expect(world.post.collect().contains("fcm: \(Self.off)"))
    }
  }

  @Test("an iPhone with location services off is notified once of the two causes it reports")
  func oneCause() async throws {
    try await DeliveryWorld.run(on: .ios) { world in
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, services: .off)
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect().count == 1)
      try await world.deliver(at: .seconds(900))
      #expect(world.post.collect().count == 2)
      // One message has told both.
      #expect(try await world.history() == ["incident delivered", "incident delivered"])
    }
  }

  @Test("a refused push is followed by the e-mail at once")
  func refused() async throws {
    try await DeliveryWorld.run { world in
      world.post.answers { address in
        address.channel == .fcm ? .refused(reason: "too large") : .accepted(reference: nil)
      }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect() == ["fcm: \(Self.off)", "email: \(Self.off)"])
      #expect(try await world.attempts() == ["push 1 refused", "email 2 accepted"])
    }
  }

  @Test("a push address that is gone is deleted, unless it was registered again since")
  func gone() async throws {
    try await DeliveryWorld.run { world in
      world.post.answers { address in
        address.channel == .fcm
          ? .addressGone(reason: "unregistered", at: nil) : .accepted(reference: nil)
      }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      #expect(try await world.count("SELECT count(*) FROM push_target") == 0)
      #expect(world.post.collect() == ["fcm: \(Self.off)", "email: \(Self.off)"])
      try await world.register(world.phones[0].device)
      world.post.answers { _ in .addressGone(reason: "unregistered", at: morning) }
      try await world.report(.always)
      try await world.deliver(at: .seconds(15))
      #expect(try await world.count("SELECT count(*) FROM push_target") == 1)
    }
  }

  @Test("a notification that every channel refused is a dead letter until it is retried")
  func deadLetter() async throws {
    try await DeliveryWorld.run { world in
      try await world.write([
        setEmail(nil, of: EmployeeID(1)),
        deleteContact("mira@example.com", by: .email, of: world.team),
      ])
      world.post.answers { _ in .addressGone(reason: "unregistered", at: nil) }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      #expect(try await world.history() == [])
      world.post.answers { _ in .refused(reason: "too large") }
      try await world.register(world.phones[0].device)
      try await world.write([deliverNow(notificationsOf: EmployeeID(1), at: world.now)])
      try await world.deliver(at: .seconds(13))
      #expect(try await world.history() == ["incident unreachable"])
      world.post.answers { _ in .accepted(reference: nil) }
      _ = world.post.collect()
      world.move(to: .seconds(14))
      #expect(try await world.operations.background.outboxLoad().dead == 1)
      try await world.register(world.phones[0].device)
      try await world.write([requeue(deadLettersOf: nil, at: world.now)])
      try await world.deliver(at: .seconds(20))
      #expect(world.post.collect() == ["fcm: \(Self.off)"])
      #expect(try await world.operations.background.outboxLoad().dead == 0)
    }
  }

  @Test("managers get one digest about a team that loses tracking at the same time")
  func digest() async throws {
    try await DeliveryWorld.run(5) { world in
      try await world.clockIn()
      for phone in 0..<5 {
        world.move(to: .seconds(10 + Int64(phone)))
        try await world.report(.denied, from: phone)
      }
      try await world.deliver(at: .seconds(20))
      try await world.deliver(at: .seconds(330))
      _ = world.post.collect()
      world.move(to: .seconds(600))
      try await world.report(.always, from: 4)
      try await world.deliver(at: .seconds(611))
      _ = world.post.collect()
      // The first is sent at once, the others together a minute later.
      try await world.deliver(at: .seconds(612))
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
      try await world.deliver(at: .seconds(671))
      _ = world.post.collect()
      world.post.answers { _ in .retry(reason: "greylisted", after: .seconds(120)) }
      try await world.deliver(at: .seconds(672))
      let first = try #require(world.post.sent.first)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      world.post.answers { _ in .accepted(reference: nil) }
      try await world.deliver(at: .seconds(792))
      let sent = try #require(world.post.sent.first)
      #expect(sent.outgoing.body == first.outgoing.body && sent.outgoing.key == first.outgoing.key)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      #expect(!sent.outgoing.body.contains("Ada 1"))
      for name in ["Ada 2", "Ada 3", "Ada 4"] {
        #expect(sent.outgoing.body.contains(name))
      }
      #expect(!sent.outgoing.body.contains("Ada 5"))
      try await world.deliver(at: .hours(3))
      #expect(world.post.collect() == [])
      #expect(try await world.waiting() == [])
    }
  }

  /// Four employees whose incidents reach the managers: that of employee 4 at 610 s, and those of
  /// employees 1 to 3 at 670 s, in the digest with the first of them.
  private func loseTogether(_ world: DeliveryWorld) async throws {
    try await world.clockIn()
    world.move(to: .seconds(8))
    try await world.report(.denied, from: 3)
    for phone in 0..<3 {
      world.move(to: .seconds(10 + Int64(phone)))
      try await world.report(.denied, from: phone)
    }
    try await world.deliver(at: .seconds(20))
    try await world.deliver(at: .seconds(330))
    try await world.deliver(at: .seconds(610))
    try await world.deliver(at: .seconds(620))
    _ = world.post.collect()
  }

  /// Of the employees 1 to 3, which are due at the same time, the one whose notification carries
  /// the digest.
  private func carrier(in world: DeliveryWorld) async throws -> Int32 {
    for employee in Int32(1)...3 {
      // Those that the digest includes have number 0.
      let toManagers = try await world.attempts(of: employee).filter { $0.hasPrefix("managers ") }
      if toManagers.contains(where: { !$0.hasPrefix("managers 0 ") }) { return employee }
    }
    throw TestDatabaseError("no digest was sent")
  }

  /// Whether `body` reports the others of the employees 1 to 3.
  private func reports(_ body: String, allBut carrier: Int32) -> Bool {
    (Int32(1)...3).allSatisfy { body.contains("Ada \($0)") != ($0 == carrier) }
  }

  @Test("the other employees of a digest that every manager refuses are still reported, once")
  func refusedCarrier() async throws {  // R: M4
    try await DeliveryWorld.run(4) { world in
      try await loseTogether(world)
      world.post.answers { _ in .refused(reason: "status 550") }
      try await world.deliver(at: .seconds(670))
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      let carrier = try await carrier(in: world)
      world.post.answers { _ in .accepted(reference: nil) }
      try await world.deliver(at: .seconds(729))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(730))
      let body = try #require(world.post.sent.first?.outgoing.body)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      #expect(reports(body, allBut: carrier))
      try await world.deliver(at: .hours(3))
      #expect(world.post.collect() == [])
      #expect(try await world.waiting() == [])
    }
  }

  @Test("the other employees of a digest are still reported if its first incident ends unsent")
  func endedCarrier() async throws {  // R: M4
    try await DeliveryWorld.run(4) { world in
      try await loseTogether(world)
      world.post.answers { _ in .retry(reason: "greylisted", after: .seconds(300)) }
      try await world.deliver(at: .seconds(670))
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      let carrier = try await carrier(in: world)
      world.post.answers { _ in .accepted(reference: nil) }
      world.move(to: .seconds(700))
      try await world.report(.always, from: Int(carrier) - 1)
      try await world.deliver(at: .seconds(729))
      #expect(
        world.post.collect().sorted() == ["email: Tracking resumed", "fcm: Tracking resumed"])
      try await world.deliver(at: .seconds(731))
      #expect(try await world.attempts(of: carrier % 3 + 1).contains("managers 0 retry"))
      let body = try #require(world.post.sent.first?.outgoing.body)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      #expect(reports(body, allBut: carrier))
      try await world.deliver(at: .hours(3))
      #expect(world.post.collect() == [])
    }
  }

  @Test("under `advisory` only the app is notified, when it opens, and once for each cause")
  func quiet() async throws {  // R: A11, B3, B5
    try await DeliveryWorld.run { world in
      var changes = PolicyChanges()
      changes.preset = .advisory
      _ = try await world.operations.policies.setPolicy(of: world.team, changes)
      try await world.lose()
      try await world.deliver(at: .seconds(700))
      #expect(world.post.collect() == [])
      #expect(try await world.history() == [])
      // An app that opens does not wait for the next poll.
      let position = try await world.phones[0].openStream(lease: .hours(3))
      let first = try await world.look(after: position)
      #expect(first.shown == ["incident denied"])
      try await world.deliver(at: .seconds(710))
      world.move(to: .seconds(800))
      try await world.report(.always)
      world.move(to: .seconds(802))
      #expect(try await world.look(after: first.position).shown == ["restored"])
      try await world.deliver(at: .seconds(804))
      world.move(to: .seconds(7_000))
      try await world.report(.denied)
      try await world.deliver(at: .seconds(7_010))
      #expect(world.post.collect() == [])
      #expect(try await world.attempts() == ["in_app 1 accepted", "in_app 1 accepted"])
      let history = try await world.history()
      #expect(history == ["incident delivered", "restored delivered", "incident delivered"])
    }
  }
}
