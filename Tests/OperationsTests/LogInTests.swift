import InstallationOperations
import ManagerCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@Suite("Who logs in while the account is changed") struct LogInTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
  private static let password = "a walk in the rain"

  @Test("is not let in by the password of before")
  func crossed() async throws {
    try await withWorld { world in
      let operations = world.operations
      let outcome = try await operations.installation.addAccount(
        email: "mira@example.org", AccountSettings(name: "Mira", role: .administrator),
        password: Password(Self.password), by: Self.boss)
      guard case .kept(let row) = outcome else { throw Unexpected("no account: \(outcome)") }
      let (begun, begin) = AsyncStream<Never>.makeStream()
      async let entry = {
        for await _ in begun {}
        return try await operations.installation.logIn(
          email: "mira@example.org", password: Password(Self.password),
          from: LoginOrigin(address: "192.0.2.1", userAgent: ""))
      }()
      // Its old password is what everybody else still reads, until this is committed.
      try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
        try session.execute("UPDATE account SET password = 'another'")
        begin.finish()
        while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(1) {
          try session.execute("SELECT pg_stat_clear_snapshot()")
        }
        try session.execute(endSessions(of: row.account, now: nil))
      }
      #expect(try await entry == .refused)
      #expect(try await operations.installation.sessions(of: row.account).isEmpty)
    }
  }
}
