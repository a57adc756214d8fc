import DeviceOperations
import GuardRules
import Lifecycle
import NotificationQueue
import NotificationSending
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import NotificationDelivery

@Suite("The delivery service", .timeLimit(.minutes(5))) struct RunTests {
  private func delivery(
    _ world: DeliveryWorld, poll: Duration = .milliseconds(50),
    sweep: Duration = .milliseconds(200),
    wakeSignal: WakeSignal = WakeSignal(), polls: RecordedPolls = RecordedPolls()
  ) -> NotificationDelivery {
    var pace = NotificationDelivery.Pace()
    (pace.poll, pace.sweep) = (poll, sweep)
    return NotificationDelivery(
      operations: world.operations.background, channels: world.post.channels, pace: pace,
      wakeSignal: wakeSignal, monitor: polls.monitor)
  }

  @Test("delivers the next notification when it is due, without waiting for a poll")
  func knowsNext() async throws {
    try await DeliveryWorld.runNow { world in
      try await world.report(.denied)
      // To wait for a poll would exceed the time limit of the suite.
      try await running([delivery(world, poll: .seconds(600))]) {
        #expect(await world.post.next().first?.address.channel == .fcm)
      }
    }
  }

  @Test("polls immediately after a wake-up")
  func signalled() async throws {
    try await DeliveryWorld.runNow { world in
      let polls = RecordedPolls()
      let wakeSignal = WakeSignal()
      let service = delivery(world, poll: .seconds(600), wakeSignal: wakeSignal, polls: polls)
      try await running([service]) {
        await polls.next()
        try await world.report(.denied)
        wakeSignal.signal()
        #expect(await world.post.next().count == 1)
      }
    }
  }

  @Test("is woken at once for notifications that are due now, and only for those")
  func heard() async throws {
    try await DeliveryWorld.runNow { world in
      let polls = RecordedPolls()
      let wakeSignal = WakeSignal()
      let calls = Lock(0)
      let phones = TestOperations(
        pool: world.pool, now: { world.now },
        outboxFilled: {
          calls.withLock { $0 += 1 }
          wakeSignal.signal()
        })
      func report(_ authorization: Authorization) async throws {
        try await world.phones[0].talking(to: phones).report(authorization, sentAt: world.now)
      }
      // Due at the end of the debounce: a regular poll finds it. On a slow machine that is over.
      try await report(.denied)
      let early = calls.withLock { $0 }
      let isOver =
        try await world.count(
          "SELECT count(*) FROM notification WHERE due_at <= now()") == 1
      #expect(early == 0 || isOver)
      try await world.write(["UPDATE notification SET due_at = now()"])
      let service = delivery(
        world, poll: .seconds(600), wakeSignal: wakeSignal,
        polls: polls)
      try await running([service]) {
        #expect(await world.post.next().first?.outgoing.key == "e1-t0-s1-o1")
        await polls.next()
        world.move(to: world.now - morning + .seconds(10))
        _ = try await world.operations.policies.setPolicy(
          of: world.team, PolicyChanges(spans: [.debounce: .zero]))
        try await report(.always)
        #expect(calls.withLock { $0 } == early + 1)
        #expect(await world.post.next().first?.outgoing.key == "e1-t9-s1-o1")
      }
    }
  }

  @Test("notifies every employee once, even with several instances")
  func several() async throws {
    try await DeliveryWorld.runNow(24) { world in
      for phone in 0..<24 { try await world.report(.denied, from: phone) }
      let polls = RecordedPolls()
      try await running((0..<3).map { _ in delivery(world, polls: polls) }) {
        let sentNotifications = await world.post.next(24)
        #expect(Set(sentNotifications.map(\.outgoing.key)).count == 24)
        // Time for duplicates to arrive, if there were any.
        for _ in 0..<12 { await polls.next() }
      }
      #expect(world.post.sent.count == 24)
    }
  }

  @Test("finds notifications that a slow transaction committed behind the cursor")
  func sweeps() async throws {
    try await DeliveryWorld.runNow(2) { world in
      try await world.report(.denied)
      try await running([delivery(world)]) {
        #expect(await world.post.next().first?.outgoing.key.hasPrefix("e1-") == true)
        // Due half an hour ago, far behind the cursor.
        world.move(to: world.now - morning - .minutes(30))
        try await world.report(.denied, from: 1)
        #expect(await world.post.next().first?.outgoing.key.hasPrefix("e2-") == true)
      }
    }
  }

  @Test("when stopped, completes and records what it has begun, and begins nothing more")
  func drains() async throws {
    try await DeliveryWorld.runNow(2) { world in
      let (release, released) = AsyncStream.makeStream(of: Void.self)
      world.post.answers { _ in
        for await _ in release {}
        return .accepted(reference: nil)
      }
      try await world.report(.denied)
      let service = delivery(world)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await service.run() }
        _ = await world.post.next()
        group.cancelAll()
        try await world.report(.denied, from: 1)
        released.finish()
        try await group.waitForAll()
      }
      #expect(try await world.attempts() == ["push 1 accepted"])
      #expect(world.post.sent.count == 1)
      let waiting = try await world.waiting()
      #expect(waiting.map(\.attempts) == [1, 0])
    }
  }

  @Test("recovers when every connection is cut repeatedly")
  func cut() async throws {
    try await DeliveryWorld.runNow(8) { world in
      let polls = RecordedPolls()
      try await running([delivery(world, polls: polls)]) {
        for phone in 0..<8 {
          try? await world.report(.denied, from: phone)
          _ = try? await world.count(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
          await polls.next()
        }
        let queued = try await world.count(
          "SELECT count(DISTINCT employee_id) FROM incident WHERE closed_at IS NULL")
        var told: Set<String> = []
        while told.count < queued {
          told.formUnion(await world.post.next().map(\.outgoing.key))
        }
        #expect(told.count == queued && queued > 0)
      }
    }
  }
}
