import BackgroundOperations
import GuardRules
import NotificationQueue
import NotificationSending
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import NotificationDelivery

@Suite("Leases") struct LeaseTests {
  private static let ada = EmployeeID(1)

  @Test("of a crashed worker expire, and its notification is sent again under the same key")
  func crash() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(12))
      let lost = try await world.operations.background.decideDeliveries(Self.ada)
      #expect(lost.count == 1)
      try await world.deliver(at: .seconds(41))
      #expect(world.post.sent == [])
      try await world.deliver(at: .seconds(42))
      #expect(world.post.sent.map(\.outgoing.key) == [OutgoingNotification(lost[0]).key])
      #expect(try await world.attempts() == ["push 1 ?", "push 2 accepted"])
    }
  }

  @Test("are not regained after they expire: a late result of the first worker ends nothing")
  func fence() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(12))
      let first = try await world.operations.background.decideDeliveries(Self.ada)
      world.move(to: .seconds(42))
      let second = try await world.operations.background.decideDeliveries(Self.ada)
      #expect(first.map(\.lease) == [1] && second.map(\.lease) == [2])
      try await world.operations.background.record([SendingResult(of: first[0], .accepted)])
      // The second worker still has the lease, until it expires.
      #expect(try await world.waiting().map(\.nextAt) == [morning + .seconds(72)])
      #expect(try await world.attempts() == ["push 1 accepted", "push 2 ?"])
      try await world.operations.background.hold(first)
      world.move(to: .seconds(50))
      try await world.operations.background.hold(first)
      #expect(try await world.waiting().map(\.nextAt) == [morning + .seconds(72)])
      try await world.operations.background.hold(second)
      #expect(try await world.waiting().map(\.nextAt) == [morning + .seconds(80)])
    }
  }

  @Test("are respected when waiting notifications are to be delivered now")
  func deliveredNow() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(12))
      let sendings = try await world.operations.background.decideDeliveries(Self.ada)
      try await world.write([deliverNow(notificationsOf: Self.ada, at: world.now)])
      #expect(try await world.operations.background.decideDeliveries(Self.ada) == [])
      world.post.answers { _ in .retry(reason: "busy", after: nil) }
      try await world.operations.background.record(
        sendings.map { SendingResult(of: $0, .retry, retryAfter: .seconds(40)) })
      try await world.deliver()
      #expect(try await world.waiting().map(\.nextAt) == [morning + .seconds(52)])
      try await world.write([deliverNow(notificationsOf: Self.ada, at: world.now)])
      #expect(try await world.waiting().map(\.nextAt) == [morning + .seconds(12)])
    }
  }

  @Test("are taken by only one of many workers that try at once")
  func race() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(12))
      let taken = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask { try await world.operations.background.decideDeliveries(Self.ada).count }
        }
        return try await group.reduce(0, +)
      }
      #expect(taken == 1)
    }
  }

  @Test("skip rows that another transaction has locked, without waiting for it")
  func skips() async throws {
    try await DeliveryWorld.run(2) { world in
      try await world.clockIn()
      world.move(to: .seconds(10))
      for phone in 0..<2 { try await world.report(.denied, from: phone) }
      world.move(to: .seconds(12))
      let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
      let release = Gate()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await world.pool.transaction { (session) throws(PostgresError) in
            try session.execute("SELECT FROM notification WHERE employee_id = 1 FOR UPDATE")
            held.finish()
            release.block()
          }
        }
        for await _ in isHeld {}
        #expect(try await world.operations.background.decideDeliveries(Self.ada) == [])
        #expect(try await world.operations.background.decideDeliveries(EmployeeID(2)).count == 1)
        release.open()
        try await group.waitForAll()
      }
      #expect(try await world.operations.background.decideDeliveries(Self.ada).count == 1)
    }
  }

  @Test("do not let an unreadable notification block the rest; it becomes a dead letter")
  func poison() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.write([
        """
        INSERT INTO notification (employee_id, topic, subject, ordinal, kind, urgent, due_at)
        VALUES (1, 2, 77, 1, 77, false, \(morning))
        """
      ])
      for second in 12..<200 as Range<Int64> { try await world.deliver(at: .seconds(second)) }
      #expect(world.post.collect() == ["fcm: \(EscalationTests.off)"])
      #expect(
        try await world.count(
          "SELECT count(*) FROM notification_history WHERE kind = 77 AND outcome = 8") == 1)
    }
  }

  @Test("a poll that starts where the last one ended skips what was due before")
  func cursor() async throws {
    try await DeliveryWorld.run(2) { world in
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, from: 0)
      world.move(to: .seconds(20))
      try await world.report(.denied, from: 1)
      world.move(to: .seconds(30))
      let all = try await world.operations.background.dueNotifications(from: nil, limit: 10)
      #expect(all.employees == [EmployeeID(1), EmployeeID(2)])
      #expect(all.last == morning + .seconds(22))
      let later = try await world.operations.background.dueNotifications(
        from: morning + .seconds(15), limit: 10)
      #expect(later.employees == [EmployeeID(2)])
      world.move(to: .seconds(11))
      let next = try await world.operations.background.dueNotifications(from: nil, limit: 10)
      #expect(next.employees == [] && next.next == .seconds(1))
    }
  }
}

@Suite("A transport that fails") struct FailureTests {
  @Test("is retried after its back-off, under the same key, until it accepts the notification")
  func again() async throws {
    try await DeliveryWorld.run { world in
      world.post.answers { _ in .retry(reason: "busy", after: nil) }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      try await world.deliver(at: .seconds(51))
      #expect(world.post.sent.count == 1)
      world.post.answers { _ in .accepted(reference: "r") }
      try await world.deliver(at: .seconds(52))
      #expect(Set(world.post.sent.map(\.outgoing.key)).count == 1 && world.post.sent.count == 2)
      #expect(try await world.attempts() == ["push 1 retry", "push 2 accepted"])
    }
  }

  @Test("is retried after the delay that it asks for")
  func itsWord() async throws {
    try await DeliveryWorld.run { world in
      world.post.answers { _ in .retry(reason: "busy", after: .seconds(7)) }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      try await world.deliver(at: .seconds(18))
      #expect(world.post.sent.count == 1)
      try await world.deliver(at: .seconds(19))
      #expect(world.post.sent.count == 2)
    }
  }

  @Test("because of our configuration is paused, and notifications that need it wait")
  func misconfigured() async throws {
    try await DeliveryWorld.run(2) { world in
      world.post.answers { _ in .misconfigured(reason: "no key") }
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      try await world.report(.denied, from: 1)
      try await world.deliver(at: .seconds(20))
      // One push was tried, and none for the second employee, whose e-mail does not come early.
      #expect(world.post.sent.map(\.address.channel) == [.fcm])
      #expect(try await world.waiting().count == 2)
    }
  }

  @Test("five times in a row is paused for longer and longer, until a success resets it")
  func breaker() {
    var breaker = Breaker()
    let start = ContinuousClock.now
    for _ in 0..<4 { breaker.note(.retry(reason: "", after: nil), on: .apns, at: start) }
    #expect(breaker.held(at: start) == nil)
    breaker.note(.unknown(reason: ""), on: .apns, at: start)
    #expect(breaker.held(at: start) == .seconds(30))
    let later = start + .seconds(30)
    #expect(breaker.held(at: later) == nil)
    breaker.note(.retry(reason: "", after: nil), on: .apns, at: later)
    #expect(breaker.held(at: later) == .seconds(60))
    breaker.note(.accepted(reference: nil), on: .apns, at: later)
    #expect(breaker.held(at: later) == nil)
    for _ in 0..<20 { breaker.note(.retry(reason: "", after: nil), on: .webhook, at: later) }
    #expect(breaker.held(at: later) == nil)
    breaker.note(.misconfigured(reason: ""), on: .webhook, at: later)
    #expect(breaker.held(at: later) == .seconds(30))
  }
}
