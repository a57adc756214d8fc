import CivilTime
import CommandParsing
import Foundation
import GuardRules
import ReadModels
import ShiftDomain
import Testing

@testable import InsightOperations
@testable import OperationCore
@testable import guardctl

@Suite("A team's day on the command line") struct CoverageCommandTests {
  // R: W1, W9
  @Test("shows who worked and how much of it was tracked")
  func day() async throws {
    try await withPhoneOnShift { world, _ in
      let shift = try await world.operations.insight.shift(
        ShiftID(employee: EmployeeID(7), number: 1))
      let date = String(shift.startedAt.rfc3339.prefix(10))
      let run = try await world.guardctl("coverage", "--team", "1", "--date", date)
      #expect(run.status == 0)
      let lines = run.output.split(separator: "\n")
      #expect(
        lines.first == """
          employee\tname\tshifts\tprovisional\ttracked\tof\trate
          """)
      #expect(lines.last?.hasPrefix("7\tAnna Kowalska\t7/1\tyes\t0\t") == true, "\(run.output)")
      let table = try await world.guardctl("coverage", "1", date, "-o", "table")
      #expect(table.output.contains("time zone    UTC\n"), "\(table.output)")
      let json = try await world.guardctl("coverage", "--team", "1", "--date", date, "--json")
      #expect(json.object["provisional"] as? Bool == true)
      for words in [[], ["today"]] {
        let today = try await world.guardctl(["coverage", "1"] + words)
        #expect(today.status == 0 && today.output.contains("Anna Kowalska"), "\(today)")
      }
      let before = try await world.guardctl("coverage", "1", "yesterday", "--json")
      let day = try #require(CivilDate(date))
      #expect(before.object["date"] as? String == day.advanced(by: -1).text, "\(before)")
      #expect(json.object["trackingRate"] as? Int == 0)
      let employees = try #require(json.object["employees"] as? [[String: Any]])
      let shifts = try #require(employees.first?["shifts"] as? [[String: Any]])
      #expect(shifts.map { $0["shift"] as? [String: Int] } == [["employee": 7, "number": 1]])
    }
  }

  @Test("refuses what is no day, and says that a team is unknown")
  func refusals() async throws {
    try await withWorld { world in
      let noDay = try await world.guardctl("coverage", "--team", "1", "--date", "2026-02-30")
      #expect(noDay.status == 64 && noDay.errors.contains("`2026-02-30`"))
      let noTeam = try await world.guardctl("coverage", "--team", "2", "--date", "2026-02-28")
      #expect(noTeam.status == 3)
      let noWord = try await world.guardctl("coverage", "1", "tomorrow")
      #expect(noWord.status == 64 && noWord.errors.contains("`DATE` cannot be `tomorrow`"))
      let quiet = try await world.guardctl("coverage", "--team", "1", "--date", "2026-02-28")
      #expect(quiet.status == 0 && quiet.output.isEmpty)
    }
  }

  @Test("on a terminal is a table with everybody's sum below")
  func table() throws {
    let start = Instant(milliseconds: 1_795_132_800_000)
    func shift(_ employee: Int32, tracked: Int64, lost: Int64) -> ShiftCoverage {
      let middle = start + .minutes(tracked)
      let end = middle + .minutes(lost)
      return ShiftCoverage(
        shift: ShiftID(employee: EmployeeID(employee), number: 1), startedAt: start, endedAt: end,
        asOf: end,
        segments: [
          CoverageSegment(
            interval: Interval(from: start, to: middle), reason: .tracked, isAtRisk: false),
          CoverageSegment(
            interval: Interval(from: middle, to: end), reason: .noContact, isAtRisk: false),
        ], trackingPermille: nil)
    }
    let card = DayCard(
      day: DayCoverage(
        team: TeamID(1), timeZone: "Europe/Paris", date: try #require(CivilDate("2026-11-20")),
        span: Interval(from: start, to: start + .hours(24)), asOf: start + .hours(24),
        employees: [
          EmployeeDay(
            employee: EmployeeID(7), name: "Ana", shifts: [shift(7, tracked: 60, lost: 0)]),
          EmployeeDay(
            employee: EmployeeID(8), name: "Ben", shifts: [shift(8, tracked: 0, lost: 540)]),
        ]))
    let lines = card.lines(
      on: Surface(isTable: true, styling: Styling(isOn: false), now: start + .hours(24)))
    #expect(
      lines.suffix(4) == [
        "employee  name  shifts  tracked  of    rate",
        "7         Ana        1  1 h      1 h   100.0 %",
        "8         Ben        1  0 s      9 h   0.0 %",
        "all                  2  1 h      10 h  10.0 %",
      ], "\(lines)")
  }
}
