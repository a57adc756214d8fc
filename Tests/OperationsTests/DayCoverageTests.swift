import CivilTime
import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import Testing

@Suite("A team's day") struct DayCoverageTests {
  /// Works from now on for so many minutes, with a fix in each minute or with none.
  private func work(
    _ phone: Phone, _ id: String, minutes: Int64, tracked: Bool, in world: OperationsWorld
  )
    async throws
  {
    try await phone.report(.always)
    #expect(try await phone.clockIn("in-\(id)").isClockedIn)
    for _ in 0..<minutes {
      if tracked { _ = try await phone.ping([fix(at: world.now)]) }
      world.wait(.minutes(1))
    }
    _ = try await phone.clockOut("out-\(id)")
  }

  // R: W1, W9
  @Test("holds each shift wholly, on the day it began in the team's zone; rates are of sums")
  func day() async throws {
    try await withWorld { world in
      let team = TeamID(1)
      _ = try await world.operations.people.addEmployee(EmployeeID(8), name: "Ben", team: team)
      _ = try await world.operations.people.addEmployee(EmployeeID(9), name: "Cleo", team: team)
      let ada = try await Phone.enrolled(in: world)
      let ben = try await Phone.enrolled(in: world, employee: 8)

      // Monday 2 March, from 09:00 on in Warsaw: ten minutes wholly tracked.
      try await work(ada, "1", minutes: 10, tracked: true, in: world)
      // 23:50 in Warsaw, past midnight: Monday's, though most of it is Tuesday.
      world.wait(.hours(14) + .minutes(40))
      try await work(ben, "2", minutes: 90, tracked: false, in: world)
      // Tuesday, and open.
      try await ada.report(.always)
      #expect(try await ada.clockIn("in-3").isClockedIn)

      let monday = try #require(CivilDate("2026-03-02"))
      let day = try await world.operations.insight.coverage(on: monday, team: team)
      #expect(day.timeZone == "Europe/Warsaw" && day.span.length == .hours(24))
      #expect(day.employees.map(\.employee) == [EmployeeID(7), EmployeeID(8)])
      #expect(day.employees.map(\.shifts.count) == [1, 1])
      #expect(day.employees.map(\.totals.permille) == [1_000, 0])
      #expect(day.totals.tracked == .minutes(10) && day.totals.accountable == .minutes(100))
      #expect(day.totals.permille == 100)

      let tuesday = try #require(CivilDate("2026-03-03"))
      let next = try await world.operations.insight.coverage(on: tuesday, team: team)
      #expect(next.employees.map(\.employee) == [EmployeeID(7)])
      #expect(next.employees.first?.shifts.first?.isProvisional == true)
      #expect(next.totals.permille == nil)

      let quiet = try #require(CivilDate("2026-10-25"))
      let long = try await world.operations.insight.coverage(on: quiet, team: team)
      #expect(long.employees.isEmpty && long.span.length == .hours(25))
      await #expect(throws: OperationError.notFound("team 2")) {
        _ = try await world.operations.insight.coverage(on: monday, team: TeamID(2))
      }
    }
  }

  // R: W1
  @Test("shifts of one day are counted together, and those of other teams are not")
  func several() async throws {
    try await withWorld { world in
      let other = try await world.operations.people.addTeam(
        name: "Depot", timeZone: "Pacific/Apia")
      _ = try await world.operations.people.addEmployee(EmployeeID(8), name: "Ben", team: other)
      let ada = try await Phone.enrolled(in: world)
      let ben = try await Phone.enrolled(in: world, employee: 8)
      try await work(ada, "1", minutes: 3, tracked: true, in: world)
      world.wait(.hours(1))
      try await work(ben, "2", minutes: 3, tracked: true, in: world)
      try await work(ada, "3", minutes: 7, tracked: true, in: world)
      let monday = try #require(CivilDate("2026-03-02"))
      let day = try await world.operations.insight.coverage(on: monday, team: TeamID(1))
      #expect(day.employees.map(\.shifts.count) == [2])
      #expect(day.totals.accountable == .minutes(10))
      // In Samoa it is 22:00 on that Monday.
      let apia = try await world.operations.insight.coverage(on: monday, team: other)
      #expect(apia.employees.map(\.employee) == [EmployeeID(8)])
    }
  }
}

extension ClockInOutcome {
  fileprivate var isClockedIn: Bool {
    if case .clockedIn = self { true } else { false }
  }
}
