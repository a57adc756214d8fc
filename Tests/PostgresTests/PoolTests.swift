import Foundation
import Postgres
import TestKit
import Testing

@Suite("The connection pool") struct PoolTests {
  /// Occupies the only connection of a pool until `body` has ended.
  private func withBusyPool(
    waitersMax: Int, _ body: (Pool) async throws -> Void
  ) async throws {
    try await withDatabase(size: 1, waitersMax: waitersMax) { pool in
      let (isBusy, mayEnd) = (Gate(), Gate())
      async let holder: Void = pool.read(TestDatabase.patience) { session throws(PostgresError) in
        isBusy.open()
        mayEnd.pass()
      }
      await untilOpen(isBusy)
      do {
        try await body(pool)
      } catch {
        mayEnd.open()
        throw error
      }
      mayEnd.open()
      try await holder
      #expect(pool.load.waiting == 0)
    }
  }

  @Test("a connection is reused, whatever a caller did with it, as long as it is in sync")
  func reuse() async throws {
    try await withDatabase(size: 1) { pool in
      var processes: Set<Int64> = []
      for round in 0..<6 {
        processes.insert(try await pool.number("SELECT pg_backend_pid()::bigint"))
        _ = await failure { () throws(PostgresError) in
          try await pool.transaction { session throws(PostgresError) in
            if round.isMultiple(of: 2) { try session.execute("SELECT 1 / 0") }
            if round == 3 { session.rollbackOnly() }
            try session.execute("SELECT 1")
            try session.script("SELECT 1; SELECT 2")
          }
        }
      }
      #expect(processes.count == 1)
    }
  }

  @Test("a task on a connection's thread gets that connection")
  func threads() async throws {
    try await withDatabase(size: 2) { pool in
      func processes() async throws -> [Int64] {
        var processes: [Int64] = []
        for thread in pool.threads + pool.threads {
          let task = Task(executorPreference: thread) {
            try await pool.number("SELECT pg_backend_pid()::bigint")
          }
          processes.append(try await task.value)
        }
        return processes
      }
      let found = try await processes()
      #expect(Set(found).count == 2)
      #expect(found[0] == found[2] && found[1] == found[3])
    }
  }

  @Test("a caller whose deadline has passed sends nothing, and the connection is kept")
  func late() async throws {
    try await withDatabase(size: 1) { pool in
      let before = try await pool.number("SELECT pg_backend_pid()::bigint")
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.number("SELECT 1::bigint", .zero)
      }
      #expect(error == .unavailable(detail: "deadline passed"))
      let after = try await pool.number("SELECT pg_backend_pid()::bigint")
      #expect(before == after)
    }
  }

  @Test("a caller without time to connect does not make the database look unreachable to others")
  func cutShort() async throws {
    try await withDatabase(size: 1) { pool in
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.number("SELECT 1::bigint", .zero)
      }
      #expect(error?.isUnavailable == true)
      let number = try await pool.number("SELECT 1::bigint")
      #expect(number == 1)
    }
  }

  @Test("a caller above the queue limit fails at once") func full() async throws {
    try await withBusyPool(waitersMax: 1) { pool in
      let waiting = Task {
        await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint")
        }
      }
      await pool.untilWaiting(1)
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.number("SELECT 1::bigint")
      }
      #expect(error == .unavailable(detail: "all connections busy"))
      #expect(pool.load.waiting == 1, "at once, not when the other one stops waiting")
      waiting.cancel()
      #expect(await waiting.value.error == .cancelled)
    }
  }

  @Test("a caller waits no longer than its deadline, also behind one that may wait for longer")
  func deadline() async throws {
    try await withBusyPool(waitersMax: 2) { pool in
      let waiting = Task {
        await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint")
        }
      }
      await pool.untilWaiting(1)
      let (error, after) = await failure { () throws(PostgresError) in
        try await pool.number("SELECT 1::bigint", .milliseconds(500))
      }
      #expect(error == .unavailable(detail: "all connections busy"))
      #expect(after >= .milliseconds(500) && after < .soon)
      #expect(pool.load.waiting == 1)
      waiting.cancel()
      #expect(await waiting.value.error == .cancelled)
    }
  }

  @Test("cancelling a waiting task removes it from the queue")
  func cancelledWaiter() async throws {
    try await withBusyPool(waitersMax: 5) { pool in
      let waiting = Task {
        await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint")
        }
      }
      await pool.untilWaiting(1)
      waiting.cancel()
      let (error, after) = await waiting.value
      #expect(error == .cancelled && after < .soon)
    }
  }

  @Test("closing waits for work in progress and refuses later callers")
  func closes() async throws {
    try await withDatabase(size: 2) { pool in
      let (isBusy, goesOn) = (Gate(), Gate())
      async let work = pool.read { session throws(PostgresError) -> Int64 in
        isBusy.open()
        goesOn.pass()
        return try session.run("SELECT 1::bigint").value(0, 0)
      }
      await untilOpen(isBusy)
      async let closing: Void = pool.close()
      // A refusal shows that closing has begun; the work has not ended at that point.
      let refused = PostgresError.unavailable(detail: "pool is closed")
      var error: PostgresError?
      while error == nil {
        error = await failure { () throws(PostgresError) in
          try await pool.number("SELECT 1::bigint")
        }.error
      }
      #expect(error == refused)
      #expect(pool.load.lent == 1)
      goesOn.open()
      let answer = try await work
      #expect(answer == 1)
      await closing
      #expect(pool.load == (0, 0))
    }
  }

  @Test("blocking connections leave Swift's own threads free", .timeLimit(.minutes(5)))
  func leavesThreadsFree() async throws {
    // Several times the number of cores, and so of Swift's threads.
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    try await withDatabase(size: count) { pool in
      let mayEnd = Gate()
      let (blocked, isBlocked) = AsyncStream<Void>.makeStream()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await pool.read(TestDatabase.patience) { session throws(PostgresError) in
              try session.execute("SELECT 1")
              isBlocked.yield()
              mayEnd.pass()
            }
          }
        }
        var waiting = blocked.makeAsyncIterator()
        for _ in 0..<count { _ = await waiting.next() }
        // None of the blocked tasks can end before this has run on Swift's threads.
        let done = await withTaskGroup(of: Int.self) { others in
          for _ in 0..<100 {
            others.addTask {
              await Task.yield()
              return 1
            }
          }
          return await others.reduce(0, +)
        }
        #expect(done == 100 && pool.load.lent == count)
        for _ in 0..<count { mayEnd.open() }
        try await group.waitForAll()
      }
    }
  }
}

@Suite("Configuration") struct ConfigurationTests {
  @Test("a password is never printed, neither in descriptions nor in errors")
  func secret() async throws {
    let configuration = try ConnectionConfiguration(
      "postgresql://worker:hunter2@127.0.0.1:1/shiftguard?sslpassword=hunter2")
    var dumped = ""
    dump(configuration, to: &dumped)
    let pool = Pool(configuration, size: 1, waitersMax: 0)
    let (error, _) = await failure { () throws(PostgresError) in
      try await pool.number("SELECT 1::bigint")
    }
    await pool.close()
    let printed = [
      "\(configuration)", String(reflecting: configuration), dumped, "\(error as Any)",
      "\(Mirror(reflecting: configuration).children.map(\.value))",
    ]
    for text in printed { #expect(!text.contains("hunter2")) }
    #expect("\(configuration)" == "host=127.0.0.1 port=1 dbname=shiftguard user=worker")
    #expect(error?.description.contains("port 1 failed: Connection refused") == true)
  }

  @Test("an address that libpq cannot read causes an error that does not repeat it")
  func unreadable() {
    let error = #expect(throws: PostgresError.self) {
      try ConnectionConfiguration("host=x hunter2")
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test("every session has our settings in addition to those of the address")
  func settings() async throws {
    try await withTestDatabase { database in
      var configuration = database.configuration
      configuration.applicationName = "guardd"
      configuration.statementTimeout = .seconds(7)
      let pool = Pool(configuration, size: 1, waitersMax: 0)
      let settings = try await pool.read { session throws(PostgresError) in
        try ["application_name", "statement_timeout", "TimeZone", "client_encoding"].map {
          (name) throws(PostgresError) -> String in
          try session.run("SELECT current_setting(\(name))").value(0, 0)
        }
      }
      await pool.close()
      #expect(settings == ["guardd", "7s", "UTC", "UTF8"])
    }
  }
}
