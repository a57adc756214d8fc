import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import TestKit
import Testing

@testable import ShiftWatch

@Suite("The watch over open shifts") struct ShiftWatchTests {
  // R: W6
  @Test("reminds at ten hours, ends at sixteen, and says each once")
  func forgottenClockOut() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.watch()

      world.move(to: .hours(10) - .milliseconds(1))
      #expect(await watch.look())
      #expect(try await world.outbox().isEmpty)
      for _ in 0..<2 {
        world.move(to: .hours(10))
        #expect(await watch.look())
        #expect(try await world.outbox() == ["1 clock_out_reminder 1.1"])
      }

      world.move(to: .hours(16) - .milliseconds(1))
      #expect(await watch.look())
      #expect(try await world.operations.snapshot(for: world.phones[0]).isTracking)
      for _ in 0..<2 {
        // Noticed late: it ended at the limit all the same.
        world.move(to: .hours(16) + .minutes(7))
        #expect(await watch.look())
        #expect(
          try await world.outbox() == ["1 clock_out_reminder 1.1", "1 ended_at_limit 1.1"])
      }
      #expect(try await !world.operations.snapshot(for: world.phones[0]).isTracking)
      let shift = try await world.operations.shift(ShiftID(employee: EmployeeID(1), number: 1))
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
      #expect(await world.watch().look())
      #expect(try await world.outbox().isEmpty)
      for minutes in Int64(0)..<3 {
        world.move(to: .hours(3) + .minutes(minutes))
        #expect(await world.watch().look())
        #expect(try await world.outbox() == ["1 long_break 1.1"])
      }
    }
  }

  // R: W6
  @Test("is shared by several instances, and nothing is done twice")
  func several() async throws {
    // More than a page, so that the next one is asked for.
    let count = Int32(WatchWorld.pageSize + 7)
    try await WatchWorld.run(count) { world in
      try await world.clockIn()
      world.move(to: .hours(16))
      let diaries = (0..<3).map { _ in Diary() }
      await withTaskGroup { group in
        for diary in diaries { group.addTask { _ = await world.watch(diary).look() } }
      }
      #expect(try await world.outbox().count == Int(count))
      #expect(diaries.map(\.lags.count).reduce(0, +) == Int(count))
      #expect(diaries.allSatisfy { !$0.lags.isEmpty }, "\(diaries.map(\.lags.count))")
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 0)
    }
  }

  // R: W6
  @Test("goes on with the others when one employee's work fails")
  func oneFails() async throws {
    try await WatchWorld.run(3) { world in
      try await world.clockIn()
      world.move(to: .hours(16))
      // A message of that key is there already: an impossible state, for ever.
      try await world.pool.transaction { (session) throws(PostgresError) in
        try session.execute(
          """
          INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
          VALUES (2, \(NotificationTopic.endedAtLimit.column), 1, 1, false, now())
          """)
      }
      let diary = Diary()
      #expect(await world.watch(diary).look())
      #expect(diary.lags.count == 2)
      #expect(diary.failures == [#"conflict("notification_pk")"#])
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }

  // R: W6
  @Test("follows the policy for the reminder, but keeps the limit that an open shift began under")
  func otherPolicy() async throws {
    for limit in [TimeSpan.hours(8), .hours(20)] {
      try await WatchWorld.run { world in
        try await world.clockIn()
        world.move(to: .hours(9))
        let changes = PolicyChanges(spans: [.reminderAfter: .hours(12), .shiftMax: limit])
        _ = try await world.operations.setPolicy(of: world.team, changes)
        #expect(await world.watch().look())
        world.move(to: .hours(16) - .milliseconds(1))
        #expect(await world.watch().look())
        #expect(try await world.outbox() == ["1 clock_out_reminder 1.1"])
        #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
        world.move(to: .hours(21))
        #expect(await world.watch().look())
        let shift = try await world.operations.shift(ShiftID(employee: EmployeeID(1), number: 1))
        #expect(shift.endedAt == morning + .hours(16))
      }
    }
  }

  // R: W6
  @Test("decides by the database's clock unless it is moved")
  func databaseClock() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let byDatabase = Operations(pool: world.pool, now: { morning })
      try await world.pool.transaction { (session) throws(PostgresError) in
        try session.execute("UPDATE guard_state SET due_at = now() + interval '1 hour'")
      }
      #expect(try await byDatabase.due(limit: 10).isEmpty)
      try await world.pool.transaction { (session) throws(PostgresError) in
        try session.execute("UPDATE guard_state SET due_at = now() - interval '1 second'")
      }
      #expect(try await byDatabase.due(limit: 10).map(\.employee) == [EmployeeID(1)])
    }
  }

  @Test("keeps its pace, and doubles its pauses up to five seconds while all fails")
  func pace() {
    var pace = Pace(.seconds(1))
    #expect(pace.pause(afterSuccess: true, chance: 0) == .milliseconds(750))
    #expect(pace.pause(afterSuccess: true, chance: 1) == .milliseconds(1_250))
    let failing = (0..<12).map { _ in pace.pause(afterSuccess: false, chance: 0.5) }
    #expect(failing.prefix(4) == [.seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    #expect(failing.last == .seconds(5))
    #expect(pace.pause(afterSuccess: true, chance: 0.5) == .seconds(1))
    var steady = Pace(.seconds(1), pauseMax: .seconds(1))
    for _ in 0..<9 { #expect(steady.pause(afterSuccess: false, chance: 0.5) == .seconds(1)) }
    var slow = Pace(.seconds(60))
    #expect(slow.pause(afterSuccess: false, chance: 0.5) == .seconds(60))
  }
}
