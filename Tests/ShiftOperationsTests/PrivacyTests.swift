import GuardRules
import Postgres
import ShiftDomain
import ShiftStore
import Testing

@testable import ShiftOperations

// R: W11
@Suite("What is kept of people") struct PrivacyTests {
  private static let boss = Viewer(officer: Officer(name: "Boss"), role: .administrator)

  /// How many rows of `employee` each table of the schema has, by name; tables without any are left
  /// out. What tables there are the database says.
  private func rows(of employee: Int32, in company: Company) async throws -> [String: Int64] {
    try await company.pool.read { (session) throws(PostgresError) in
      let tables = try session.run(
        """
        SELECT columns.table_name::text FROM information_schema.columns
        JOIN information_schema.tables USING (table_schema, table_name)
        WHERE columns.column_name = 'employee_id' AND columns.table_schema = 'public'
          AND tables.table_type = 'BASE TABLE'
        """)
      var found: [String: Int64] = [:]
      for row in 0..<tables.count {
        let table: String = try tables.value(row, 0)
        let count: Int64 = try session.run(
          SQL(unescaped: "SELECT count(*) FROM \(table) WHERE employee_id = \(employee)")
        ).value(0, 0)
        if count > 0 { found[table] = count }
      }
      return found
    }
  }

  /// A shift with positions, a denial, a message, a note, a break and a correction, and more.
  private func work(_ employee: Int32, in company: Company) async throws -> Phone {
    let phone = try await Phone.enrolled(in: company, employee: employee)
    try await phone.report(.always)
    _ = try await phone.clockIn("in")
    company.wait(.minutes(1))
    _ = try await phone.ping([fix(at: company.now)])
    try await phone.report(.denied)
    company.wait(.minutes(1))
    let operations = company.operations
    _ = try await operations.giveOverride(
      to: EmployeeID(employee), .all, reason: "x", by: Self.boss.officer)
    try await operations.noteTrackView(
      of: ShiftID(employee: EmployeeID(employee), number: 1), by: Self.boss, purpose: "x")
    _ = try await operations.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(1), by: Self.boss)
    _ = try await operations.setPrivacyNotice("We keep where you were.", by: Self.boss)
    try await operations.acknowledgeNotice(1, for: phone.credential)
    return phone
  }

  @Test("is gone after erasing somebody, from every table, and of nobody else")
  func erased() async throws {
    try await withCompany { company in
      let operations = company.operations
      _ = try await operations.addEmployee(EmployeeID(8), name: "Grace", team: TeamID(1))
      let phone = try await work(7, in: company)
      _ = try await work(8, in: company)
      let others = try await rows(of: 8, in: company)
      #expect(others.count >= 12, "\(others)")
      let outcome = try await operations.erase(EmployeeID(7), endsShift: false, by: Self.boss)
      #expect(outcome == .onShift(ShiftID(employee: EmployeeID(7), number: 1)))
      #expect(try await rows(of: 7, in: company).keys.sorted() == others.keys.sorted())
      company.wait(.milliseconds(1))
      #expect(
        try await operations.erase(EmployeeID(7), endsShift: true, by: Self.boss) == .erased)
      #expect(try await rows(of: 7, in: company) == [:])
      #expect(try await rows(of: 8, in: company) == others)
      await #expect(throws: OperationError.unauthorized) { try await phone.report(.always) }
      let log = try await operations.auditEntries(about: nil, limit: 1)
      #expect(log.first?.action == .employeeErased && log.first?.target == 7)
      #expect(log.first?.employee == nil && log.first?.actor == "Boss")
      await #expect(throws: OperationError.notFound("employee 7")) {
        try await operations.erase(EmployeeID(7), endsShift: true, by: Self.boss)
      }
    }
  }

  @Test("is copied whole, without what would let somebody speak as them")
  func copied() async throws {
    try await withCompany { company in
      _ = try await work(7, in: company)
      company.wait(.milliseconds(1))
      let copy = try await company.operations.copy(EmployeeID(7), by: Self.boss)
      let kept = try await rows(of: 7, in: company)
      for (table, count) in kept where !table.contains("_other") && !table.contains("_2") {
        #expect(copy.tables.first { $0.table == table }?.rows.count == Int(count), "\(table)")
      }
      #expect(copy.fixes.map(\.shift) == [1])
      let text = copy.tables.flatMap(\.rows).joined()
      for secret in ["token_hash", "code_hash", "body_hash"] { #expect(!text.contains(secret)) }
      let log = try await company.operations.auditEntries(about: EmployeeID(7), limit: 1)
      #expect(log.first?.action == .employeeExported)
    }
  }

  @Test("goes kind by kind when it was kept for long enough, and a shift's times stay longest")
  func forgotten() async throws {
    try await withCompany { company in
      let operations = company.operations
      let phone = try await work(7, in: company)
      _ = try await phone.clockOut("out")
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      _ = try await operations.careForPings()
      #expect(try await !operations.forget().isSomething)
      company.wait(.hours(365 * 24 - 1))
      #expect(try await !operations.forget().isSomething)
      // Leave to begin is good for half a day.
      company.wait(.hours(15))
      #expect(try await operations.forget().shifts == 1)
      await #expect(throws: OperationError.notFound("shift 1 of employee 7")) {
        try await operations.coverage(of: shift)
      }
      let left = try await rows(of: 7, in: company)
      for table in ["shift", "incident", "attempt", "guard_override", "audit_entry"] {
        #expect(left[table] == nil, "\(table)")
      }
      #expect(left["past_shift"] == 1 && left["device"] == 1)
      // The phone works on.
      try await phone.report(.always)
      guard case .clockedIn = try await phone.clockIn("again") else {
        throw Unexpected("it is not let in")
      }
      company.wait(.hours(5 * 366 * 24))
      _ = try await operations.forget()
      #expect(try await rows(of: 7, in: company)["past_shift"] == nil)
    }
  }

  @Test("is kept for as long as the installation says, positions no longer than their coverage")
  func retention() async throws {
    try await withCompany { company in
      let operations = company.operations
      let standard = try await operations.retention()
      #expect(KeptKind.allCases.map { standard[$0] } == [60, 365, 1_830, 365])
      #expect(try await operations.setRetention(.log, days: 30, by: Self.boss)[.log] == 30)
      #expect(try await operations.retention()[.log] == 30)
      for (kind, days) in [
        (KeptKind.fixes, Int32(366)), (.coverage, 59), (.shifts, 364), (.log, 7),
      ] {
        await #expect(throws: OperationError.self) {
          try await operations.setRetention(kind, days: days, by: Self.boss)
        }
      }
      company.wait(.hours(31 * 24))
      #expect(try await operations.forget().rows == 1)
      #expect(try await operations.auditEntries(about: nil, limit: 9).isEmpty)
    }
  }

  @Test("is told to who enrols, and that they read which version is kept")
  func notice() async throws {
    try await withCompany { company in
      let operations = company.operations
      let phone = try await Phone.enrolled(in: company)
      #expect(try await operations.ownNotice(for: phone.credential) == nil)
      await #expect(throws: OperationError.notFound("version 1 of the notice")) {
        try await operations.acknowledgeNotice(1, for: phone.credential)
      }
      let first = try await operations.setPrivacyNotice("One.", by: Self.boss)
      #expect(try await operations.setPrivacyNotice("One.", by: Self.boss) == first)
      let code = try await operations.createEnrolmentCode(
        for: EmployeeID(7), validFor: .hours(1))
      let enrolment = try await operations.enrol(
        code: code.code, NewDevice(platform: .ios), receipt: company.receipt)
      #expect(enrolment.notice == first)
      let readAt = company.now
      try await operations.acknowledgeNotice(1, for: phone.credential)
      company.wait(.minutes(1))
      try await operations.acknowledgeNotice(1, for: phone.credential)
      #expect(try await operations.ownNotice(for: phone.credential)?.readAt == readAt)
      let second = try await operations.setPrivacyNotice("Two.", by: Self.boss)
      let own = try await operations.ownNotice(for: phone.credential)
      #expect(second.version == 2 && own?.notice == second && own?.readAt == nil)
    }
  }
}
