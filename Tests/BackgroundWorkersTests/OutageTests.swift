import Foundation
import Lifecycle
import Postgres
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("The watch service", .timeLimit(.minutes(5))) struct OutageTests {
  // R: W6
  @Test("waits while the database is down, and then does what is due")
  func outage() async throws {
    try await withCluster { cluster in
      let pool = Pool(cluster.configuration, size: 2, waitersMax: 10)
      _ = try await Migrator(directory: migrationsFolder).migrate(on: pool)
      let world = try await WatchWorld(1, pool)
      try await world.clockIn()
      let polls = RecordedPolls()
      try await running([world.watch(polls)]) {
        await polls.next(isWell: true)
        try await cluster.stop()
        await polls.next(isWell: false)
        #expect(polls.failures.allSatisfy { $0.hasPrefix("unavailable") })
        world.move(to: .hours(16))
        try await cluster.start()
        await polls.next(isWell: true)
        // A poll that began before the clock was moved may have found nothing.
        await polls.next(isWell: true)
        #expect(try await world.outbox() == ["1 ended_at_limit 1.1"])
        #expect(polls.lags("watch").count == 1)
      }
      await pool.close()
    }
  }

  @Test("stops at once during a pause")
  func stopsResting() async throws {
    try await WatchWorld.run { world in
      let polls = RecordedPolls()
      try await running([world.watch(polls, interval: .seconds(3_600))]) {
        await polls.next(isWell: true)
      }
      #expect(polls.failures.isEmpty && polls.lags("watch").count == 0)
    }
  }

  @Test("stops at once during work, which is rolled back without a failure")
  func stopsWorking() async throws {
    try await WatchWorld.run(3) { world in
      try await world.clockIn()
      world.move(to: .hours(16))
      let (holding, isHolding) = AsyncStream.makeStream(of: Never.self)
      let (waiting, isWaiting) = AsyncStream.makeStream(of: Never.self)
      let hasStopped = DispatchSemaphore(value: 0)
      async let held: Void = {
        // Also if it fails: then nobody waits for what does not come.
        defer {
          isHolding.finish()
          isWaiting.finish()
        }
        try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
          for employee in Int32(1)...3 {
            try session.execute(
              "SELECT FROM guard_state WHERE employee_id = \(employee) FOR NO KEY UPDATE")
          }
          isHolding.finish()
          while try session.waiters == 0 {}
          isWaiting.finish()
          // Not only until nobody waits: a lane that begins later must not find the rows free.
          hasStopped.wait()
        }
      }()
      for await _ in holding {}
      let polls = RecordedPolls()
      try await running([world.watch(polls)]) { for await _ in waiting {} }
      hasStopped.signal()
      try await held
      #expect(polls.failures.isEmpty && polls.lags("watch").count == 0)
    }
  }
}

extension Session {
  /// How many sessions wait for locks of this session.
  fileprivate var waiters: Int64 {
    mutating get throws(PostgresError) {
      guard !isOnCitus else { return try run(sessionsWaitingForLocks).value(0, 0) }
      return try run(
        """
        SELECT count(*) FROM pg_locks
        WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
        """
      ).value(0, 0)
    }
  }
}
