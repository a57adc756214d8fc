import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

/// On Citus the plan is that of one shard, and its text names the shard.
@Suite("Missed shifts", .enabled(if: !isOnCitus)) struct MissedShiftPlanTests {
  @Test("are found by the index of planned starts among 100,000 planned shifts")
  func indexed() async throws {
    try await withDatabase { pool in
      try await pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
        for statement: SQL in [
          """
          INSERT INTO team (team_id, policy_version, name, time_zone) VALUES (1, 1, 'Field', 'UTC')
          """,
          """
          INSERT INTO policy_version (
            team_id, version, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
            break_max_ms, shift_max_ms, preset, late_after_ms)
          VALUES (1, 1, 0, 0, 1000, 0, 1000, 60000, 14400000, 0, 900000)
          """,
          """
          INSERT INTO employee (employee_id, team_id, name)
          SELECT number, 1, 'Ada' FROM generate_series(1, 1000) AS number
          """,
          "INSERT INTO guard_state (employee_id) SELECT employee_id FROM employee",
          """
          INSERT INTO planned_shift (
            employee_id, planned_shift_id, starts_at, ends_at, created_at, created_by)
          SELECT employee_id, day, now() + (day - 50) * interval '1 day' - interval '1 hour',
            now() + (day - 50) * interval '1 day' + interval '7 hours', now() - interval '99 days',
            'x'
          FROM employee CROSS JOIN generate_series(1, 100) AS day
          """,
          "ANALYZE planned_shift, guard_state, employee, team, policy_version, shift",
        ] { try session.execute(statement) }
        let missed = selectMissedShifts(at: nil, after: nil, limit: 10_000)
        let lines: [String] = try session.run(missed.explained).values()
        let plan = lines.joined(separator: "\n")
        #expect(plan.contains("planned_shift_by_start"), "\(plan)")
        #expect(!plan.contains("Seq Scan on planned_shift"), "\(plan)")
        #expect(try session.run(missed).count == 1_000)
      }
    }
  }
}
