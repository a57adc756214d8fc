import CivilTime
import InsightOperations
import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

private let ada = EmployeeID(7)
private let first = ShiftID(employee: ada, number: 1)

extension OperationsWorld {
  /// Ada worked two hours on 31 March in Warsaw, on 1 April in Tokyo, and they are approved. Then
  /// she moves to a team in Tokyo.
  fileprivate func approvedThenMoved() async throws -> (field: TeamID, tokyo: TeamID) {
    _ = try await Phone.enrolled(in: self)
    let start = try #require(Instant(rfc3339: "2026-03-31T20:30:00Z"))
    try await plantShift(number: 1, from: start, to: start + .hours(2))
    let times = try await times()
    #expect(try await approve(times).code == "approved")
    let tokyo = try await operations.people.addTeam(name: "Tokyo", timeZone: "Asia/Tokyo")
    try await move(to: tokyo)
    return (times.team, tokyo)
  }

  fileprivate func move(to team: TeamID) async throws {
    _ = try await operations.people.changeEmployee(ada, by: principal) { $0.team = team }.get()
  }

  /// `1 2026-03-31 Europe/Warsaw`: each shift with its day and time zone.
  fileprivate func places(
    _ month: String, for principal: Principal? = nil, team: TeamID? = nil
  ) async throws -> [String] {
    try await timeSheet(of: month + "-01", for: principal, team: team).lines.flatMap(\.entries)
      .map { "\($0.times.shift.number) \($0.place.date.text) \($0.place.timeZone)" }
  }

  fileprivate func coverage(_ grouping: ReportGrouping) async throws -> [ReportKey] {
    try await operations.insight.coverageReport(
      for: principal, from: try #require(CivilDate("2026-03-01")),
      to: try #require(CivilDate("2026-04-30")), by: grouping
    ).lines.map(\.key)
  }
}

// R: W23
@Suite("An approved shift") struct ApprovedPlaceTests {
  @Test("keeps its day, time zone and team until it is reopened, wherever employee and team go")
  func kept() async throws {
    try await withWorld { world in
      let (field, tokyo) = try await world.approvedThenMoved()
      _ = try await world.operations.people.changeTeam(
        field, TeamChange(timeZone: "Pacific/Auckland"), by: world.principal
      ).get()
      let place = "1 2026-03-31 Europe/Warsaw"
      #expect(try await world.places("2026-03") == [place])
      #expect(try await world.places("2026-03", team: field) == [place])
      #expect(try await world.places("2026-03", team: tokyo).isEmpty)
      #expect(try await world.places("2026-04").isEmpty)
      #expect(try await world.coverage(.day) == [.day(try #require(CivilDate("2026-03-31")))])
      #expect(try await world.coverage(.team) == [.team(field)])

      _ = try await world.operations.reviews.reopen(
        first, reason: "a mistake", by: world.principal
      ).get()
      #expect(try await world.places("2026-03").isEmpty)
      #expect(try await world.places("2026-04", team: tokyo) == ["1 2026-04-01 Asia/Tokyo"])
      #expect(try await world.coverage(.day) == [.day(try #require(CivilDate("2026-04-01")))])
      #expect(try await world.coverage(.team) == [.team(tokyo)])
    }
  }

  @Test("and a later one stand each on the sheet of its own team, and count once")
  func neighbours() async throws {
    try await withWorld { world in
      let (field, tokyo) = try await world.approvedThenMoved()
      let start = try #require(Instant(rfc3339: "2026-03-30T06:00:00Z"))
      try await world.plantShift(number: 2, from: start, to: start + .hours(1))
      let sheet = try await world.timeSheet()
      #expect(sheet.lines.map(\.entries.count) == [2] && sheet.lines[0].team == tokyo)
      #expect(sheet.totals.shifts == 2 && sheet.totals.worked == .minutes(180))
      func manager(of team: TeamID) -> Principal {
        Principal(actor: AuditActor(name: "Mate"), role: .manager, teams: [team: .coverage])
      }
      let approved = "1 2026-03-31 Europe/Warsaw"
      let later = "2 2026-03-30 Asia/Tokyo"
      #expect(try await world.places("2026-03", for: manager(of: field)) == [approved])
      #expect(try await world.places("2026-03", for: manager(of: tokyo)) == [later])
      // Those who may approve are her present managers.
      let times = try await world.times(2)
      #expect(try await world.approve(times, as: manager(of: field)) == .notFound)
      #expect(try await world.approve(times, as: manager(of: tokyo)).code == "approved")
      try await world.move(to: field)
      #expect(try await world.places("2026-03", team: field) == [approved])
      #expect(try await world.places("2026-03", team: tokyo) == [later])
    }
  }

  @Test("stays where it is when only its times are left")
  func past() async throws {
    try await withWorld { world in
      let (field, tokyo) = try await world.approvedThenMoved()
      world.wait(.hours(24 * 500))
      _ = try await world.operations.background.deleteOldData()
      let times = try await world.times()
      #expect(times.isPast && times.team == tokyo && times.fixed?.team == field)
      #expect(try await world.places("2026-03", team: field) == ["1 2026-03-31 Europe/Warsaw"])
      let reopened = try await world.operations.reviews.reopen(
        first, reason: "late", by: world.principal
      ).get()
      let place = "1 2026-04-01 Asia/Tokyo"
      #expect(try await world.places("2026-04") == [place])
      #expect(try await world.approve(reopened).code == "approved")
      try await world.move(to: field)
      #expect(try await world.places("2026-04", team: tokyo) == [place])
    }
  }

  @Test("follows its employee again when a program of the version before reopens it")
  func oldProgram() async throws {
    try await withWorld { world in
      let (_, tokyo) = try await world.approvedThenMoved()
      try await world.write(
        """
        UPDATE shift
        SET approved_at = NULL, approved_by = NULL, approved_start = NULL, approved_end = NULL
        """)
      #expect(try await world.places("2026-03").isEmpty)
      #expect(try await world.places("2026-04", team: tokyo) == ["1 2026-04-01 Asia/Tokyo"])
    }
  }
}
