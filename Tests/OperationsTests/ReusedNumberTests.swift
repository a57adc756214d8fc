import BackgroundOperations
import DeviceOperations
import Dispatch
import GuardRules
import InsightOperations
import InstallationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

// R: W25
/// An administrator gives the number of an erased employee to another one, and both do the same, at
/// the same moments: the clock of these tests stands still. What is remembered by number, step or
/// time alone would then pass from the one to the other.
@Suite("The number of an erased employee, used again") struct ReusedNumberTests {
  private static let calls: [(name: String, make: @Sendable (Phone) async throws -> Void)] = [
    ("status", { _ = try await $0.present }),
    (
      "unchanged status",
      { _ = try await $0.operations.device.statusKey(for: $0.credential, receipt: $0.receipt) }
    ),
    ("report", { try await $0.report(.denied) }),
    ("ping", { _ = try await $0.ping([fix(at: $0.receipt.at)]) }),
    ("clock-out", { try await $0.clockOut("former") }),
    ("shifts", { _ = try await $0.operations.device.ownShifts(limit: 1, for: $0.credential) }),
    (
      "stream",
      {
        _ = try await $0.operations.device.openStream(
          for: $0.credential, after: nil, lease: .hours(1), receipt: $0.receipt)
      }
    ),
  ]

  @Test("admits its present phone, and the former one nowhere, at every instance")
  func phones() async throws {
    try await withWorld { world in
      let instances = [world, world.another()]
      let former = try await Phone.enrolled(in: world)
      try await former.beginShift()
      for instance in instances {
        _ = try await former.talking(to: instance).ping([fix(at: world.now)])
        world.wait(.seconds(1))
      }
      world.move(to: .zero)
      try await world.replaceEmployee()
      let present = try await Phone.enrolled(in: world)
      try await present.beginShift()
      // The present phone first, because a refusal of the former one makes the instance look again.
      for instance in instances {
        let phone = try present.talking(to: instance)
        for _ in 0..<2 {
          #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
          world.wait(.seconds(1))
          try await expectRefusals(former.talking(to: instance))
        }
      }
      #expect(try await world.count("SELECT count(*) FROM ping") == 4)
    }
  }

  @Test("is refused from the erasure on, at every instance")
  func erased() async throws {
    try await withWorld { world in
      let instances = [world, world.another()]
      let former = try await Phone.enrolled(in: world)
      try await former.beginShift()
      for instance in instances {
        _ = try await former.talking(to: instance).ping([fix(at: world.now)])
      }
      _ = try await world.operations.people.erase(EmployeeID(7), endsShift: true, by: .arranger)
      for instance in instances { try await expectRefusals(former.talking(to: instance)) }
    }
  }

  private func expectRefusals(_ phone: Phone) async throws {
    for call in Self.calls {
      await #expect(throws: OperationError.unauthorized, "\(call.name)") {
        try await call.make(phone)
      }
    }
  }

  @Test("was not in contact when its former owner was")
  func lastContact() async throws {
    try await withWorld { world in
      let former = try await Phone.enrolled(in: world)
      try await former.beginShift()
      _ = try await former.ping([fix(at: world.now)])
      try await world.replaceEmployee()
      let present = try await Phone.enrolled(in: world)
      world.wait(.seconds(1))
      // Both contacts wait for the next heartbeat.
      _ = try await present.present
      try await world.operations.background.storeLastSeen()
      let own: SQL = """
        SELECT count(*) FROM device_contact
        WHERE last_received_at = \(world.now) AND contact_resumed_at = \(world.now)
          AND last_fix_at IS NULL
        """
      #expect(try await world.count(own) == 1)
    }
  }

  @Test("is on boards, and in coverage, what its present employee is")
  func boards() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      func day(reporting authorization: Authorization) async throws -> [CoverageReason] {
        world.move(to: .zero)
        let phone = try await Phone.enrolled(in: world)
        try await phone.beginShift()
        for _ in 0..<3 {
          world.wait(.minutes(1))
          try await phone.report(authorization)
          if authorization == .always { _ = try await phone.ping([fix(at: world.now)]) }
        }
        let board = try await manager.insight.board(for: world.principal)
        #expect(
          try await world.another().operations.insight.board(for: world.principal) == board)
        return board.lines.flatMap(\.today).map(\.reason)
      }
      let former = try await day(reporting: .always)
      let mark = try await manager.insight.boardMarks()[EmployeeID(7)]
      try await world.replaceEmployee()
      // What of the former's pings waits to be rolled up is nobody's.
      try await world.operations.background.rollUpPings()
      #expect(try await world.count("SELECT count(*) FROM coverage_rollup") == 0)
      #expect(try await day(reporting: .denied) != former)
      #expect(try await manager.insight.boardMarks()[EmployeeID(7)] != mark)
      try await world.replaceEmployee()
      let bare = try await manager.insight.boardMarks()[EmployeeID(7)]
      try await world.replaceEmployee()
      #expect(try await manager.insight.boardMarks()[EmployeeID(7)] != bare)
    }
  }

  @Test("has the coverage of its present employee, though as much happened to the former one")
  func coverage() async throws {
    try await withWorld { world in
      func version() async throws -> Int64 {
        try await world.count("SELECT version FROM guard_state WHERE employee_id = 7")
      }
      /// - Returns: The coverage, and how many versions there were: had they begun with the same
      ///   number, both employees would have ended with the same.
      func day(reporting authorization: Authorization) async throws -> ([CoverageReason], Int64) {
        world.move(to: .zero)
        let first = try await version()
        let phone = try await Phone.enrolled(in: world)
        try await phone.beginShift()
        _ = try await phone.ping([fix(at: world.now)])
        // Also what is left to be rolled up of a former shift with this number.
        try await world.operations.background.rollUpPings()
        world.wait(.minutes(1))
        try await phone.report(authorization)
        world.wait(.minutes(1))
        let board = try await world.operations.insight.board(for: world.principal)
        _ = try await phone.ping([fix(at: world.now)])
        return (board.lines.flatMap(\.today).map(\.reason), try await version() - first)
      }
      let former = try await day(reporting: .denied)
      try await world.replaceEmployee()
      let present = try await day(reporting: .whenInUse)
      #expect(present.1 == former.1)
      #expect(present.0 != former.0, "\(present.0)")
    }
  }

  @Test("does not make an account its former employee's own any more")
  func accounts() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let password = "a walk in the rain"
      _ = try await manager.installation.addAccount(
        email: "ada@example.org",
        AccountSettings(name: "Ada", role: .administrator, employee: EmployeeID(7)),
        password: Password(password), by: .arranger
      ).get()
      let login = try await manager.installation.logIn(
        email: "ada@example.org", password: Password(password),
        from: LoginOrigin(address: "192.0.2.1", userAgent: ""))
      guard case .loggedIn(let session) = login else { throw Unexpected("\(login)") }
      try await world.replaceEmployee()
      let admitted = try await manager.installation.authenticate(
        session: session.secret, renewing: false)
      #expect(admitted.principal.actor.employee == nil)
    }
  }
}

@Suite("A number that an employee had") struct UsedNumberTests {
  private func add(_ number: Int32?, mayReuse: Bool = false, in world: OperationsWorld)
    async throws -> EmployeeOutcome
  {
    try await world.operations.people.addEmployee(
      number.map { EmployeeID($0) }, mayReuse: mayReuse,
      EmployeeDetails(name: "Bea", team: TeamID(1)), by: .arranger)
  }

  // R: W25
  @Test("is nobody's after the erasure, also that of a practice employee, unless it is allowed")
  func given() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      #expect(try await add(nil, in: world).get().employee == EmployeeID(8))
      _ = try await manager.people.erase(EmployeeID(8), endsShift: true, by: .arranger)
      let practice = try await manager.policies.beginRehearsal(by: .arranger).get().employee
        .employee
      #expect(practice == EmployeeID(9))
      try await manager.policies.endRehearsal(of: practice, by: .arranger)
      #expect(try await add(nil, in: world).get().employee == EmployeeID(10))
      for number in [Int32(8), 9] {
        #expect(try await add(number, in: world) == .numberUsed(EmployeeID(number)))
        #expect(
          try await add(number, mayReuse: true, in: world).get().employee == EmployeeID(number))
        #expect(try await add(number, mayReuse: true, in: world) == .numberTaken)
      }
      #expect(try await add(3, in: world).get().employee == EmployeeID(3))
      // The last one there is: from now on gaps are filled, but not with what was used.
      _ = try await add(.max, in: world).get()
      _ = try await add(.max - 1, in: world).get()
      _ = try await manager.people.erase(EmployeeID(10), endsShift: true, by: .arranger)
      #expect(try await add(nil, in: world).get().employee == EmployeeID(11))
    }
  }

  // R: W25
  @Test("is refused though the employee came and was erased while the request waited")
  func erasedMeanwhile() async throws {
    try await withWorld { world in
      let pool = world.operations.core.pool
      let (taken, take) = AsyncStream<Never>.makeStream()
      let release = DispatchSemaphore(value: 0)
      defer { release.signal() }
      async let erasure: Void = pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        defer { take.finish() }
        try session.execute(holdNumbers)
        take.finish()
        release.wait()
        try session.execute("INSERT INTO erased_number (number) VALUES (3)")
      }
      for await _ in taken {}
      async let added = add(3, in: world)
      while try await pool.value(sessionsWaitingForLocks) == Int64(0) { await Task.yield() }
      release.signal()
      try await erasure
      #expect(try await added == .numberUsed(EmployeeID(3)))
    }
  }

  // R: W25
  @Test("is refused in a file, line by line, unless it is allowed")
  func imported() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let file = Array("employee,name,team\n7,Bea,1\n8,Cid,1".utf8)
      _ = try await manager.people.erase(EmployeeID(7), endsShift: true, by: .arranger)
      let refused = try await manager.people.importEmployees(file, isTrial: false, by: .arranger)
      guard case .faulty(let faults) = refused else { throw Unexpected("\(refused)") }
      #expect(faults.first.map(\.line) == [2])
      #expect(try await manager.people.employees(limit: 9).isEmpty)
      for (isTrial, mayReuse, added) in [(true, true, 2), (false, true, 2), (false, false, 0)] {
        let outcome = try await manager.people.importEmployees(
          file, isTrial: isTrial, mayReuse: mayReuse, by: .arranger)
        guard case .done(let done) = outcome else { throw Unexpected("\(outcome)") }
        #expect(done.added == added && done.unchanged == 2 - added)
      }
    }
  }
}

extension OperationsWorld {
  /// Erases employee 7, and gives the number to another one.
  fileprivate func replaceEmployee() async throws {
    let manager = operations.manager
    _ = try await manager.people.erase(EmployeeID(7), endsShift: true, by: .arranger)
    _ = try await manager.people.addEmployee(
      EmployeeID(7), mayReuse: true, EmployeeDetails(name: "Bea", team: TeamID(1)), by: .arranger
    ).get()
  }
}
