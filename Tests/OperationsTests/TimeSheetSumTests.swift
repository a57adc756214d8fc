import CivilTime
import GuardRules
import InsightOperations
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// A planted shift, in milliseconds.
private struct Planted {
  let shift: ShiftID
  let worked: Int64
  let breaks: Int64
}

/// What some shifts come to, in milliseconds.
private struct Sum: Hashable {
  var worked: Int64 = 0
  var paid: Int64 = 0
  var breaks: Int64 = 0

  init() {}

  init(_ totals: TimeSheetTotals) {
    worked = totals.worked.milliseconds
    paid = totals.paid.milliseconds
    breaks = totals.breaks.milliseconds
  }

  init(_ entries: [TimeSheetEntry]) {
    for times in entries.map(\.times) {
      worked += times.worked?.milliseconds ?? 0
      paid += times.paid?.milliseconds ?? 0
      breaks += times.breaks.milliseconds
    }
  }

  static func + (left: Sum, right: Sum) -> Sum {
    var sum = left
    sum.worked += right.worked
    sum.paid += right.paid
    sum.breaks += right.breaks
    return sum
  }
}

/// The multiple of a quarter of an hour that is nearest to `span`, found by trying all.
private func nearestQuarter(_ span: Int64) -> Int64 {
  var quarter: Int64 = 0
  while quarter + 900_000 - span <= span - quarter { quarter += 900_000 }
  return quarter
}

@Suite("The sums of hours") struct TimeSheetSumTests {
  private static let employees: ClosedRange<Int32> = 7...10

  /// In March 2026: employees 7 and 8 in Warsaw, 9 and 10 in Tokyo; a shift a day, to the
  /// millisecond, with up to two breaks.
  private func plant(_ world: OperationsWorld, _ dice: inout SeededRandom) async throws -> [Planted]
  {
    let tokyo = try await world.operations.people.addTeam(name: "Tokyo", timeZone: "Asia/Tokyo")
    for number in Self.employees {
      if number > 7 {
        _ = try await world.operations.people.addEmployee(
          EmployeeID(number), name: "E\(number)", team: number > 8 ? tokyo : TeamID(1))
      }
      _ = try await Phone.enrolled(in: world, employee: number)
    }
    var planted: [Planted] = []
    for employee in Self.employees {
      for day in Int64(1)...20 {
        let shift = ShiftID(employee: EmployeeID(employee), number: Int32(day))
        let start = morning + .hours(24 * day) + .milliseconds(dice.below(3_600_000 * 12))
        let length = 1 + dice.below(3_600_000 * 11)
        try await world.plantShift(
          of: shift.employee, number: shift.number, from: start,
          to: start + .milliseconds(length))
        var (at, breaks) = (start, Int64(0))
        for number in 0..<Int16(dice.below(3)) {
          at = at + .milliseconds(1 + dice.below(length / 5 + 1))
          let pause = 1 + dice.below(length / 5 + 1)
          guard at + .milliseconds(pause) < start + .milliseconds(length) else { break }
          try await world.write(
            """
            INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
            VALUES (\(employee), \(shift.number), \(number + 1), \(at),
              \(at + .milliseconds(pause)))
            """)
          (at, breaks) = (at + .milliseconds(pause), breaks + pause)
        }
        planted.append(Planted(shift: shift, worked: length - breaks, breaks: breaks))
      }
    }
    world.wait(.hours(24 * 26))
    return planted
  }

  // R: W23
  @Test(
    "agree by shift, day, employee, team and month, on time sheets and in coverage, also approved",
    arguments: [1, 2, 3] as [UInt64])
  func agree(seed: UInt64) async throws {
    try await withWorld { world in
      var dice = SeededRandom(seed: seed)
      let planted = try await plant(world, &dice)
      var expected = Sum()
      for shift in planted {
        expected.worked += shift.worked
        expected.breaks += shift.breaks
        expected.paid +=
          shift.shift.employee.rawValue > 8
          ? shift.worked : nearestQuarter(shift.worked + shift.breaks)
      }
      let rule = TeamChange(rounding: .nearest15, paysBreaks: true)
      _ = try await world.operations.people.changeTeam(TeamID(1), rule, by: world.principal).get()
      try await check(world, expected, seed)
      // Some are approved; then the rule changes, which is nothing to them.
      let seen = try await world.timeSheet().lines.flatMap(\.entries).map(\.times)
        .filter { $0.shift.employee.rawValue <= 8 || dice.below(2) == 0 }
      let outcomes = try await world.operations.reviews.approve(
        seen.map { SeenTimes(shift: $0.shift, revision: $0.revision) }, by: world.principal)
      #expect(outcomes.allSatisfy { $0.approval != nil }, "\(seed)")
      _ = try await world.operations.people.changeTeam(
        TeamID(1), TeamChange(rounding: PayRounding.none, paysBreaks: false), by: world.principal
      ).get()
      try await check(world, expected, seed)
    }
  }

  private func check(_ world: OperationsWorld, _ expected: Sum, _ seed: UInt64) async throws {
    let sheet = try await world.timeSheet()
    let entries = sheet.lines.flatMap(\.entries)
    #expect(Sum(sheet.totals) == expected, "\(seed)")
    let days = Dictionary(grouping: entries, by: \.place.day)
    #expect(days.values.map { Sum($0) }.reduce(Sum(), +) == expected, "\(seed)")
    #expect(sheet.lines.map { Sum($0.totals) }.reduce(Sum(), +) == expected, "\(seed)")
    for line in sheet.lines { #expect(Sum(line.totals) == Sum(line.entries), "\(seed)") }
    var teams = Sum()
    for team in sheet.teams {
      teams = teams + Sum(try await world.timeSheet(team: team.team).totals)
    }
    #expect(teams == expected, "\(seed)")
    try await checkCoverage(world, sheet, days, seed)
    // A shift's own page sums its segments.
    for entry in [entries.first, entries.last].compactMap(\.self) {
      let coverage = try await world.operations.insight.coverage(of: entry.times.shift)
      let durations = CoverageDurations(of: coverage.segments)
      #expect(durations.worked == entry.times.worked, "\(seed)")
      #expect(durations[.onBreak] == entry.times.breaks, "\(seed)")
    }
  }

  private func checkCoverage(
    _ world: OperationsWorld, _ sheet: TimeSheet, _ days: [Int32: [TimeSheetEntry]], _ seed: UInt64
  ) async throws {
    for grouping in ReportGrouping.allCases {
      let report = try await world.operations.insight.coverageReport(
        for: world.principal, from: sheet.period.from, to: sheet.period.to, by: grouping)
      #expect(report.total.durations.worked == sheet.totals.worked, "\(seed) \(grouping)")
      for line in report.lines {
        let worked = line.tally.durations.worked.milliseconds
        switch line.key {
        case .employee(let employee):
          let own = sheet.lines.first { $0.employee == employee }
          #expect(worked == own?.totals.worked.milliseconds ?? 0, "\(seed) \(line.key)")
        case .day(let day):
          let own = days[Int32(day.daysSince1970)] ?? []
          #expect(worked == Sum(own).worked, "\(seed) \(line.key)")
        case .week(let monday):
          let first = Int32(monday.daysSince1970)
          let own = days.filter { first <= $0.key && $0.key < first + 7 }.flatMap(\.value)
          #expect(worked == Sum(own).worked, "\(seed) \(line.key)")
        case .team(let team):
          let own = sheet.lines.flatMap(\.entries).filter { $0.place.team == team }
          #expect(worked == Sum(own).worked, "\(seed) \(line.key)")
        }
      }
    }
  }
}
