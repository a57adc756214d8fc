import BackgroundOperations
import CivilTime
import DeviceOperations
import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import ManagerAPI

@Suite("The coverage report") struct ReportTests {
  /// Two teams a day apart, with three shifts: half tracked, never tracked, still open.
  private static func run(_ body: (ManagerWorld, TestOperations) async throws -> Void) async throws
  {
    try await ManagerWorld.run { world in
      let operations = TestOperations(
        pool: world.pool, now: { ManagerWorld.start + .hours(4) })
      let south = try await operations.people.addTeam(name: "=South", timeZone: "Asia/Tokyo")
      _ = try await operations.people.addEmployee(EmployeeID(8), name: "Ben, \"B\"", team: south)
      _ = try await TestPhone.enrolled(in: world, employee: 8, NewDevice(platform: .ios))
      let start = ManagerWorld.start
      try await world.write(
        """
        INSERT INTO shift (
          employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms,
          blocking, warning, informing, verdict, start_fix_at, start_latitude_e7,
          start_longitude_e7)
        VALUES
          (7, 1, 1, \(start), \(start + .minutes(6)), 1, 180000, 0, 0, 0, 0, \(start), 1, 1),
          (7, 2, 1, \(start + .hours(2)), NULL, 1, 180000, 0, 0, 0, 0, NULL, NULL, NULL),
          (8, 1, 1, \(start + .hours(6)), \(start + .hours(7)), 1, 180000, 0, 0, 0, 0, NULL, NULL,
            NULL)
        """)
      try await body(world, operations)
    }
  }

  private static let administrator = Principal(
    actor: AuditActor(name: "Mira"), role: .administrator)

  private static func report(
    _ operations: TestOperations, by grouping: ReportGrouping,
    _ principal: Principal = administrator,
    from: String = "2026-11-01", to: String = "2026-11-30", team: TeamID? = nil
  ) async throws -> CoverageReport {
    try await operations.insight.coverageReport(
      for: principal, from: try #require(CivilDate(from)), to: try #require(CivilDate(to)),
      team: team, by: grouping)
  }

  // R: M6, W1
  @Test("has lines by team, employee and day that add up to the total, with or without rollups")
  func lines() async throws {
    try await Self.run { world, operations in
      for isStored in [false, true] {
        let teams = try await Self.report(operations, by: .team)
        #expect(teams.lines.map(\.key) == [.team(TeamID(1)), .team(TeamID(2))])
        #expect(teams.lines.map(\.name) == ["North", "=South"])
        #expect(teams.lines.map(\.tally.shifts) == [2, 1])
        let workers = try await Self.report(operations, by: .employee)
        #expect(workers.lines.map(\.key) == [.employee(EmployeeID(7)), .employee(EmployeeID(8))])
        // 15:30 on the 20th in London is the 21st in Tokyo.
        let days = try await Self.report(operations, by: .day)
        #expect(
          days.lines.map(\.key) == [
            .day(try #require(CivilDate("2026-11-20"))),
            .day(try #require(CivilDate("2026-11-21"))),
          ])
        let weeks = try await Self.report(operations, by: .week)
        #expect(weeks.lines.map(\.key) == [.week(try #require(CivilDate("2026-11-16")))])
        for report in [teams, workers, days, weeks] {
          #expect(report.total.shifts == 3 && report.total.openShifts == 1)
          #expect(report.total.durations[.tracked] == .minutes(3))
          #expect(report.total.durations.total == .minutes(6 + 120 + 60))
          var sum = CoverageDurations()
          for line in report.lines { sum.add(line.tally.durations) }
          #expect(sum == report.total.durations)
          // 3 of 186 minutes.
          #expect(report.total.durations.totals.permille == 16)
        }
        let stored: Int64 = try await world.pool.value(
          "SELECT count(*) FROM coverage_rollup WHERE totals_version = version")
        #expect(stored == (isStored ? 2 : 0))
        // Reading the report has marked the shifts that need a rollup.
        try await operations.background.rollUpPings()
      }
    }
  }

  @Test("shows a manager the shifts of their own teams, and not even a count of other teams")
  func scope() async throws {
    try await Self.run { _, operations in
      let mira = Principal(
        actor: AuditActor(name: "Mira"), role: .manager,
        teams: [TeamID(2): .coverage, TeamID(9): []])
      let report = try await Self.report(operations, by: .employee, mira)
      #expect(report.total.shifts == 1 && report.lines.map(\.key) == [.employee(EmployeeID(8))])
      for team in [TeamID(1), TeamID(9)] {
        await #expect(throws: OperationError.notFound("team \(team.rawValue)")) {
          _ = try await Self.report(operations, by: .team, mira, team: team)
        }
      }
      await #expect(throws: OperationError.notFound("employee 7")) {
        let day = try #require(CivilDate("2026-11-20"))
        _ = try await operations.insight.coverageReport(
          for: mira, from: day, to: day, employee: EmployeeID(7), by: .team)
      }
    }
  }

  @Test("is available as a table for spreadsheets that contains no formula")
  func table() async throws {
    try await Self.run { world, _ in
      let query = "from=2026-11-01&to=2026-11-30&by=employee"
      let (status, text, _) = try await world.get("/v1/coverage?\(query)&format=csv")
      #expect(status == 200)
      let lines = text.components(separatedBy: "\r\n")
      #expect(lines.count == 5 && lines[4].isEmpty)
      #expect(
        lines[0].hasPrefix(
          "team_or_employee,name,team,day,shifts,open_shifts,tracking_rate_percent,"
            + "hours_to_track,tracked_hours,"))
      #expect(
        lines[2].hasPrefix("8,\"Ben, \"\"B\"\"\",'=South,,1,0,0.0,1.000,0.000,"), "\(lines[2])")
      #expect(lines[3].hasPrefix(",total,,,3,1,"))
      let teams = try await world.get("/v1/coverage?from=2026-11-01&to=2026-11-30&format=csv")
      #expect(teams.text.contains("2,'=South,,,1,0,"))
      let request = try HTTPRequest(
        .get, "/v1/coverage?\(query)",
        headers: [
          "Authorization": "Bearer \(world.access)", "Accept": "application/json;q=0.5, text/csv",
        ])
      let response = await world.router.respond(to: request)
      #expect(response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present")
      #expect(
        response.headers["Content-Disposition"]
          == "attachment; filename=\"coverage-by-employee-2026-11-01-to-2026-11-30.csv\"")
    }
  }

  @Test("in JSON ranks the causes and omits zeros")
  func json() async throws {
    try await Self.run { world, _ in
      let (status, text, _) = try await world.get(
        "/v1/coverage?from=2026-11-20&to=2026-11-20&by=day&team=1&employee=7")
      #expect(status == 200)
      #expect(
        text.hasPrefix(
          #"{"from":"2026-11-20","to":"2026-11-20","asOf":"2026-11-20T09:30:00.000Z","shifts":2,"#
            + #""provisional":true,"trackingRate":50.0,"totals":{"tracked":180000,"#),
        "\(text)")
      #expect(text.contains(#""causes":[{"reason":"no_fix","milliseconds":180000}]"#))
      #expect(text.contains(#""lines":[{"day":"2026-11-20","shifts":2,"#))
    }
  }

  static let refusals: [(query: String, status: Int)] = [
    ("", 422), ("from=2026-11-20", 422), ("to=2026-11-20", 422), ("from=x&to=2026-11-20", 422),
    ("from=2026-11-20&to=2026-11-19", 422), ("from=2024-11-20&to=2026-11-19", 422),
    ("from=2025-10-16&to=2026-11-20", 422), ("from=2025-10-17&to=2026-11-20", 200),
    ("from=0001-01-01&to=0001-12-31", 200), ("from=9999-12-01&to=9999-12-31", 200),
    ("from=2026-11-20&to=2026-11-20&by=cause", 422), ("from=2026-11-20&to=2026-11-20&by=", 422),
    ("from=2026-11-20&to=2026-11-20&format=gpx", 422),
    ("from=2026-11-20&to=2026-11-20&format=xls", 422),
    ("from=2026-11-20&to=2026-11-20&team=3", 404),
    ("from=2026-11-20&to=2026-11-20&employee=9", 404),
    ("from=2026-11-20&to=2026-11-20&team=1&employee=8", 404),
  ]

  @Test("refuses absurd periods and unknown teams or employees")
  func refusals() async throws {
    try await Self.run { world, _ in
      for row in Self.refusals {
        let (status, text, _) = try await world.get("/v1/coverage?\(row.query)")
        #expect(status == row.status, "\(row.query): \(text)")
      }
    }
  }

  @Test(
    "escapes every character that a spreadsheet takes for a formula",
    arguments: [
      ("=1+1", "'=1+1"), ("+49 1", "'+49 1"), ("-cmd", "'-cmd"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("-1.5", "-1.5"),
      ("＝1+1", "'＝1+1"), ("＋49 1", "'＋49 1"), ("－cmd", "'－cmd"), ("＠SUM(A1)", "'＠SUM(A1)"),
      ("=\u{0338}1", "'=\u{0338}1"), ("Ann", "Ann"), ("", ""), ("a\"b", "\"a\"\"b\""),
      ("a,b", "\"a,b\""), ("a=b", "a=b"),
    ])
  func guards(_ row: (text: String, field: String)) {
    var table = CSVText(["a"])
    _ = table.take()
    table.add([row.text, "x"])
    #expect(String(decoding: table.take(), as: UTF8.self) == row.field + ",x\r\n")
  }
}
