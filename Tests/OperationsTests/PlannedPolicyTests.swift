import DeviceOperations
import GuardRules
import Guidance
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

private let team = TeamID(1)
private let blocking = PolicyChanges(severities: [.whenInUse: .block])
private let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

/// A company where the test's clock is the database's too, as policies are in force by that one.
private func withClock(_ body: (OperationsWorld) async throws -> Void) async throws {
  try await withDatabase(size: 6) { pool in
    let clock = MovableClock()
    let world = OperationsWorld(pool: pool, clock: clock, deadlines: clock.reading)
    let manager = world.operations.manager
    #expect(try await manager.people.addTeam(name: "Field", timeZone: "Europe/Warsaw") == team)
    _ = try await manager.people.addEmployee(EmployeeID(7), name: "Ada", team: team)
    try await body(world)
  }
}

extension OperationsWorld {
  /// Plans that while-in-use blocks.
  @discardableResult
  fileprivate func planned(_ span: TimeSpan) async throws -> PlannedPolicy {
    try await operations.policies.planPolicy(
      of: team, blocking, validFrom: now + span, by: mira
    ).get().row
  }

  fileprivate func inForce() async throws -> PolicyRow {
    try await operations.policies.policy(of: team, version: nil)
  }

  fileprivate func reasons() async throws -> [String] {
    try await operations.installation.auditEntries(AuditFilter(), limit: 9).compactMap(\.reason)
  }
}

@Suite("A planned policy") struct PlannedPolicyTests {
  // R: A9, M2
  @Test("decides from its time on, and not before")
  func effect() async throws {
    try await withClock { world in
      let manager = world.operations.manager
      let planned = try await world.planned(.hours(2))
      #expect(planned.former == 1 && planned.validFrom == morning + .hours(2))
      let phone = try await Phone.enrolled(in: world)
      world.wait(.hours(2) - .minutes(1))
      try await phone.report(.whenInUse)
      guard case .clockedIn = try await phone.clockIn("before") else {
        throw Unexpected("while-in-use was refused before the time")
      }
      world.wait(.seconds(30))
      try await phone.clockOut("out")
      world.wait(.seconds(30) - .milliseconds(1))
      #expect(try await world.operations.background.beginPlannedPolicies() == 0)
      world.wait(.milliseconds(1))
      #expect(try await world.operations.background.beginPlannedPolicies() == 1)
      let after = try await phone.clockIn("after")
      guard case .blocked = after else { throw Unexpected("while-in-use was let in: \(after)") }
      let row = try await world.inForce()
      #expect(row.version == 2 && row.policy == planned.policy && row.savedBy == "Mira")
      #expect(row.validFrom == planned.validFrom)
      #expect(try await manager.policies.plannedPolicy(of: team) == nil)
      let change = try #require(
        planned.policy.differences(from: .policy(of: .standard)).first?.words)
      #expect(
        try await world.reasons() == [
          "version 2, as planned; \(change)", "from \(planned.validFrom.rfc3339); \(change)",
        ])
    }
  }

  // R: W4
  @Test("that nobody put in force in time counts from its time for what was done offline")
  func late() async throws {
    try await withClock { world in
      let phone = try await Phone.enrolled(in: world)
      try await world.planned(.hours(1))
      world.wait(.hours(3))
      #expect(try await world.operations.background.beginPlannedPolicies() == 1)
      func clockIn(_ id: String, at instant: Instant) async throws -> ClockInOutcome {
        try await phone.clockIn(id) {
          $0.happened(at: instant, sentAt: world.now)
          $0.report = IncomingReport(
            .state(PermissionState(authorization: .whenInUse, accuracy: .full, services: .on)))
        }
      }
      guard case .kept(let kept) = try await clockIn("late", at: morning + .hours(1)),
        kept.reason == .blocked
      else { throw Unexpected("the planned policy was not heeded") }
      guard
        case .clockedIn = try await clockIn("early", at: morning + .hours(1) - .milliseconds(1))
      else { throw Unexpected("the policy before was not heeded") }
    }
  }

  @Test("is put in force once, however many instances try")
  func once() async throws {
    try await withClock { world in
      try await world.planned(.hours(1))
      world.wait(.hours(1))
      let begun = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try await world.operations.background.beginPlannedPolicies() }
        }
        return try await group.reduce(0, +)
      }
      #expect(begun == 1)
      #expect(try await world.inForce().version == 2)
      #expect(try await world.count("SELECT count(*) FROM policy_version") == 2)
    }
  }

  @Test("replaces what is saved before its time, and not what is saved after it")
  func savedMeanwhile() async throws {
    try await withClock { world in
      let manager = world.operations.manager
      let planned = try await world.planned(.hours(1))
      let debounce = PolicyChanges(spans: [.debounce: .seconds(1)])
      #expect(try await manager.policies.setPolicy(of: team, debounce).get().row.version == 2)
      #expect(try await manager.policies.plannedPolicy(of: team) == planned)
      world.wait(.hours(1))
      // Nobody has put it in force yet: this does, and changes that.
      let last = try await manager.policies.setPolicy(
        of: team, PolicyChanges(spans: [.debounce: .seconds(3)])
      ).get().row
      #expect(last.version == 4 && last.policy.severities[.whenInUse] == .block)
      #expect(last.policy.debounce == .seconds(3))
      let third = try await manager.policies.policy(of: team, version: 3)
      #expect(third.policy == planned.policy && third.validFrom == planned.validFrom)
      #expect(try await world.operations.background.beginPlannedPolicies() == 0)
    }
  }

  @Test("that is in force already makes no version")
  func identical() async throws {
    try await withClock { world in
      let manager = world.operations.manager
      try await world.planned(.hours(1))
      _ = try await manager.policies.setPolicy(of: team, blocking)
      world.wait(.hours(1))
      #expect(try await world.operations.background.beginPlannedPolicies() == 1)
      #expect(try await world.inForce().version == 2)
      #expect(try await manager.policies.plannedPolicy(of: team) == nil)
      #expect(try await world.reasons()[0] == "version 2 has the same settings")
    }
  }

  @Test("waits alone, for at most a year, and the same request changes nothing")
  func refusals() async throws {
    try await withClock { world in
      let manager = world.operations.manager
      func plan(_ changes: PolicyChanges, _ validFrom: Instant, _ tags: Set<String>? = nil)
        async throws -> PlannedPolicyOutcome
      {
        try await manager.policies.planPolicy(
          of: team, changes, validFrom: validFrom, matching: tags, by: mira)
      }
      let year = PolicyOperations.plannedPolicyMax
      #expect(try await plan(blocking, morning) == .inThePast)
      #expect(try await plan(blocking, morning + year + .milliseconds(1)) == .tooFarAhead)
      #expect(try await plan(PolicyChanges(preset: .standard), morning + year) == .nothingChanged)
      #expect(
        try await plan(blocking, morning + year, ["7"])
          == .changedMeanwhile(try await world.inForce()))
      await #expect(throws: OperationError.notFound("team 9")) {
        _ = try await manager.policies.planPolicy(
          of: TeamID(9), blocking, validFrom: morning + year, by: mira)
      }
      #expect(try await manager.policies.plannedPolicy(of: team) == nil)

      guard case .planned(let row, isNew: true) = try await plan(blocking, morning + year, ["1"])
      else { throw Unexpected("was not planned") }
      #expect(try await plan(blocking, morning + year) == .planned(row, isNew: false))
      #expect(try await plan(blocking, morning + .hours(1)) == .anotherWaits(row))
      #expect(
        try await plan(PolicyChanges(preset: .strict), morning + year) == .anotherWaits(row))
      #expect(try await world.reasons().count == 1)
    }
  }

  @Test("can be discarded until its time, by who has seen it")
  func discarding() async throws {
    try await withClock { world in
      let manager = world.operations.manager
      let nothing = OperationError.notFound("planned policy of team 1")
      await #expect(throws: nothing) {
        _ = try await manager.policies.discardPlannedPolicy(of: team, by: mira)
      }
      let first = try await world.planned(.hours(1))
      await #expect(throws: nothing) {
        _ = try await manager.policies.discardPlannedPolicy(
          of: team, plannedAt: first.createdAt - .seconds(1), by: mira)
      }
      world.wait(.minutes(1))
      #expect(
        try await manager.policies.discardPlannedPolicy(
          of: team, plannedAt: first.createdAt, by: mira)
          == .discarded)
      #expect(try await manager.policies.plannedPolicy(of: team) == nil)
      let entry = try #require(
        try await manager.installation.auditEntries(AuditFilter(), limit: 1).first)
      #expect(entry.action == .plannedPolicyDiscarded && entry.target == 1)
      #expect(entry.reason?.hasPrefix("from \(first.validFrom.rfc3339); ") == true)

      let second = try await world.planned(.hours(1))
      world.wait(.hours(1))
      // Nobody has put it in force yet: this does, and says so.
      let refused = try await manager.policies.discardPlannedPolicy(
        of: team, plannedAt: second.createdAt, by: mira)
      #expect(try await refused == .inForce(world.inForce()))
      #expect(try await world.inForce().policy == second.policy)
      #expect(try await world.inForce().version == 2)
      #expect(try await manager.policies.plannedPolicy(of: team) == nil)
      #expect(try await world.operations.background.beginPlannedPolicies() == 0)
      let discards = try await manager.installation.auditEntries(AuditFilter(), limit: 9)
        .filter { $0.action == .plannedPolicyDiscarded }
      #expect(discards == [entry])
      await #expect(throws: nothing) {
        _ = try await manager.policies.discardPlannedPolicy(of: team, by: mira)
      }
    }
  }

  @Test("keeps every setting")
  func everySetting() async throws {
    try await withClock { world in
      var changes = PolicyChanges(
        preset: .strict, selfOverride: .withReason, accuracyMax: .meters(7),
        opensPlannedShifts: true)
      for finding in Finding.allCases { changes.severities[finding] = .block }
      for span in PolicySpan.allCases { changes.spans[span] = span.range.upperBound }
      let manager = world.operations.manager
      let before = try await world.inForce().policy
      let row = try await manager.policies.planPolicy(
        of: team, changes, validFrom: morning + .hours(1), by: mira
      ).get().row
      #expect(row.policy == before.changed(by: changes))
      world.wait(.hours(2))
      #expect(try await world.operations.background.beginPlannedPolicies() == 1)
      #expect(try await world.inForce().policy == row.policy)
    }
  }
}
