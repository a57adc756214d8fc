import Lifecycle
import LiveEvents
import Postgres
import TestKit
import Testing

@Suite("Wake-ups between instances", .timeLimit(.minutes(5))) struct PostgresNotifierTests {
  @Test("A wake-up reaches its own instance at once and another one through the database")
  func told() async throws {
    try await withTestDatabase { database in
      let (here, there) = (SignalFlag(), SignalFlag())
      let one = PostgresNotifier(
        database.configuration, listening: database.configuration,
        wakeSignals: [.inbox: here.wakeSignal], monitor: .unread)
      let other = PostgresNotifier(
        database.configuration, listening: database.configuration,
        wakeSignals: [.inbox: there.wakeSignal], monitor: .unread)
      try await running([one, other]) {
        await there.ring()  // the connection is new
        await here.ring()
        one.notify(.inbox)
        await here.ring()
        await there.ring()
      }
    }
  }

  @Test("A wake-up of another kind wakes nothing; many at once become few")
  func kinds() async throws {
    try await withTestDatabase { database in
      let listener = NotifyListener(
        database.configuration, to: ["shiftguard_outbox", "shiftguard_inbox"])
      #expect(try await listener.wait(atMost: TestDatabase.patience).isFresh)
      let line = PostgresNotifier(
        database.configuration, listening: database.configuration, wakeSignals: [:],
        pause: TestDatabase.patience, monitor: .unread)
      try await running([line]) {
        for _ in 0..<100 { line.notify(.outbox) }
        let first = try await listener.wait(atMost: TestDatabase.patience)
        #expect(first.channels == ["shiftguard_outbox"] && !first.isFresh)
        #expect(try await listener.wait(atMost: .milliseconds(300)).channels == [])
      }
      await listener.close()
    }
  }

  @Test("A lost connection is reopened and wakes all, because wake-ups may have been missed")
  func lost() async throws {
    try await withTestDatabase { database in
      let wakeSignal = SignalFlag()
      let line = PostgresNotifier(
        database.configuration, listening: database.configuration,
        wakeSignals: [.outbox: wakeSignal.wakeSignal], monitor: .unread)
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      try await running([line]) {
        await wakeSignal.ring()
        try await pool.read { (session) throws(PostgresError) in
          _ = try session.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND query LIKE 'LISTEN%'
            """)
        }
        await wakeSignal.ring()
      }
      await pool.close()
    }
  }
}

/// A wake signal of which each signal can be awaited.
private struct SignalFlag {
  let wakeSignal = WakeSignal()
  func ring(_ place: SourceLocation = #_sourceLocation) async {
    let longest = Duration.seconds(120)
    let waited = await ContinuousClock().measure { await wakeSignal.wait(atMost: longest) }
    #expect(waited < longest, "no signal came", sourceLocation: place)
  }
}
