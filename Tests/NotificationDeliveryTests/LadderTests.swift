import GuardRules
import JSONText
import NotificationQueue
import NotificationSending
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("A message climbs its ladder") struct LadderTests {
  static let off = "Location access is off"

  @Test("push at the end of the debounce, e-mail after five minutes, managers after ten")
  func climbs() async throws {  // R: A11, M4, C8
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(11))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(12))
      let push = try #require(crew.post.sent.first)
      #expect(push.message.key == "e1-t0-s1-o1" && push.message.isUrgent)
      #expect(push.message.subject == ["employee": JSONValue(1), "incident": JSONValue(1)])
      #expect(push.message.event == "shift.tracking_impaired")
      #expect(crew.post.collect() == ["fcm: \(Self.off)"])
      try await crew.deliver(at: .seconds(311))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(312))
      #expect(crew.post.collect() == ["email: \(Self.off)"])
      try await crew.deliver(at: .seconds(611))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(612))
      #expect(crew.post.sent.first?.address == .email("mira@example.com"))
      #expect(crew.post.sent.first?.message.body.hasSuffix("Ada 1") == true)
      #expect(crew.post.sent.first?.message.key == "e1-t0-s1-o1-m")
      #expect(crew.post.collect() == ["email: Tracking of a shift is interrupted"])
      #expect(try await crew.history() == ["incident told"])
      #expect(
        try await crew.attempts() == ["push 1 accepted", "email 2 accepted", "managers 3 accepted"])
    }
  }

  @Test("an open app is told, and nothing is pushed")
  func inApp() async throws {  // R: A11
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.open()
      try await crew.deliver(at: .seconds(12))
      let employee = EmployeeID(1)
      let inbox = try await crew.pool.read { (session) throws(PostgresError) in
        try inboxMessages(of: employee, after: 0, limit: 10, on: &session)
      }
      #expect(inbox.map(\.notice.kind) == [.denied] && inbox.map(\.number) == [1])
      try await crew.write([markWritten(upTo: 1, of: employee, at: crew.now)])
      try await crew.deliver(at: .seconds(13))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(312))
      #expect(crew.post.collect() == ["email: \(Self.off)"])
    }
  }

  @Test("an open app that does not show it in a second leaves it to the push")
  func notShown() async throws {  // R: A11
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.open()
      try await crew.deliver(at: .milliseconds(12_999))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .milliseconds(13_999))
      #expect(crew.post.collect() == ["fcm: \(Self.off)"])
    }
  }

  @Test("once restored nothing more is said but that: on the phone, in the alarm's place")
  func restored() async throws {  // R: A12
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      let alarm = try #require(crew.post.sent.first?.message)
      _ = crew.post.collect()
      crew.move(to: .seconds(100))
      try await crew.report(.always)
      try await crew.deliver()
      #expect(crew.post.sent.first?.message.collapseKey == alarm.collapseKey)
      #expect(crew.post.sent.first?.message.key == "e1-t9-s1-o1")
      #expect(crew.post.collect() == ["fcm: Tracking resumed"])
      try await crew.deliver(at: .hours(2))
      #expect(crew.post.collect() == [])
      #expect(try await crew.history() == ["restored told", "incident restored"])
    }
  }

  @Test("restored before anybody was told, nobody is told")
  func restoredUnseen() async throws {  // R: A17
    try await Crew.run { crew in
      try await crew.lose()
      crew.move(to: .seconds(100))
      try await crew.report(.always)
      try await crew.deliver()
      #expect(crew.post.collect() == [])
      #expect(
        Set(try await crew.history()) == ["restored nobody_alarmed", "incident restored"])
    }
  }

  @Test("after the shift nothing is said of it")
  func shiftEnd() async throws {
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      _ = crew.post.collect()
      crew.move(to: .seconds(60))
      try await crew.clockOut()
      try await crew.deliver(at: .hours(1))
      #expect(crew.post.collect() == [])
      #expect(try await crew.history() == ["incident shift_ended"])
    }
  }

  @Test("the same again within ten minutes waits; what is worse does not")
  func cooldown() async throws {
    try await Crew.run { crew in
      try await crew.lose(.whenInUse)
      try await crew.deliver(at: .seconds(12))
      crew.move(to: .seconds(30))
      try await crew.report(.always)
      try await crew.deliver()
      _ = crew.post.collect()
      crew.move(to: .seconds(40))
      try await crew.report(.whenInUse)
      try await crew.deliver(at: .seconds(60))
      #expect(crew.post.collect() == [])
      crew.move(to: .seconds(70))
      try await crew.report(.denied)
      try await crew.deliver(at: .seconds(72))
      #expect(crew.post.collect() == ["fcm: \(Self.off)"])
    }
  }

  @Test("what was held back by the cooldown is told when it still holds after it")
  func afterCooldown() async throws {
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      crew.move(to: .seconds(30))
      try await crew.report(.always)
      try await crew.deliver()
      crew.move(to: .seconds(40))
      try await crew.report(.denied)
      try await crew.deliver()
      _ = crew.post.collect()
      try await crew.deliver(at: .seconds(611))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(612))
      #expect(crew.post.collect().contains("fcm: \(Self.off)"))
    }
  }

  @Test("an iPhone whose location is switched off is told once of both that it reports")
  func oneCause() async throws {
    try await Crew.run(on: .ios) { crew in
      try await crew.clockIn()
      crew.move(to: .seconds(10))
      try await crew.report(.denied, services: .off)
      try await crew.deliver(at: .seconds(12))
      #expect(crew.post.collect().count == 1)
      try await crew.deliver(at: .seconds(900))
      #expect(crew.post.collect().count == 2)
      #expect(try await crew.history() == ["incident superseded", "incident told"])
    }
  }

  @Test("a refused push is followed by the e-mail at once")
  func refused() async throws {
    try await Crew.run { crew in
      crew.post.answers { address in
        address.channel == .fcm ? .refused(reason: "too large") : .accepted(reference: nil)
      }
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      #expect(crew.post.collect() == ["fcm: \(Self.off)", "email: \(Self.off)"])
      #expect(try await crew.attempts() == ["push 1 refused", "email 2 accepted"])
    }
  }

  @Test("an address where nobody is any more is forgotten, unless it was registered since")
  func gone() async throws {
    try await Crew.run { crew in
      crew.post.answers { address in
        address.channel == .fcm
          ? .addressGone(reason: "unregistered", at: nil) : .accepted(reference: nil)
      }
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      #expect(try await crew.count("SELECT count(*) FROM push_target") == 0)
      #expect(crew.post.collect() == ["fcm: \(Self.off)", "email: \(Self.off)"])
      try await crew.register(crew.phones[0].device)
      crew.post.answers { _ in .addressGone(reason: "unregistered", at: morning) }
      try await crew.report(.always)
      try await crew.deliver(at: .seconds(15))
      #expect(try await crew.count("SELECT count(*) FROM push_target") == 1)
    }
  }

  @Test("what every way refused is a dead letter, which goes out once there is another")
  func deadLetter() async throws {
    try await Crew.run { crew in
      try await crew.write([
        setEmail(nil, of: EmployeeID(1)), deleteContact("mira@example.com", of: crew.team),
      ])
      crew.post.answers { _ in .addressGone(reason: "unregistered", at: nil) }
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      #expect(try await crew.history() == [])
      crew.post.answers { _ in .refused(reason: "too large") }
      try await crew.register(crew.phones[0].device)
      try await crew.write([hasten(noticesOf: EmployeeID(1), at: crew.now)])
      try await crew.deliver(at: .seconds(13))
      #expect(try await crew.history() == ["incident unreachable"])
      crew.post.answers { _ in .accepted(reference: nil) }
      _ = crew.post.collect()
      crew.move(to: .seconds(14))
      #expect(try await crew.operations.outboxLoad().dead == 1)
      try await crew.register(crew.phones[0].device)
      try await crew.write([redrive(deadLettersOf: nil, at: crew.now)])
      try await crew.deliver(at: .seconds(20))
      #expect(crew.post.collect() == ["fcm: \(Self.off)"])
      #expect(try await crew.operations.outboxLoad().dead == 0)
    }
  }

  @Test("a team that loses signal is one message to its managers")
  func digest() async throws {
    try await Crew.run(5) { crew in
      try await crew.clockIn()
      for phone in 0..<5 {
        crew.move(to: .seconds(10 + Int64(phone)))
        try await crew.report(.denied, from: phone)
      }
      try await crew.deliver(at: .seconds(20))
      try await crew.deliver(at: .seconds(330))
      _ = crew.post.collect()
      crew.move(to: .seconds(600))
      try await crew.report(.always, from: 4)
      try await crew.deliver(at: .seconds(611))
      _ = crew.post.collect()
      // The first goes at once, the others together a minute later.
      try await crew.deliver(at: .seconds(612))
      #expect(crew.post.collect() == ["email: Tracking of a shift is interrupted"])
      try await crew.deliver(at: .seconds(671))
      _ = crew.post.collect()
      crew.post.answers { _ in .retry(reason: "greylisted", after: .seconds(120)) }
      try await crew.deliver(at: .seconds(672))
      let first = try #require(crew.post.sent.first)
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      crew.post.answers { _ in .accepted(reference: nil) }
      try await crew.deliver(at: .seconds(792))
      let letter = try #require(crew.post.sent.first)
      #expect(letter.message.body == first.message.body && letter.message.key == first.message.key)
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      #expect(!letter.message.body.contains("Ada 1"))
      for name in ["Ada 2", "Ada 3", "Ada 4"] {
        #expect(letter.message.body.contains(name))
      }
      #expect(!letter.message.body.contains("Ada 5"))
      try await crew.deliver(at: .hours(3))
      #expect(crew.post.collect() == [])
      #expect(try await crew.waiting() == [])
    }
  }

  /// Four whose interruptions reach their managers: that of 4 at 610 s, and those of 1 to 3 at
  /// 670 s in the message about whoever comes first.
  private func loseTogether(_ crew: Crew) async throws {
    try await crew.clockIn()
    crew.move(to: .seconds(8))
    try await crew.report(.denied, from: 3)
    for phone in 0..<3 {
      crew.move(to: .seconds(10 + Int64(phone)))
      try await crew.report(.denied, from: phone)
    }
    try await crew.deliver(at: .seconds(20))
    try await crew.deliver(at: .seconds(330))
    try await crew.deliver(at: .seconds(610))
    try await crew.deliver(at: .seconds(620))
    _ = crew.post.collect()
  }

  @Test("who travels in a message that everybody refuses is told of after all, and once")
  func refusedCarrier() async throws {  // R: M4
    try await Crew.run(4) { crew in
      try await loseTogether(crew)
      crew.post.answers { _ in .refused(reason: "status 550") }
      try await crew.deliver(at: .seconds(670))
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      crew.post.answers { _ in .accepted(reference: nil) }
      try await crew.deliver(at: .seconds(729))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(730))
      let body = try #require(crew.post.sent.first?.message.body)
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      #expect(body.contains("Ada 2") && body.contains("Ada 3") && !body.contains("Ada 1"))
      try await crew.deliver(at: .hours(3))
      #expect(crew.post.collect() == [])
      #expect(try await crew.waiting() == [])
    }
  }

  @Test("who travels in a message that is over before anybody got it is told of after all")
  func endedCarrier() async throws {  // R: M4
    try await Crew.run(4) { crew in
      try await loseTogether(crew)
      crew.post.answers { _ in .retry(reason: "greylisted", after: .seconds(300)) }
      try await crew.deliver(at: .seconds(670))
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      crew.post.answers { _ in .accepted(reference: nil) }
      crew.move(to: .seconds(700))
      try await crew.report(.always)
      try await crew.deliver(at: .seconds(729))
      #expect(
        crew.post.collect().sorted() == ["email: Tracking resumed", "fcm: Tracking resumed"])
      try await crew.deliver(at: .seconds(731))
      #expect(try await crew.attempts(of: 2).contains("managers 0 retry"))
      let body = try #require(crew.post.sent.first?.message.body)
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      #expect(body.contains("Ada 2") && body.contains("Ada 3") && !body.contains("Ada 1"))
      try await crew.deliver(at: .hours(3))
      #expect(crew.post.collect() == [])
    }
  }

  @Test("under advisory only the open app is told, once it is open, and of each cause once")
  func quiet() async throws {  // R: A11, B3, B5
    try await Crew.run { crew in
      var changes = PolicyChanges()
      changes.preset = .advisory
      _ = try await crew.operations.setPolicy(of: crew.team, changes)
      try await crew.lose()
      try await crew.deliver(at: .seconds(700))
      #expect(crew.post.collect() == [])
      #expect(try await crew.history() == [])
      // Whoever opens the app need not wait until somebody looks again.
      let position = try await crew.operations.openStream(
        for: crew.phones[0], after: nil, lease: .hours(3),
        receipt: Receipt(at: crew.now, monotonic: .now))
      let first = try await crew.look(after: position)
      #expect(first.shown == ["incident denied"])
      try await crew.deliver(at: .seconds(710))
      crew.move(to: .seconds(800))
      try await crew.report(.always)
      #expect(try await crew.look(after: first.position).shown == ["restored"])
      try await crew.deliver(at: .seconds(804))
      crew.move(to: .seconds(7_000))
      try await crew.report(.denied)
      try await crew.deliver(at: .seconds(7_010))
      #expect(crew.post.collect() == [])
      #expect(try await crew.attempts() == ["in_app 1 accepted", "in_app 1 accepted"])
      let history = try await crew.history()
      #expect(history == ["incident told", "restored told", "incident told"])
    }
  }
}
