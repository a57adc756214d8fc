import Postgres
import TestKit
import Testing

@Suite("Transactions") struct TransactionTests {
  private static let table = """
    CREATE TABLE tally (
      id bigint CONSTRAINT tally_pk PRIMARY KEY,
      hours integer CONSTRAINT tally_hours_positive CHECK (hours > 0)
    )
    """

  private func withTable(_ body: (Pool) async throws -> Void) async throws {
    try await withDatabase { pool in
      try await pool.prepare(Self.table)
      try await body(pool)
    }
  }

  private func expect(tallies count: Int64, _ pool: Pool) async throws {
    #expect(try await pool.number("SELECT count(*) FROM tally") == count)
  }

  @Test("a transaction is committed when its closure returns") func commits() async throws {
    try await withTable { pool in
      let written = try await pool.transaction { session throws(PostgresError) in
        try session.execute("INSERT INTO tally VALUES (\(Int64(1)), \(Int32(8))), (2, 4)")
      }
      #expect(written == 2)
      try await expect(tallies: 2, pool)
    }
  }

  @Test("last statements are committed with the transaction, and if they fail all is undone")
  func commitsAfter() async throws {
    try await withTable { pool in
      let ids: [Int64] = try await pool.transaction { session throws(PostgresError) in
        try session.execute("INSERT INTO tally VALUES (1, 8)")
        var ids: [Int64] = []
        try session.commit(after: [
          "INSERT INTO tally VALUES (2, 8)", "SELECT id FROM tally ORDER BY id",
        ]) { (position, rows) throws(PostgresError) in
          guard position == 1 else { return }
          for row in 0..<rows.count { ids.append(try rows.value(row, 0)) }
        }
        return ids
      }
      #expect(ids == [1, 2])
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("INSERT INTO tally VALUES (3, 8)")
          try session.commit(after: ["INSERT INTO tally VALUES (4, \(Int32(0)))"]) { _, _ in }
        }
      }
      #expect(error == .constraint(name: "tally_hours_positive"))
      try await expect(tallies: 2, pool)
    }
  }

  @Test("statements that are sent together take one round trip, and BEGIN takes none")
  func roundTrips() async throws {
    try await withTable { pool in
      let before = pool.roundTrips
      try await pool.transaction { session throws(PostgresError) in
        try session.pipeline(["INSERT INTO tally VALUES (1, 8)", "INSERT INTO tally VALUES (2, 8)"])
        try session.execute("INSERT INTO tally VALUES (3, 8)")
      }
      #expect(pool.roundTrips - before == 3)
      try await pool.transaction { session throws(PostgresError) in
        try session.commit(after: ["INSERT INTO tally VALUES (4, 8)"]) { _, _ in }
      }
      #expect(pool.roundTrips - before == 4)
    }
  }

  @Test("a transaction is rolled back when its closure throws") func rollsBack() async throws {
    try await withTable { pool in
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("INSERT INTO tally VALUES (1, 8)")
          throw .broken(nil, detail: "on purpose")
        }
      }
      #expect(error == .broken(nil, detail: "on purpose"))
      try await expect(tallies: 0, pool)
    }
  }

  @Test("a closure can return a value and still roll everything back")
  func rollbackOnly() async throws {
    try await withTable { pool in
      let answer = try await pool.transaction { session throws(PostgresError) in
        try session.execute("INSERT INTO tally VALUES (1, 8)")
        session.rollbackOnly()
        return "refused"
      }
      #expect(answer == "refused")
      try await expect(tallies: 0, pool)
    }
  }

  @Test("a violated constraint is named, and catching its error does not save the transaction")
  func constraint() async throws {
    try await withTable { pool in
      let bodies: [(Bool, String)] = [(false, "threw tally_hours_positive"), (true, "answered")]
      for (undoes, expected) in bodies {
        var outcome: String
        do throws(PostgresError) {
          outcome = try await pool.transaction { session throws(PostgresError) in
            do throws(PostgresError) {
              try session.execute("INSERT INTO tally VALUES (1, 8)")
              try session.execute("INSERT INTO tally VALUES (2, \(Int32(0)))")
              return "accepted"
            } catch .constraint("tally_hours_positive") {
              if undoes { session.rollbackOnly() }
              return "answered"
            }
          }
        } catch .constraint(let name) {
          outcome = "threw \(name)"
        }
        #expect(outcome == expected)
        try await expect(tallies: 0, pool)
      }
      let (duplicate, _) = await failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("INSERT INTO tally VALUES (1, 8), (1, 9)")
        }
      }
      #expect(duplicate == .constraint(name: "tally_pk"))
    }
  }

  @Test("a constraint that is checked at COMMIT is named too") func deferred() async throws {
    try await withDatabase { pool in
      try await pool.prepare(
        "CREATE TABLE t (a int CONSTRAINT t_a_key UNIQUE DEFERRABLE INITIALLY DEFERRED)")
      let (error, _) = await failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("INSERT INTO t VALUES (1), (1)")
        }
      }
      #expect(error == .constraint(name: "t_a_key"))
      let count = try await pool.number("SELECT count(*) FROM t")
      #expect(count == 0)
    }
  }

  @Test("one of two deadlocked transactions fails with a request to retry")
  func deadlock() async throws {
    try await withTable { pool in
      try await pool.prepare("INSERT INTO tally VALUES (1, 1), (2, 1)")
      let gates = [Gate(), Gate()]
      let outcomes = await withTaskGroup(of: PostgresError?.self) { group in
        for index in 0...1 {
          group.addTask {
            await failure { () throws(PostgresError) in
              try await pool.transaction { session throws(PostgresError) in
                let (own, other) = (Int64(1 + index), Int64(2 - index))
                try session.execute("UPDATE tally SET hours = 2 WHERE id = \(own)")
                gates[index].open()
                gates[1 - index].pass()
                try session.execute("UPDATE tally SET hours = 2 WHERE id = \(other)")
              }
            }.error
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.compactMap(\.self) == [.retryTransaction(.deadlockDetected)])
    }
  }

  @Test("a transaction whose snapshot is out of date fails with a request to retry")
  func serialization() async throws {
    try await withTable { pool in
      try await pool.prepare("INSERT INTO tally VALUES (1, 1)")
      let (hasRead, isOvertaken) = (Gate(), Gate())
      async let slow = failure { () throws(PostgresError) in
        try await pool.transaction { session throws(PostgresError) in
          try session.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
          try session.execute("SELECT hours FROM tally")
          hasRead.open()
          isOvertaken.pass()
          try session.execute("UPDATE tally SET hours = hours + 1")
        }
      }
      try await pool.transaction { session throws(PostgresError) in
        hasRead.pass()
        try session.execute("UPDATE tally SET hours = hours + 1")
      }
      isOvertaken.open()
      #expect(await slow.error == .retryTransaction(.serializationFailure))
      let hours = try await pool.number("SELECT hours::bigint FROM tally")
      #expect(hours == 2)
    }
  }

  @Test("two hundred callers on four connections lose no update") func manyCallers() async throws {
    try await withTable { pool in
      try await pool.prepare("INSERT INTO tally VALUES (1, 1)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          group.addTask {
            _ = try await pool.transaction(TestDatabase.patience) { session throws(PostgresError) in
              try session.execute("UPDATE tally SET hours = hours + \(Int32(1))")
            }
          }
        }
        try await group.waitForAll()
      }
      let hours = try await pool.number("SELECT hours::bigint FROM tally")
      #expect(hours == 201)
      #expect(pool.load == (0, 0))
    }
  }
}
