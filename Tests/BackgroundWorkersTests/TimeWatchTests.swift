import DeviceOperations
import GuardRules
import InsightOperations
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("The watch over open shifts") struct TimeWatchTests {
  // R: W6
  @Test("reminds at ten hours, ends a shift at sixteen, and notifies once of each")
  func forgottenClockOut() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.watch()

      world.move(to: .hours(10) - .milliseconds(1))
      #expect(await watch.poll())
      #expect(try await world.outbox().isEmpty)
      for _ in 0..<2 {
        world.move(to: .hours(10))
        #expect(await watch.poll())
        #expect(try await world.outbox() == ["1 clock_out_reminder 1.1"])
      }

      world.move(to: .hours(16) - .milliseconds(1))
      #expect(await watch.poll())
      #expect(try await world.phones[0].present.isTracking)
      for _ in 0..<2 {
        // Noticed late: the shift still ends at the limit.
        world.move(to: .hours(16) + .minutes(7))
        #expect(await watch.poll())
        #expect(
          try await world.outbox() == ["1 clock_out_reminder 1.1", "1 ended_at_limit 1.1"])
      }
      #expect(try await !world.phones[0].present.isTracking)
      let shift = try await world.operations.insight.shift(
        ShiftID(employee: EmployeeID(1), number: 1))
      #expect(shift.endedAt == morning + .hours(16))
      let kept: SQL = """
        SELECT count(*) FROM shift WHERE ended_by = \(ShiftEnding.limit.column) AND needs_review
        """
      #expect(try await world.count(kept) == 1)
    }
  }

  // R: W5 (asked after a long break)
  @Test("asks once why a break lasts so long")
  func longBreak() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      world.move(to: .hours(1))
      try await world.beginBreak()
      world.move(to: .hours(3) - .milliseconds(1))
      #expect(await world.watch().poll())
      #expect(try await world.outbox().isEmpty)
      for minutes in Int64(0)..<3 {
        world.move(to: .hours(3) + .minutes(minutes))
        #expect(await world.watch().poll())
        #expect(try await world.outbox() == ["1 long_break 1.1"])
      }
    }
  }

  // R: W6
  @Test(
    "is shared by several instances, and nothing is done twice",
    .disabled(if: isOnCitus, "one statement locks the rows of one employee only"))
  func several() async throws {
    // More than a page, so that the next page is read.
    let count = Int32(WatchWorld.pageSize + 7)
    try await WatchWorld.run(count) { world in
      try await world.clockIn()
      world.move(to: .hours(16))
      let allPolls = (0..<3).map { _ in RecordedPolls() }
      let (held, hold) = AsyncStream<Never>.makeStream()
      // None is done before all have begun.
      async let line: Void = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        defer { hold.finish() }
        try session.execute("SELECT FROM guard_state FOR NO KEY UPDATE")
        hold.finish()
        while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(3) {
          try session.execute("SELECT pg_stat_clear_snapshot()")
        }
      }
      for await _ in held {}
      await withTaskGroup { group in
        for polls in allPolls { group.addTask { _ = await world.watch(polls).poll() } }
      }
      try await line
      #expect(try await world.outbox().count == Int(count))
      #expect(allPolls.map { $0.lags("watch").count }.reduce(0, +) == UInt64(count))
      #expect(
        allPolls.allSatisfy { $0.lags("watch").count > 0 },
        "\(allPolls.map { $0.lags("watch").count })")
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 0)
    }
  }

  // R: W6
  @Test("continues with the other employees when the work for one fails")
  func oneFails() async throws {
    try await WatchWorld.run(3) { world in
      try await world.clockIn()
      world.move(to: .hours(16))
      // A notification with that key exists already: the work can never succeed.
      try await world.write(
        """
        INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
        VALUES (2, \(NotificationTopic.endedAtLimit.column), 1, 1, false, now())
        """)
      let polls = RecordedPolls()
      #expect(await world.watch(polls).poll())
      #expect(polls.lags("watch").count == 2)
      #expect(polls.failures == ["conflict: notification_pk"])
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }

  // R: W6
  @Test("follows the policy for the reminder, but keeps the limit under which the shift began")
  func otherPolicy() async throws {
    for limit in [TimeSpan.hours(8), .hours(20)] {
      try await WatchWorld.run { world in
        try await world.clockIn()
        world.move(to: .hours(9))
        let changes = PolicyChanges(spans: [.reminderAfter: .hours(12), .shiftMax: limit])
        _ = try await world.operations.policies.setPolicy(of: world.team, changes)
        #expect(await world.watch().poll())
        world.move(to: .hours(16) - .milliseconds(1))
        #expect(await world.watch().poll())
        #expect(try await world.outbox() == ["1 clock_out_reminder 1.1"])
        #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
        world.move(to: .hours(21))
        #expect(await world.watch().poll())
        let shift = try await world.operations.insight.shift(
          ShiftID(employee: EmployeeID(1), number: 1))
        #expect(shift.endedAt == morning + .hours(16))
      }
    }
  }

  // R: W6
  @Test("decides by the database's clock unless a test moves it")
  func databaseClock() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let byDatabase = TestOperations(pool: world.pool, now: { morning })
      try await world.write("UPDATE guard_state SET due_at = now() + interval '1 hour'")
      #expect(try await byDatabase.background.due(limit: 10).isEmpty)
      try await world.write("UPDATE guard_state SET due_at = now() - interval '1 second'")
      #expect(try await byDatabase.background.due(limit: 10).map(\.employee) == [EmployeeID(1)])
    }
  }
}
