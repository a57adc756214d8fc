import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@Suite("Policies in the database") struct PolicyTests {
  private static let standard = Policy.policy(of: .standard)

  private func withTeam(_ body: (TeamID, Pool) async throws -> Void) async throws {
    try await withDatabase { pool in
      let team = try await pool.transaction { (session) throws(PostgresError) in
        try addTeam(name: "Field", timeZone: "UTC", policy: Self.standard, on: &session)
      }
      try await body(team, pool)
    }
  }

  private func add(
    _ policy: Policy, version: Int32, of team: TeamID, to pool: Pool
  ) async throws(PostgresError) {
    try await pool.transaction { (session) throws(PostgresError) in
      try session.execute(insert(policy, version: version, of: team))
    }
  }

  @Test("are read as they were written, with every setting")
  func roundTrip() async throws {
    try await withTeam { team, pool in
      var policy = Self.standard.changed(
        by: PolicyChanges(
          preset: .strict, severities: [.denied: .advice, .clockWrong: .block],
          selfOverride: .withReason, opensPlannedShifts: true))
      for (place, name) in PolicySpan.allCases.enumerated() {
        policy[name] = name.range.lowerBound + .seconds(Int64(place % 3))
      }
      try await add(policy, version: 2, of: team, to: pool)
      let rows = try await pool.read { (session) throws(PostgresError) in
        try policies(of: team, limit: 9, on: &session)
      }
      #expect(rows.map(\.version) == [2, 1] && rows.map(\.isInForce) == [false, true])
      #expect(rows.map(\.policy) == [policy, Self.standard])
    }
  }

  @Test("are limited to the bounds that the rules define")
  func bounds() async throws {
    let constraints: [PolicySpan: String] = [
      .freshFor: "fresh_for", .debounce: "debounce", .pingInterval: "ping_interval",
      .maxRest: "max_rest",
      .breakMax: "break_max", .shiftMax: "shift_max", .reminderAfter: "reminder_after",
      .emailAfter: "email_after", .managersAfter: "managers_after",
      .cooldown: "cooldown", .lateAfter: "late_after", .noShowAfter: "no_show_after",
      .massSilenceWait: "mass_silence_wait", .hiddenReminderAfter: "hidden_reminder_after",
      .earlyWindow: "early_window", .awayAfter: "away_after",
    ]
    try await withTeam { team, pool in
      var version: Int32 = 1
      for name in PolicySpan.allCases {
        var policy = Self.standard
        for span in [name.range.lowerBound, name.range.upperBound] {
          policy[name] = span
          version += 1
          try await add(policy, version: version, of: team, to: pool)
        }
        let column = try #require(constraints[name])
        for span in [
          name.range.lowerBound - .milliseconds(1), name.range.upperBound + .milliseconds(1),
        ] {
          policy[name] = span
          let refused = PostgresError.constraint(name: "policy_version_\(column)_range")
          await #expect(throws: refused) {
            try await add(policy, version: 99, of: team, to: pool)
          }
        }
      }
    }
  }

  @Test("wait for their time one for each team, and are due from then on")
  func planned() async throws {
    try await withTeam { team, pool in
      let time = Instant(milliseconds: 1_772_438_400_000)
      let waiting = PlannedPolicy(
        team: team, former: 1, createdAt: time - .hours(1), validFrom: time, savedBy: "Mira",
        policy: .policy(of: .strict))
      let planning = plan(
        waiting.policy, of: team, from: time, after: 1, by: "Mira", now: waiting.createdAt)
      try await pool.transaction { (session) throws(PostgresError) in
        #expect(try plannedPolicy(of: team, on: &session) == nil)
        try session.execute(planning)
        #expect(try plannedPolicy(of: team, on: &session) == waiting)
        for (now, due) in [(time - .milliseconds(1), [TeamID]()), (time, [team])] {
          #expect(try teamsWithDuePolicies(at: now, on: &session) == due)
          #expect(try duePolicy(of: team, at: now, on: &session) == (due.isEmpty ? nil : waiting))
        }
      }
      await #expect(throws: PostgresError.constraint(name: "planned_policy_pk")) {
        try await pool.transaction { (session) throws(PostgresError) in
          try session.execute(planning)
        }
      }
      try await pool.transaction { (session) throws(PostgresError) in
        #expect(try session.execute(deletePlannedPolicy(of: team)) == 1)
      }
    }
  }

  @Test("let one of several writers create a version, and one put it in force")
  func compareAndSet() async throws {
    try await withTeam { team, pool in
      let made = await withTaskGroup(of: PostgresError?.self) { group in
        for _ in 0..<4 {
          group.addTask {
            do throws(PostgresError) {
              try await add(Self.standard, version: 2, of: team, to: pool)
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(made.filter { $0 == nil }.count == 1)
      let taken = PostgresError.constraint(name: "policy_version_pk")
      #expect(made.filter { $0 == taken }.count == 3)
      var won = 0
      for _ in 0..<2 {
        won += try await pool.transaction { (session) throws(PostgresError) in
          try session.execute(putInForce(2, of: team, after: 1))
        }
      }
      #expect(won == 1)
    }
  }
}
