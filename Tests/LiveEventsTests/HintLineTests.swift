import Lifecycle
import LiveEvents
import Postgres
import TestKit
import Testing

@Suite("Hints between instances", .timeLimit(.minutes(1))) struct HintLineTests {
  @Test("A hint wakes its own instance at once and another one through the database")
  func told() async throws {
    try await withTestDatabase { database in
      let (here, there) = (Bell(), Bell())
      let one = HintLine(database.configuration, bells: [.inbox: here.nudge])
      let other = HintLine(database.configuration, bells: [.inbox: there.nudge])
      try await running([one, other]) {
        await there.ring()  // the connection is new
        await here.ring()
        one.tell(.inbox)
        await here.ring()
        await there.ring()
      }
    }
  }

  @Test("A hint of another kind wakes nobody; many at once are few")
  func kinds() async throws {
    try await withTestDatabase { database in
      let heard = Hearing(database.configuration, to: ["shiftguard_outbox", "shiftguard_inbox"])
      #expect(try await heard.wait(atMost: .seconds(5)).isFresh)
      let line = HintLine(database.configuration, bells: [:], pause: .seconds(30))
      try await running([line]) {
        for _ in 0..<100 { line.tell(.outbox) }
        let first = try await heard.wait(atMost: .seconds(10))
        #expect(first.channels == ["shiftguard_outbox"] && !first.isFresh)
        #expect(try await heard.wait(atMost: .milliseconds(300)).channels == [])
      }
      await heard.close()
    }
  }

  @Test("A lost connection is opened again, and everybody is woken: hints may have been missed")
  func lost() async throws {
    try await withTestDatabase { database in
      let bell = Bell()
      let line = HintLine(database.configuration, bells: [.outbox: bell.nudge])
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      try await running([line]) {
        await bell.ring()
        try await pool.read { (session) throws(PostgresError) in
          _ = try session.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND query LIKE 'LISTEN%'
            """)
        }
        await bell.ring()
      }
      await pool.close()
    }
  }
}

/// A nudge whose every ring can be waited for.
private struct Bell {
  let nudge = Nudge()
  func ring() async {
    let start = ContinuousClock.now
    await nudge.wait(atMost: .seconds(15))
    #expect(ContinuousClock.now - start < .seconds(15), "nobody rang")
  }
}

/// Runs services while `body` does.
private func running(
  _ services: [any Service], _ body: () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for service in services { group.addTask { try await service.run() } }
    try await body()
    group.cancelAll()
    try await group.waitForAll()
  }
}
