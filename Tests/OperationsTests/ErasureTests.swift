import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

// R: W11
/// What tables there are the database says, so that no table is forgotten that is added later.
@Suite("Whatever is kept of a person") struct ErasureTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)

  /// Tables that name no employee, and why not.
  private static let nobodys = [
    "api_token": "of programs", "api_token_team": "of programs",
    "account_team": "of an account, which stays",
    "account_browser": "of an account, which sees and removes it",
    "session": "of an account, which sees and ends it",
    "erased_number": "of a number, which nobody has",
    "heartbeat": "of ours", "outage": "of ours", "schema_version": "of ours",
    "backup": "of the installation", "web_push_key": "of the installation",
    "login_rate_limit": "digests of what was tried, gone within the hour",
    "team": "of a team", "team_contact": "of a team", "site": "of a team",
    "past_site": "of a team", "team_notification": "of a team", "policy_version": "of a team",
    "planned_policy": "of a team", "team_digest": "of a team",
    "privacy_notice": "for everybody", "retention": "of the installation",
    "payroll_settings": "of the installation", "installation": "of the installation",
  ]

  @Test("is in a table that says of whom it is, or the table is known to be of nobody")
  func known() async throws {
    try await withWorld { world in
      let all = try await world.tables(having: nil)
      let theirs = try await world.tables(having: "employee_id")
      #expect(Set(all).subtracting(theirs) == Set(Self.nobodys.keys))
    }
  }

  @Test("is gone from every table after erasing an employee, and no other employee's is")
  func erased() async throws {
    try await withWorld { world in
      let operations = world.operations
      _ = try await operations.people.addEmployee(EmployeeID(8), name: "Grace", team: TeamID(1))
      let phone = try await planted(7, in: world, by: Self.boss)
      _ = try await planted(8, in: world, by: Self.boss)
      let (before, others) = (try await world.rows(of: 7), try await world.rows(of: 8))
      for table in try await world.tables(having: "employee_id") {
        #expect(before[table] != nil && others[table] != nil, "nobody plants \(table)")
      }
      for parent in ["ping", "delivery_attempt", "notification_history"] {
        let parts = before.keys.filter { $0.hasPrefix("\(parent)_") }
        #expect(parts.contains("\(parent)_other") && parts.count > 1, "\(parts)")
      }
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      #expect(
        try await operations.people.erase(EmployeeID(7), endsShift: false, by: Self.boss)
          == .onShift(shift))
      #expect(try await world.rows(of: 7) == before)
      // What is still in memory when it happens.
      world.wait(.minutes(1))
      _ = try await phone.ping([fix(at: world.now)])
      #expect(
        try await operations.people.erase(EmployeeID(7), endsShift: true, by: Self.boss) == .erased
      )
      try await operations.background.storeLastSeen()
      try await operations.background.storeDetections()
      _ = try await operations.background.rollUpPings()
      #expect(try await operations.background.decideDeliveries(EmployeeID(7)).isEmpty)
      #expect(try await world.rows(of: 7) == [:])
      #expect(try await world.rows(of: 8) == others)
      await #expect(throws: OperationError.unauthorized) { try await phone.report(.always) }
      await #expect(throws: OperationError.unauthorized) {
        try await phone.ping([fix(at: world.now)])
      }
      let log = try await operations.installation.auditEntries(about: nil, limit: 1)
      #expect(log.first?.action == .employeeErased && log.first?.target == 7)
      #expect(log.first?.employee == nil && log.first?.actor == "Boss")
      await #expect(throws: OperationError.notFound("employee 7")) {
        try await operations.people.erase(EmployeeID(7), endsShift: true, by: Self.boss)
      }
    }
  }

  @Test("is not written again by a request during the erasure")
  func crossed() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await planted(7, in: world, by: Self.boss)
      let (begun, begin) = AsyncStream<Never>.makeStream()
      async let late: Void = {
        for await _ in begun {}
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await #expect(throws: OperationError.notFound("employee 7")) {
              try await operations.insight.noteTrackViews(
                of: [ShiftID(employee: EmployeeID(7), number: 1)], by: Self.boss, purpose: "x")
            }
          }
          group.addTask {
            await #expect(throws: OperationError.unauthorized) {
              try await operations.device.acknowledgePrivacyNotice(1, for: phone.credential)
            }
          }
          group.addTask {
            await #expect(throws: OperationError.notFound("employee 7")) {
              try await operations.people.copy(EmployeeID(7), by: Self.boss)
            }
          }
        }
      }()
      try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
        try session.pipeline(erase(EmployeeID(7)))
        begin.finish()
        while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(3) {
          try session.execute("SELECT pg_stat_clear_snapshot()")
        }
      }
      await late
      #expect(try await world.rows(of: 7) == [:])
    }
  }

  @Test("is copied whole, without what would let others act as them")
  func copied() async throws {
    try await withWorld { world in
      _ = try await planted(7, in: world, by: Self.boss)
      world.wait(.milliseconds(1))
      let copy = try await world.operations.people.copy(EmployeeID(7), by: Self.boss)
      let kept = try await world.rows(of: 7)
      for table in try await world.tables(having: "employee_id") {
        let rows = copy.tables.first { $0.table == table }?.rows.count
        #expect(rows.map(Int64.init) == kept[table], "\(table)")
      }
      #expect(copy.fixes.map(\.shift) == [1, 1])
      let text = copy.tables.flatMap(\.rows).joined()
      let secrets = try await world.strings(
        """
        SELECT DISTINCT secret.column_name::text
        FROM information_schema.columns AS secret
        JOIN information_schema.columns AS whose USING (table_schema, table_name)
        WHERE table_schema = 'public' AND secret.data_type = 'bytea'
          AND whose.column_name = 'employee_id'
        """)
      #expect(secrets.contains("token_hash") && secrets.contains("secret"))
      for secret in secrets + ["password", "address"] {
        #expect(!text.contains("\"\(secret)\":"), "\(secret)")
      }
      #expect(text.contains("\"email\": \"ada7@example.org\""))
      let log = try await world.operations.installation.auditEntries(about: EmployeeID(7), limit: 1)
      #expect(log.first?.action == .employeeExported)
    }
  }
}
