import DeviceOperations
import GuardRules
import InstallationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

/// Runs `body` with a company whose employee 7 is Ada; the clock that the test moves also decides
/// what is due.
private func withMovedWorld(_ body: (OperationsWorld) async throws -> Void) async throws {
  try await withWorld { world in
    try await body(
      OperationsWorld(pool: world.pool, clock: world.clock, deadlines: world.clock.reading))
  }
}

extension OperationsWorld {
  fileprivate func begin() async throws -> EmployeeID {
    try await operations.policies.beginRehearsal(by: principal).get().employee.employee
  }

  fileprivate func steps(of employee: EmployeeID) async throws -> [RehearsalStep: Instant] {
    var happened = try await operations.policies.rehearsal(of: employee).happened
    // Enrolments are timed by the database, whose clock a test does not move.
    if happened[.phoneEnrolled] != nil { happened[.phoneEnrolled] = morning }
    return happened
  }

  /// What of an employee's notifications reaches the open app by this moment.
  fileprivate func deliver(to app: StreamPosition, of employee: EmployeeID) async throws {
    _ = try await operations.background.decideDeliveries(employee)
    let news = try await operations.device.news(for: [app])
    let shown = news.batches.flatMap(\.events).map { operations.device.shown($0.event) }
    try await operations.device.updateStreams(
      [app.stream], lease: .hours(3), ended: [], shown: shown)
  }

  /// The practice employees' rows in every table with rows of employees.
  fileprivate func rows(of employee: EmployeeID) async throws -> [String: Int64] {
    try await pool.rows(of: employee.rawValue)
  }
}

@Suite("A rehearsal") struct RehearsalTests {
  // R: A1, A11, A12
  @Test("shows each step when a phone has done it, as any other phone does")
  func steps() async throws {
    try await withMovedWorld { world in
      let ada = try await world.begin()
      #expect(ada == EmployeeID(8))
      var happened: [RehearsalStep: Instant] = [:]
      func expect(_ step: RehearsalStep?) async throws {
        if let step { happened[step] = step == .phoneEnrolled ? morning : world.now }
        #expect(try await world.steps(of: ada) == happened, "\(String(describing: step))")
        world.wait(.minutes(1))
      }
      try await expect(nil)
      let code = try await world.operations.people.createEnrolmentCode(
        for: ada, validFor: rehearsalSpan, by: world.principal)
      let enrolment = try await world.operations.device.enrol(
        code: code.code, NewDevice(platform: .web), receipt: world.receipt)
      let phone = try Phone(token: enrolment.token, in: world)
      try await expect(.phoneEnrolled)
      // Blocked at first, which is no step.
      guard case .blocked = try await phone.clockIn("one", reporting: .denied) else {
        throw Unexpected("clocked in")
      }
      try await expect(nil)
      // A page never has more than while-in-use: its incident is open from the start.
      try await phone.clockIn("two", reporting: .whenInUse)
      try await expect(.clockedIn)
      let app = try await world.operations.device.openStream(
        for: phone.credential, after: nil, lease: .hours(3), receipt: world.receipt)
      try await world.deliver(to: app, of: ada)
      try await expect(nil)
      try await phone.report(.denied)
      try await expect(.locationLost)
      try await world.deliver(to: app, of: ada)
      try await expect(.notified)
      try await phone.report(.whenInUse)
      try await expect(.locationRestored)
      // Later ones change nothing.
      try await phone.report(.denied)
      try await phone.report(.whenInUse)
      try await expect(nil)
      try await phone.clockOut()
      try await expect(.clockedOut)
      #expect(happened.count == RehearsalStep.allCases.count)
      try await phone.clockIn("three", reporting: .whenInUse)
      try await expect(nil)
    }
  }

  @Test("has a team with a policy by which nobody waits, once, in the first team's time zone")
  func team() async throws {
    try await withMovedWorld { world in
      let manager = world.operations.manager
      _ = try await manager.people.addTeam(name: "Practice team", timeZone: "UTC")
      let team = try await manager.people.employee(try await world.begin()).team
      #expect(try await manager.people.employee(try await world.begin()).team == team)
      let row = try await manager.people.team(team)
      #expect(row.name == "Practice team 2" && row.timeZone == "Europe/Warsaw")
      let policy = try await manager.policies.policy(of: team, version: nil).policy
      #expect(policy.debounce == .zero && policy.cooldown == .zero && policy.preset == .standard)
      // Its name is taken, though no list shows it.
      let other = try await manager.people.addTeam(
        name: row.name, timeZone: "UTC", preset: .standard, by: world.principal)
      #expect(other == .nameTaken)
    }
  }

  // R: W11
  @Test("is erased after an hour, once by whichever instance, and not a moment before")
  func hour() async throws {
    try await withMovedWorld { world in
      let manager = world.operations.manager
      let (first, phone) = (try await world.begin(), try await Phone.enrolled(in: world))
      try await phone.beginShift()
      let practising = try await Phone.enrolled(in: world, employee: first.rawValue)
      try await practising.beginShift()
      world.wait(.minutes(30))
      let second = try await world.begin()
      world.wait(.minutes(30) - .milliseconds(1))
      #expect(try await world.operations.background.endOldRehearsals() == 0)
      #expect(try await manager.policies.rehearsals().map(\.employee.employee) == [first, second])
      world.wait(.milliseconds(1))
      // Several instances, which were just started.
      let ended = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let other = OperationsWorld(
              pool: world.pool, clock: world.clock, deadlines: world.clock.reading)
            return try await other.operations.background.endOldRehearsals()
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(ended == 1)
      #expect(try await manager.policies.rehearsals().map(\.employee.employee) == [second])
      #expect(try await world.rows(of: first) == [:])
      #expect(try await world.rows(of: EmployeeID(7))["shift"] == 1)
      await #expect(throws: OperationError.unauthorized) { try await practising.report(.always) }
      try await phone.report(.always)
      let entries = try await manager.installation.auditEntries(AuditFilter(), limit: 9)
        .filter { $0.target == first.rawValue }
      #expect(
        Set(entries.map { "\($0.action.code) \($0.actor)" })
          == [
            "rehearsal_begun Mira", "employee_erased ShiftGuard", "rehearsal_ended ShiftGuard",
          ])
      #expect(entries.count == 3 && entries.allSatisfy { $0.employee == nil })
    }
  }

  @Test("is erased at once when it is ended, also while a shift is open; nobody else is")
  func end() async throws {
    try await withMovedWorld { world in
      let manager = world.operations.manager
      let practice = try await world.begin()
      try await Phone.enrolled(in: world, employee: practice.rawValue).beginShift()
      try await manager.policies.endRehearsal(of: practice, by: world.principal)
      #expect(try await world.rows(of: practice) == [:])
      for employee in [practice, EmployeeID(7), EmployeeID(99)] {
        let missing = OperationError.notFound("rehearsal \(employee.rawValue)")
        await #expect(throws: missing) {
          try await manager.policies.endRehearsal(of: employee, by: world.principal)
        }
        await #expect(throws: missing) { _ = try await manager.policies.rehearsal(of: employee) }
      }
      #expect(try await manager.people.employee(EmployeeID(7)).name == "Ada")
      world.wait(.hours(2))
      #expect(try await world.operations.background.endOldRehearsals() == 0)
    }
  }

  @Test("is refused while there are twenty others, also when many are begun at once")
  func limit() async throws {
    try await withMovedWorld { world in
      let manager = world.operations.manager
      for _ in 3...rehearsalsMax { _ = try await world.begin() }
      let begun = try await withThrowingTaskGroup(of: RehearsalOutcome.self) { group in
        for _ in 0..<5 {
          group.addTask { try await manager.policies.beginRehearsal(by: world.principal) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(begun.count { $0 == .tooMany } == 3)
      #expect(try await manager.policies.rehearsals().count == rehearsalsMax)
      #expect(throws: Refusal.self) { try RehearsalOutcome.tooMany.get() }
      try await manager.policies.endRehearsal(of: EmployeeID(9), by: world.principal)
      _ = try await world.begin()
    }
  }

  @Test("keeps its employee in its team, and everybody else out of it")
  func apart() async throws {
    try await withMovedWorld { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      let practice = try await world.begin()
      let team = try await manager.people.employee(practice).team
      let moved = try await manager.people.changeEmployee(practice, by: mira) {
        $0.team = TeamID(1)
      }
      #expect(moved == .staysInPractice)
      let renamed = try await manager.people.changeEmployee(practice, by: mira) { $0.name = "Me" }
        .get()
      #expect(renamed.name == "Me" && renamed.practiceUntil == world.now + rehearsalSpan)
      let joined = try await manager.people.changeEmployee(EmployeeID(7), by: mira) {
        $0.team = team
      }
      #expect(joined == .noSuchTeam(team))
      let added = try await manager.people.addEmployee(
        nil, EmployeeDetails(name: "Eve", team: team), by: mira)
      #expect(added == .noSuchTeam(team))
      let lines = [
        "\(practice.rawValue),Ada,Field": "`employee` is the number of a practice employee",
        "7,Ada,Practice team": "`team` must be the number or name of a team",
        "9,Eve,\(team.rawValue)": "`team` must be the number or name of a team",
      ]
      for (line, fault) in lines {
        let outcome = try await manager.people.importEmployees(
          Array("employee,name,team\n\(line)\n".utf8), isTrial: false, by: mira)
        guard case .faulty(let faults) = outcome else { throw Unexpected("\(outcome)") }
        #expect(faults.first.map(\.detail) == [fault])
      }
      let rota = "employee,start,end\n\(practice.rawValue),2026-03-03 08:00,2026-03-03 16:00\n"
      let planned = try await manager.people.importPlannedShifts(
        Array(rota.utf8), isTrial: false, by: mira)
      guard case .faulty(let faults) = planned else { throw Unexpected("\(planned)") }
      #expect(faults.first.map(\.detail) == ["employee \(practice.rawValue) does not exist"])
      await #expect(throws: OperationError.notFound("team \(team.rawValue)")) {
        _ = try await manager.installation.createAPIToken(
          name: "t", role: .manager, teams: [team: .coverage], validFor: .hours(1), by: mira)
      }
    }
  }
}
