import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

@Suite("A team's policies") struct PolicyTests {
  private let team = TeamID(1)

  @Test("begin with standard when nothing else is chosen")
  func beginning() async throws {
    try await withWorld(.strict) { world in
      let operations = world.operations
      let plain = try await operations.people.addTeam(name: "Plain", timeZone: "UTC")
      for (team, preset) in [(plain, Preset.standard), (team, .strict)] {
        let row = try await operations.policies.policy(of: team, version: nil)
        #expect(row.version == 1 && row.isInForce && row.policy == .policy(of: preset))
      }
    }
  }

  @Test("follow each other as versions that never change; going back is one more")
  func history() async throws {
    try await withWorld { world in
      let operations = world.operations
      let first = try await operations.policies.policy(of: team, version: nil)
      let changes = PolicyChanges(
        severities: [.whenInUse: .block], spans: [.freshFor: .seconds(60)],
        selfOverride: .withReason)
      guard case .made(let second) = try await operations.policies.setPolicy(of: team, changes)
      else {
        throw Unexpected("nothing was changed")
      }
      #expect(second.version == 2 && second.policy == first.policy.changed(by: changes))
      guard
        case .made(let third) = try await operations.policies.restorePolicy(of: team, version: 1)
      else { throw Unexpected("nothing was restored") }
      #expect(third.version == 3 && third.policy == first.policy)
      let rows = try await operations.policies.policies(of: team, limit: 10)
      #expect(rows.map(\.version) == [3, 2, 1] && rows.map(\.isInForce) == [true, false, false])
      #expect(rows.map(\.policy) == [third.policy, second.policy, first.policy])
      #expect(rows[2].createdAt == first.createdAt)
      #expect(try await operations.policies.policies(of: team, limit: 1).map(\.version) == [3])
      #expect(try await operations.people.team(team).policyVersion == 3)
    }
  }

  @Test("name who saved them, and fit into an audit entry however much was changed")
  func audited() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      var changes = PolicyChanges(
        preset: .strict, selfOverride: .withReason, accuracyMax: .meters(7),
        opensPlannedShifts: true)
      for finding in Finding.allCases { changes.severities[finding] = .block }
      for span in PolicySpan.allCases { changes.spans[span] = span.range.upperBound }
      let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)
      let row = try await manager.policies.setPolicy(of: team, changes, by: mira).get().row
      #expect(row.savedBy == "Mira")
      let versions = try await manager.policies.policyVersions(of: team, limit: 1)
      #expect(versions.map(\.row) == [row])
      let differences = versions[0].differences
      #expect(differences.count > 20)
      let reason = try #require(
        try await manager.installation.auditEntries(AuditFilter(), limit: 1).first?.reason)
      #expect(reason.hasPrefix("version 2; Preset: Standard → Strict; "))
      let named = reason.split(separator: "; ").count - 2
      #expect(reason.hasSuffix("; and \(differences.count - named) more"))
      #expect(try await manager.policies.policy(of: team, version: 1).savedBy == nil)
    }
  }

  @Test("make no version of what is in force already")
  func unchanged() async throws {
    try await withWorld { world in
      let operations = world.operations
      let same = PolicyChanges(preset: .standard, spans: [.debounce: .seconds(2)])
      for outcome in [
        try await operations.policies.setPolicy(of: team, same),
        try await operations.policies.restorePolicy(of: team, version: 1),
      ] {
        guard case .unchanged(let row) = outcome else { throw Unexpected("a version was made") }
        #expect(row.version == 1)
      }
      #expect(try await world.count("SELECT count(*) FROM policy_version") == 1)
    }
  }

  @Test("set by many at once keep every change, each under a number of its own")
  func together() async throws {
    try await withWorld { world in
      let findings: [Finding] = [
        .clockWrong, .powerSave, .notificationsOff, .batteryOptimised, .backgroundRefreshOff,
      ]
      let (held, hold) = AsyncStream<Never>.makeStream()
      async let line: Void = standInLine(findings.count, in: world, holding: hold)
      for await _ in held {}
      let versions = try await withThrowingTaskGroup(of: Int32.self) { group in
        for finding in findings {
          group.addTask {
            let outcome = try await world.operations.policies.setPolicy(
              of: team, PolicyChanges(severities: [finding: .warn]))
            guard case .made(let row) = outcome else { throw Unexpected("nothing was changed") }
            #expect(row.policy.severities[finding] == .warn)
            return row.version
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await line
      #expect(versions.sorted() == [2, 3, 4, 5, 6])
      let last = try await world.operations.policies.policy(of: team, version: nil)
      #expect(last.version == 6)
      for finding in findings { #expect(last.policy.severities[finding] == .warn) }
    }
  }

  /// Keeps the team to itself until `count` others wait, so that all of them meet.
  /// - Parameter hold: Ended when it is held.
  private func standInLine(
    _ count: Int, in world: OperationsWorld, holding hold: AsyncStream<Never>.Continuation
  ) async throws {
    try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
      try session.execute("SELECT FROM team FOR NO KEY UPDATE")
      hold.finish()
      while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(count) {
        try session.execute("SELECT pg_stat_clear_snapshot()")
      }
    }
  }

  // R: W4
  @Test("decide an offline clock action by the policy in force when it was made")
  func offline() async throws {
    try await withPhone { world, phone in
      let acted = world.now
      let block = PolicyChanges(severities: [.whenInUse: .block])
      _ = try await world.operations.policies.setPolicy(of: team, block)
      try await world.pool.transaction { (session) throws(PostgresError) in
        _ = try session.execute(
          "UPDATE policy_version SET created_at = \(acted - .hours(1)) WHERE version = 1")
        _ = try session.execute(
          "UPDATE policy_version SET created_at = \(acted + .minutes(1)) WHERE version = 2")
      }
      world.wait(.hours(1))
      func clockIn(_ id: String, at instant: Instant) async throws -> ClockInOutcome {
        try await phone.clockIn(id) {
          $0.happened(at: instant, sentAt: world.now)
          $0.report = IncomingReport(
            .state(PermissionState(authorization: .whenInUse, accuracy: .full, services: .on)))
        }
      }
      guard case .kept(let kept) = try await clockIn("late", at: acted + .minutes(1)),
        kept.reason == .blocked
      else { throw Unexpected("the second version was not heeded") }
      guard case .clockedIn(_, let decision) = try await clockIn("early", at: acted) else {
        throw Unexpected("the first version was not heeded")
      }
      #expect(decision.verdict == .warn)
      #expect(try await world.count("SELECT policy_version::bigint FROM shift") == 1)
    }
  }

  // R: A9, M2, A8
  @Test("decide from the next clock-in on: while-in-use warns, blocks, and warns again")
  func effect() async throws {
    try await withPhone { world, phone in
      try await phone.report(.whenInUse)
      let block = PolicyChanges(severities: [.whenInUse: .block])
      _ = try await world.operations.policies.setPolicy(of: team, block)
      guard case .blocked(let refused) = try await phone.clockIn("one") else {
        throw Unexpected("while-in-use was let in")
      }
      #expect(refused.blocking.ranked == [.whenInUse])
      _ = try await world.operations.policies.restorePolicy(of: team, version: 1)
      guard case .clockedIn(_, let warned) = try await phone.clockIn("two") else {
        throw Unexpected("while-in-use was refused")
      }
      #expect(warned.verdict == .warn)
      // The tap that was answered stays answered.
      guard case .blocked(refused) = try await phone.clockIn("one") else {
        throw Unexpected("the first answer was not given again")
      }
      #expect(try await world.count("SELECT policy_version::bigint FROM shift") == 3)
      let refusal: SQL = """
        SELECT policy_version::bigint FROM clock_action WHERE action_id = 'one'
        """
      #expect(try await world.count(refusal) == 2)
    }
  }

  // R: M6
  @Test("leave an open shift the time for which its fixes speak, and give the next one another")
  func openShift() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("in") else {
        throw Unexpected("refused with always")
      }
      _ = try await phone.ping([fix(at: world.now)])
      let slow = PolicyChanges(spans: [.pingInterval: .minutes(10)])
      let row = try await world.operations.policies.setPolicy(of: team, slow).get().row
      #expect(row.policy.fixAgeMax == .minutes(30))
      world.wait(.minutes(5))
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.first?.interval.length == .seconds(180))
      #expect(try await world.count("SELECT fix_age_max_ms::bigint FROM shift") == 180_000)
      _ = try await phone.clockOut("out")
      try await phone.report(.always)
      guard case .clockedIn = try await phone.clockIn("again") else {
        throw Unexpected("refused with always")
      }
      let newest: SQL = "SELECT fix_age_max_ms::bigint FROM shift ORDER BY shift_no DESC"
      #expect(try await world.count(newest) == 1_800_000)
    }
  }

  @Test("that are not there are not found, and durations out of range are refused by name")
  func refusals() async throws {
    try await withWorld { world in
      let operations = world.operations
      let strict = PolicyChanges(preset: .strict)
      let nobody = OperationError.notFound("team 9")
      await #expect(throws: nobody) {
        _ = try await operations.policies.setPolicy(of: TeamID(9), strict)
      }
      await #expect(throws: nobody) {
        _ = try await operations.policies.policies(of: TeamID(9), limit: 1)
      }
      for version: Int32? in [nil, 1] {
        await #expect(throws: nobody) {
          _ = try await operations.policies.policy(of: TeamID(9), version: version)
        }
      }
      await #expect(throws: nobody) {
        _ = try await operations.policies.restorePolicy(of: TeamID(9), version: 1)
      }
      for version: Int32 in [0, 2, -1, .max] {
        let missing = OperationError.notFound("policy version \(version) of team 1")
        await #expect(throws: missing) {
          _ = try await operations.policies.policy(of: team, version: version)
        }
        await #expect(throws: missing) {
          _ = try await operations.policies.restorePolicy(of: team, version: version)
        }
      }
      let tooLong = PolicyChanges(preset: .strict, spans: [.shiftMax: .hours(25)])
      let range = "`shiftMax` must be whole seconds from 14400 to 86400"
      await #expect(throws: OperationError.invalid(range)) {
        _ = try await operations.policies.setPolicy(of: team, tooLong)
      }
      let versions = try await world.count("SELECT count(*) FROM policy_version")
      #expect(versions == 1)
    }
  }
}
