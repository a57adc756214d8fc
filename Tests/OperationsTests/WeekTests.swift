import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain
import Testing

@testable import PeopleOperations

@Suite("A team's week") struct WeekTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
  private static let team = TeamID(1)

  private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

  /// In Warsaw, such as `03-02 08:00`.
  private func at(_ text: String) throws -> Instant {
    let wall = try #require(WallTime("2026-" + text))
    return wall.instant(by: try #require(CivilTime(zone: "Europe/Warsaw")))
  }

  private func span(_ from: String, _ to: String) throws -> Interval {
    Interval(from: try at(from), to: try at(to))
  }

  @discardableResult
  private func plan(
    _ employee: Int32, _ from: String, _ to: String, sites: [Int16] = [], in world: OperationsWorld
  ) async throws -> Interval {
    let span = try span(from, to)
    _ = try await world.operations.people.planShift(
      EmployeeID(employee), span, sites: sites, by: Self.boss
    ).get()
    return span
  }

  private func spans(_ employee: Int32, in world: OperationsWorld, from text: String) async throws
    -> [Interval]
  {
    try await plannedShifts(employee, in: world, from: text).map(\.span)
  }

  private func plannedShifts(_ employee: Int32, in world: OperationsWorld, from text: String)
    async throws -> [PlannedShift]
  {
    let span = Interval(from: try at(text), to: try at("12-31 00:00"))
    return try await world.operations.people.plannedShifts(of: EmployeeID(employee), in: span)
  }

  private func copy(
    _ from: String, _ to: String, isTrial: Bool = false, in world: OperationsWorld
  ) async throws -> WeekCopy {
    try await world.operations.people.copyWeek(
      of: Self.team, from: try day(from), to: try day(to), isTrial: isTrial, by: Self.boss
    ).get()
  }

  // R: W17
  @Test("has each employee's shifts that begin in it, with attendance, and absences")
  func reading() async throws {
    try await withWorld { world in
      let people = world.operations.people
      for (number, name) in [(Int32(3), "Zoe"), (8, "Ben"), (9, "Gone")] {
        _ = try await people.addEmployee(EmployeeID(number), name: name, team: Self.team)
      }
      _ = try await people.deactivate(EmployeeID(9), by: Self.boss).get()
      world.wait(.hours(-24))
      try await plan(7, "03-01 22:00", "03-02 06:00", in: world)
      let monday = try await plan(7, "03-02 07:00", "03-02 15:00", in: world)
      let sunday = try await plan(7, "03-08 22:00", "03-09 06:00", in: world)
      try await plan(7, "03-09 08:00", "03-09 16:00", in: world)
      let night = try span("03-01 12:00", "03-02 12:00")
      _ = try await people.addAbsence(of: EmployeeID(8), night, note: nil, by: Self.boss).get()
      world.wait(.hours(24))
      let team = try await people.team(Self.team)
      let week = try await people.week(of: team, with: try day("2026-03-05"), limit: 9)
      #expect(week.days.map(\.text).first == "2026-03-02" && week.days.last?.text == "2026-03-08")
      // Whoever has left was still there on Monday morning.
      #expect(week.employees.map(\.profile.name) == ["Ada", "Ben", "Gone", "Zoe"])
      #expect(week.next == nil)
      let shifts = week.employees[0].plannedShifts
      #expect(shifts.map(\.plannedShift.span) == [monday, sunday])
      #expect(shifts.map(\.attendance) == [.noShow, nil])
      #expect(week.employees[1].absences.map(\.span) == [night])
      let later = try await people.week(of: team, with: try day("2026-03-09"), limit: 2)
      #expect(later.employees.map(\.profile.name) == ["Ada", "Zoe"])
      #expect(later.employees[0].plannedShifts.count == 1 && later.next == EmployeeID(7))
      let rest = try await people.week(
        of: team, with: try day("2026-03-09"), after: later.next, limit: 2)
      #expect(rest.employees.map(\.profile.name) == ["Ben"] && rest.next == nil)
    }
  }

  // R: W1
  @Test("is copied at the same times of day, also over the clock change, and only once")
  func copying() async throws {
    try await withWorld { world in
      try await plan(7, "03-23 08:00", "03-23 16:00", in: world)
      try await plan(7, "03-28 22:00", "03-29 06:00", in: world)
      let tried = try await copy("2026-03-29", "2026-04-05", isTrial: true, in: world)
      #expect(tried.added == 2 && tried.unchanged == 0 && tried.skipped.isEmpty && tried.isTrial)
      #expect(try await spans(7, in: world, from: "03-30 00:00").isEmpty)
      #expect(try await copy("2026-03-23", "2026-03-30", in: world).added == 2)
      let copied = try await spans(7, in: world, from: "03-30 00:00")
      #expect(
        copied == [
          try span("03-30 08:00", "03-30 16:00"), try span("04-04 22:00", "04-05 06:00"),
        ])
      // The night of the clock change is an hour shorter.
      #expect(copied[1].length == .hours(8))
      let again = try await copy("2026-03-23", "2026-03-30", in: world)
      #expect(again.added == 0 && again.unchanged == 2 && again.skipped.isEmpty)
      #expect(try await copy("2026-03-30", "2026-10-19", in: world).added == 2)
      let autumn = try await spans(7, in: world, from: "10-01 00:00")
      #expect(autumn.map(\.length) == [.hours(8), .hours(9)])
    }
  }

  @Test("is copied without what would overlap, is absent, past, or does not fit the clock")
  func skipping() async throws {
    try await withWorld { world in
      let people = world.operations.people
      _ = try await people.addEmployee(EmployeeID(8), name: "Ben", team: Self.team)
      world.wait(.hours(-30 * 24))
      for days in ["16", "17", "18", "19"] {
        try await plan(7, "02-\(days) 06:00", "02-\(days) 14:00", in: world)
      }
      try await plan(8, "02-18 06:00", "02-18 14:00", in: world)
      let other = try await plan(7, "03-04 13:59", "03-04 15:00", in: world)
      let absent = try span("03-05 13:00", "03-05 18:00")
      _ = try await people.addAbsence(of: EmployeeID(7), absent, note: nil, by: Self.boss).get()
      // Tuesday, 3 March, at nine.
      world.wait(.hours(31 * 24))
      let copied = try await copy("2026-02-16", "2026-03-08", in: world)
      #expect(copied.added == 2 && copied.unchanged == 0)
      #expect(
        copied.skipped.map(\.reason) == [.past, .overlaps(other), .absent(absent)],
        "\(copied.skipped)")
      #expect(copied.skipped.map(\.span).first == (try span("03-02 06:00", "03-02 14:00")))
      #expect(copied.skipped.allSatisfy { $0.name == "Ada" })
      #expect(try await spans(8, in: world, from: "03-01 00:00").count == 1)
      // The night has an hour more, with which the first would last 25 hours.
      try await plan(7, "10-17 03:30", "10-18 03:30", in: world)
      try await plan(8, "10-17 02:30", "10-18 02:15", in: world)
      let night = try await copy("2026-10-12", "2026-10-19", in: world)
      #expect(night.added == 1 && night.skipped.map(\.reason) == [.clockChange])
    }
  }

  // R: G2
  @Test("is copied with the sites that are left, for active employees of the team")
  func sites() async throws {
    try await withWorld { world in
      let people = world.operations.people
      let center = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
      for name in ["Depot", "Yard"] {
        _ = try await people.addSite(
          name: name, center: center, radiusMeters: 200, to: Self.team, by: Self.boss
        ).get()
      }
      _ = try await people.addEmployee(EmployeeID(8), name: "Ben", team: Self.team)
      try await plan(7, "03-03 08:00", "03-03 16:00", sites: [1, 2], in: world)
      try await plan(8, "03-03 08:00", "03-03 16:00", sites: [2], in: world)
      _ = try await people.removeSite(1, from: Self.team, by: Self.boss)
      world.wait(.hours(48))
      _ = try await people.deactivate(EmployeeID(8), by: Self.boss).get()
      #expect(try await copy("2026-03-02", "2026-03-09", in: world).added == 1)
      let found = try await plannedShifts(7, in: world, from: "03-09 00:00")
      #expect(found.map(\.sites) == [[2]] && found.map(\.createdBy) == ["Boss"])
    }
  }

  @Test("is copied once by two at the same time, and not into itself or the past")
  func together() async throws {
    try await withWorld { world in
      for day in 2...8 {
        try await plan(7, "03-0\(day) 10:00", "03-0\(day) 18:00", in: world)
      }
      async let one = copy("2026-03-02", "2026-03-09", in: world)
      async let two = copy("2026-03-02", "2026-03-09", in: world)
      let both = try await [one, two]
      #expect(both.map { $0.added + $0.unchanged } == [7, 7])
      #expect(both.map(\.added).reduce(0, +) == 7)
      #expect(try await spans(7, in: world, from: "03-09 00:00").count == 7)
      for (to, code) in [("2026-03-08", "invalid_body"), ("2026-03-01", "week_over")] {
        let refusal = await #expect(throws: Refusal.self) {
          try await copy("2026-03-02", to, in: world)
        }
        #expect(refusal?.code == code)
      }
    }
  }
}
