import GuardRules
import JSONText
import NotificationQueue
import NotificationSending
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("A notification escalates") struct EscalationTests {
  static let off = "Location access is off"

  @Test("push at the end of the debounce, e-mail after five minutes, managers after ten")
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

  @Test("an open app is told, and nothing is pushed")
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

  @Test("an open app that does not show it in a second leaves it to the push")
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

  @Test("once restored nothing more is said but that: on the phone, in the alarm's place")
  func restored() async throws {  // R: A12
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      let alarm = try #require(world.post.sent.first?.outgoing)
      _ = world.post.collect()
      world.move(to: .seconds(100))
      try await world.report(.always)
      try await world.deliver()
      #expect(world.post.sent.first?.outgoing.collapseKey == alarm.collapseKey)
      #expect(world.post.sent.first?.outgoing.key == "e1-t9-s1-o1")
      #expect(world.post.collect() == ["fcm: Tracking resumed"])
      try await world.deliver(at: .hours(2))
      #expect(world.post.collect() == [])
      #expect(try await world.history() == ["restored delivered", "incident restored"])
    }
  }

  @Test("restored before anybody was told, nobody is told")
  func restoredUnseen() async throws {  // R: A17
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(100))
      try await world.report(.always)
      try await world.deliver()
      #expect(world.post.collect() == [])
      #expect(
        Set(try await world.history()) == ["restored not_needed", "incident restored"])
    }
  }

  @Test("after the shift nothing is said of it")
  func shiftEnd() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      _ = world.post.collect()
      world.move(to: .seconds(60))
      try await world.clockOut()
      try await world.deliver(at: .hours(1))
      #expect(world.post.collect() == [])
      #expect(try await world.history() == ["incident shift_ended"])
    }
  }

  @Test("the same again within ten minutes waits; what is worse does not")
  func cooldown() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose(.whenInUse)
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(30))
      try await world.report(.always)
      try await world.deliver()
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

  @Test("what was held back by the cooldown is told when it still holds after it")
  func afterCooldown() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(30))
      try await world.report(.always)
      try await world.deliver()
      world.move(to: .seconds(40))
      try await world.report(.denied)
      try await world.deliver()
      _ = world.post.collect()
      try await world.deliver(at: .seconds(611))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(612))
      #expect(world.post.collect().contains("fcm: \(Self.off)"))
    }
  }

  @Test("an iPhone whose location is switched off is told once of both that it reports")
  func oneCause() async throws {
    try await DeliveryWorld.run(on: .ios) { world in
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, services: .off)
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect().count == 1)
      try await world.deliver(at: .seconds(900))
      #expect(world.post.collect().count == 2)
      #expect(try await world.history() == ["incident superseded", "incident delivered"])
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

  @Test("an address where nobody is any more is forgotten, unless it was registered since")
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

  @Test("what every way refused is a dead letter, which goes out once there is another")
  func deadLetter() async throws {
    try await DeliveryWorld.run { world in
      try await world.write([
        setEmail(nil, of: EmployeeID(1)), deleteContact("mira@example.com", of: world.team),
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
      #expect(try await world.operations.outboxLoad().dead == 1)
      try await world.register(world.phones[0].device)
      try await world.write([requeue(deadLettersOf: nil, at: world.now)])
      try await world.deliver(at: .seconds(20))
      #expect(world.post.collect() == ["fcm: \(Self.off)"])
      #expect(try await world.operations.outboxLoad().dead == 0)
    }
  }

  @Test("a team that loses signal is one message to its managers")
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
      // The first goes at once, the others together a minute later.
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

  /// Four whose interruptions reach their managers: that of 4 at 610 s, and those of 1 to 3 at
  /// 670 s in the message about whoever comes first.
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

  @Test("who travels in a message that everybody refuses is told of after all, and once")
  func refusedCarrier() async throws {  // R: M4
    try await DeliveryWorld.run(4) { world in
      try await loseTogether(world)
      world.post.answers { _ in .refused(reason: "status 550") }
      try await world.deliver(at: .seconds(670))
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      world.post.answers { _ in .accepted(reference: nil) }
      try await world.deliver(at: .seconds(729))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(730))
      let body = try #require(world.post.sent.first?.outgoing.body)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      #expect(body.contains("Ada 2") && body.contains("Ada 3") && !body.contains("Ada 1"))
      try await world.deliver(at: .hours(3))
      #expect(world.post.collect() == [])
      #expect(try await world.waiting() == [])
    }
  }

  @Test("who travels in a message that is over before anybody got it is told of after all")
  func endedCarrier() async throws {  // R: M4
    try await DeliveryWorld.run(4) { world in
      try await loseTogether(world)
      world.post.answers { _ in .retry(reason: "greylisted", after: .seconds(300)) }
      try await world.deliver(at: .seconds(670))
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      world.post.answers { _ in .accepted(reference: nil) }
      world.move(to: .seconds(700))
      try await world.report(.always)
      try await world.deliver(at: .seconds(729))
      #expect(
        world.post.collect().sorted() == ["email: Tracking resumed", "fcm: Tracking resumed"])
      try await world.deliver(at: .seconds(731))
      #expect(try await world.attempts(of: 2).contains("managers 0 retry"))
      let body = try #require(world.post.sent.first?.outgoing.body)
      #expect(world.post.collect() == ["email: Several shifts need your attention"])
      #expect(body.contains("Ada 2") && body.contains("Ada 3") && !body.contains("Ada 1"))
      try await world.deliver(at: .hours(3))
      #expect(world.post.collect() == [])
    }
  }

  @Test("under advisory only the open app is told, once it is open, and of each cause once")
  func quiet() async throws {  // R: A11, B3, B5
    try await DeliveryWorld.run { world in
      var changes = PolicyChanges()
      changes.preset = .advisory
      _ = try await world.operations.setPolicy(of: world.team, changes)
      try await world.lose()
      try await world.deliver(at: .seconds(700))
      #expect(world.post.collect() == [])
      #expect(try await world.history() == [])
      // Whoever opens the app need not wait until somebody looks again.
      let position = try await world.operations.openStream(
        for: world.phones[0], after: nil, lease: .hours(3),
        receipt: Receipt(at: world.now, monotonic: .now))
      let first = try await world.look(after: position)
      #expect(first.shown == ["incident denied"])
      try await world.deliver(at: .seconds(710))
      world.move(to: .seconds(800))
      try await world.report(.always)
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
