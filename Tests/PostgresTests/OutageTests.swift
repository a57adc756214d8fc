import Glibc
import Postgres
import TestKit
import Testing

@Suite("Outages, deadlines and cancellation") struct OutageTests {
  private let sleep: SQL = "SELECT count(pg_sleep(600))"

  /// The server process behind a connection.
  private func backend(_ pool: Pool) async throws -> pid_t {
    pid_t(try await pool.number("SELECT pg_backend_pid()::bigint"))
  }

  @Test("a deadline ends a slow statement in the client, and within a second on the server")
  func deadline() async throws {
    try await withDatabase(size: 2) { pool in
      let (error, after) = await failure { () throws(PostgresError) in
        try await pool.transaction(.seconds(1)) { session throws(PostgresError) in
          try session.execute("SELECT pg_advisory_lock(1)")
          try session.execute(sleep)
        }
      }
      #expect(error?.isUnavailable == true && after >= .seconds(1) && after < .soon)
      // The lock is free once the server has noticed.
      _ = try await pool.number("SELECT count(pg_advisory_lock(1))", .soon)
    }
  }

  @Test("while a pause after a failure lasts, callers get the reason of that failure")
  func reasonIsKept() async throws {
    let pool = Pool(
      try ConnectionConfiguration("postgresql://127.0.0.1:1/nowhere"), size: 1, waitersMax: 0)
    for _ in 0..<3 {
      let (error, _) = await failure { () throws(PostgresError) in
        _ = try await pool.number("SELECT 1::bigint")
      }
      #expect("\(String(describing: error))".contains("Connection refused"))
    }
    await pool.close()
  }

  @Test("a frozen server process blocks no caller past the deadline, and the next one succeeds")
  func frozenBackend() async throws {
    try await withDatabase(size: 1) { pool in
      let process = try await backend(pool)
      #expect(kill(process, SIGSTOP) == 0)
      defer { kill(process, SIGCONT) }
      let (error, after) = await failure { () throws(PostgresError) in
        try await pool.transaction(.milliseconds(300)) { session throws(PostgresError) in
          try session.execute("SELECT 1")
        }
      }
      #expect(error?.isUnavailable == true && after < .soon)
      let number = try await pool.number("SELECT 7::bigint")
      #expect(number == 7)
    }
  }

  @Test("a server that freezes while committing leaves the outcome unknown")
  func frozenCommit() async throws {
    try await withDatabase(size: 2) { pool in
      try await pool.prepare(Self.slowCommit)
      var error: PostgresError?
      for deadline in growingLimits where error != .outcomeUnknown {
        error = await failure { () throws(PostgresError) in
          try await pool.transaction(deadline) { session throws(PostgresError) in
            try session.execute("INSERT INTO t VALUES (1)")
          }
        }.error
      }
      // A caller that waits for the COMMIT gets its outcome.
      #expect(error == .outcomeUnknown)
    }
  }

  /// A table whose COMMIT takes ten minutes.
  private static let slowCommit = """
    CREATE TABLE t (a int);
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER t_slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION slow();
    """

  @Test("a connection killed while idle is replaced unnoticed; one killed in use is unavailable")
  func killed() async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 1, waitersMax: 0)
      let killer = Pool(database.configuration, size: 1, waitersMax: 0)
      let first = try await backend(pool)
      #expect(try await killer.number("SELECT count(pg_terminate_backend(\(first), 600000))") == 1)
      let second = try await backend(pool)
      #expect(first != second)

      let isReady = Gate()
      async let work = failure { () throws(PostgresError) in
        try await pool.transaction(TestDatabase.patience) { session throws(PostgresError) in
          try session.execute("SELECT 1")
          isReady.open()
          try session.execute(sleep)
        }
      }
      _ = try await killer.read { session throws(PostgresError) in
        isReady.pass()
        try session.execute("SELECT pg_terminate_backend(\(second))")
      }
      #expect(await work.error == .unavailable(detail: "server closed it (57P01)"))
      #expect(try await backend(pool) != second)
      await pool.close()
      await killer.close()
    }
  }

  @Test("while the server is down callers fail at once, and it is found when it is back")
  func restart() async throws {
    try await withCluster { cluster in
      let pool = Pool(cluster.configuration, size: 3, waitersMax: 10)
      let number = try await pool.number("SELECT 1::bigint")
      #expect(number == 1)
      try await cluster.stop()
      for attempt in 0..<20 {
        let (error, after) = await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint")
        }
        #expect(error?.isUnavailable == true && after < .soon, "attempt \(attempt)")
      }
      try await cluster.start()
      try await expectRecovery(of: pool)
      try await cluster.stop()
      try await cluster.start()
      // Down and up again between two calls: the pool never noticed.
      let again = try await pool.number("SELECT 2::bigint")
      #expect(again == 2)
      await pool.close()
    }
  }

  @Test("a server that accepts nothing blocks no caller past the deadline; others fail at once")
  func frozenServer() async throws {
    try await withCluster { cluster in
      let pool = Pool(cluster.configuration, size: 2, waitersMax: 10)
      cluster.freeze()
      // The pause after a failure grows, so after a few failures the next call falls into it,
      // however busy the machine is.
      var wasRefusedAtOnce = false
      for _ in 0..<20 where !wasRefusedAtOnce {
        let slow = await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint", .milliseconds(400))
        }
        #expect(slow.error?.isUnavailable == true && slow.after < .soon)
        let quick = await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint", .seconds(10))
        }
        wasRefusedAtOnce = quick.error?.isUnavailable == true && quick.after < .seconds(9)
      }
      #expect(wasRefusedAtOnce)
      cluster.thaw()
      try await expectRecovery(of: pool)
      await pool.close()
    }
  }

  /// Expects the pool to work again.
  private func expectRecovery(of pool: Pool) async throws {
    let end = ContinuousClock.now + TestDatabase.patience
    while ContinuousClock.now < end {
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.number("SELECT 1::bigint")
      }
      if error == nil { return }
      // A caller that retries at its own pace: nothing signals that the pool's pause is over.
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("still unavailable")
  }

  @Test("cancelling a task ends its statement, and the pool keeps working")
  func cancelled() async throws {
    try await withDatabase(size: 1) { pool in
      let isReady = Gate()
      let work = Task {
        await failure { () throws(PostgresError) in
          try await pool.transaction(TestDatabase.patience) { session throws(PostgresError) in
            try session.execute("CREATE TABLE t (a int)")
            isReady.open()
            try session.execute(sleep)
          }
        }
      }
      await untilOpen(isReady)
      work.cancel()
      let (error, after) = await work.value
      #expect(error == .cancelled && after < .soon)
      let number = try await pool.number("SELECT count(*) FROM pg_tables WHERE tablename = 't'")
      #expect(number == 0)
    }
  }

  @Test("cancelling at any moment affects no other caller and loses no connection")
  func cancelledAnytime() async throws {
    try await withDatabase(size: 2) { pool in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for round in 0..<300 {
          let doomed = Task {
            await failure { () throws(PostgresError) in try await pool.number("SELECT 1::bigint") }
              .error
          }
          group.addTask {
            let number = try await pool.number("SELECT 2::bigint")
            #expect(number == 2)
          }
          if round.isMultiple(of: 2) { await Task.yield() }
          doomed.cancel()
          let error = await doomed.value
          #expect(error == nil || error == .cancelled)
        }
        try await group.waitForAll()
      }
      #expect(pool.load == (0, 0))
    }
  }
}
