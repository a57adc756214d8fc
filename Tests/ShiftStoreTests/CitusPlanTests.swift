import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

/// How many queries Citus makes of one: each is a round trip of its own between nodes, and a change
/// on more than one node is committed in two phases.
@Suite("On Citus", .enabled(if: isOnCitus)) struct CitusPlanTests {
  private static let employee = EmployeeID(7)
  private static let device = DeviceID(employee: employee, number: 1)
  private static let shift = ShiftID(employee: employee, number: 1)
  private static let now = Instant(milliseconds: 1_772_438_400_000)

  private static func pings(of employees: ClosedRange<Int32>) -> SQL {
    let rows = employees.map { number in
      PingRow(
        ping: Ping(recordedAt: now, effectiveAt: now, fix: nil),
        device: DeviceID(employee: EmployeeID(number), number: 1), shift: 1, receivedAt: now)
    }
    return insert(rows, under: rows.map { EmployeeVersion($0.device.employee, 1) })
  }

  /// What serves a phone concerns one employee, and goes to the node that has their rows.
  static let forPhones: [(String, SQL)] = [
    ("a round of pings of one employee", pings(of: 7...7)),
    ("the state of the rules", selectGuardState(of: [employee])),
    ("the version of the state", selectVersions(of: [7])),
    ("the open incidents", selectOpenIncidents(of: [employee])),
    ("a device", selectDevices([device])), ("the pings of a shift", selectCoveragePings(of: shift)),
    ("the rollup of a shift", selectRollup(of: [shift])),
    ("the evidence of a silence", selectSilenceEvidence(of: employee)),
    ("a new version of the state", bumpVersion(of: employee)),
    ("the tracked shifts", selectTokens(of: [7])),
    ("the interval of an app", countAppInterval(in: shift)),
    ("the quarantine after a shift", forgetContents(ofQuarantinedSince: now, from: employee)),
  ]

  /// What concerns many employees is one query for each shard, without a second step.
  static let forAll: [(String, SQL)] = [
    ("a round of pings of many employees", pings(of: 1...100)),
    (
      "the board of a team",
      selectBoard(
        on: [TeamDay(team: TeamID(1), name: "Field", timeZone: "UTC")].map { day in
          var day = day
          day.span = Interval(from: now, to: now + .hours(24))
          return day
        }, only: nil)
    ),
    (
      "phones that have fallen silent",
      selectSilent(at: now, outages: IntervalSet(), after: nil, limit: 100)
    ),
    (
      "phones that are heard again", selectHeardAgain(at: now, after: nil, limit: 100)
    ),
    (
      "silences that were noticed too late",
      selectHeardTooLate(at: now, outages: IntervalSet(), after: nil, limit: 100)
    ),
    ("clock actions to be reviewed", countAwaitingClockActions(in: TeamScope(), now: now)),
    ("shifts to be reviewed", countShiftsToReview(in: TeamScope(), now: now)),
    ("the map of the employees on shift", selectEmployeesOnShift(in: TeamScope())),
  ]

  @Test("what serves a phone asks one node", arguments: forPhones)
  func ofOne(_ name: String, _ statement: SQL) async throws {
    #expect(try await tasks(of: statement) == [1], "\(name)")
  }

  /// Lists of managers, whose filter may name an employee.
  private static let lists: Set = [
    "selectShifts of a list", "selectShiftDurations", "selectRecordedTimes", "selectPastTimes",
    "selectIncidents", "selectClockActions",
    "selectClockActions of one", "selectClockActions of some",
    "selectClockActions from a place on", "countAwaitingClockActions",
    "countAwaitingClockActions of one", "selectShiftsToReview", "selectUnusedOverrides",
    "selectQuarantine of all", "selectDevicesInQuarantine", "teams of an employee",
  ]

  @Test("no statement that names one employee asks more than one node")
  func named() async throws {
    try await withDatabase(size: 1) { pool in
      var explained = 0
      for (name, statement) in StatementTests.writes
      where namesOne(statement) && !Self.lists.contains(name) {
        // Citus explains no INSERT whose rows pass through the coordinator.
        guard let tasks = try? await tasks(of: statement, on: pool) else { continue }
        explained += 1
        #expect(tasks.allSatisfy { $0 == 1 }, "\(name): \(tasks)\n\(statement.text)")
      }
      #expect(explained > 80)
    }
  }

  @Test("a round of pings of two employees asks at most two shards")
  func ofTwo() async throws {
    let found = try await tasks(of: Self.pings(of: 7...8))
    #expect(found == [1] || found == [2])
  }

  @Test("what concerns many asks each shard once", arguments: forAll)
  func ofMany(_ name: String, _ statement: SQL) async throws {
    let shards = try await withDatabase(size: 1) { pool in
      try await pool.read { (session) throws(PostgresError) -> Int64 in
        try session.run(
          "SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'employee'::regclass"
        ).value(0, 0)
      }
    }
    #expect(try await tasks(of: statement) == [Int(shards)], "\(name)")
  }

  private func namesOne(_ statement: SQL) -> Bool {
    statement.text.contains(/employee_id = \$|SELECT \$\d+ AS employee_id/)
  }

  /// The number of queries in each step of the plan.
  private func tasks(of statement: SQL) async throws -> [Int] {
    try await withDatabase(size: 1) { pool in try await tasks(of: statement, on: pool) }
  }

  private func tasks(of statement: SQL, on pool: Pool) async throws -> [Int] {
    let plan = try await pool.read { (session) throws(PostgresError) -> String in
      let lines: [String] = try session.run(statement.explained).values()
      return lines.joined(separator: "\n")
    }
    return plan.matches(of: /Task Count: (\d+)/).compactMap { Int($0.1) }
  }
}
