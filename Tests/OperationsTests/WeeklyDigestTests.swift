import CivilTime
import GuardRules
import InsightOperations
import InstallationOperations
import NotificationOperations
import NotificationQueue
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

private let team = TeamID(1)

extension OperationsWorld {
  /// A shift of Ada without a position, in the past.
  fileprivate func addShift(_ number: Int32, from start: Instant, for span: TimeSpan) async throws {
    try await plantShift(number: number, from: start, to: start + span)
  }

  fileprivate func at(_ text: String) throws { clock.now = try #require(Instant(rfc3339: text)) }

  fileprivate func queued() async throws -> [ShiftNotification] {
    try await operations.notifications.notifications(of: nil, limit: 99).map(\.notification)
      .filter { $0.topic == .weeklyDigest }
  }

  fileprivate func stored(_ monday: String) async throws -> TeamDigest? {
    let week = try #require(Instant(rfc3339: monday + "T00:00:00Z")).milliseconds / 86_400_000
    return try await pool.read { (session) throws(PostgresError) in
      try digest(of: team, week: Int32(week), on: &session)
    }
  }
}

/// A team in Warsaw with a contact that gets the digest, and another that does not.
private func withContacts(_ body: (OperationsWorld) async throws -> Void) async throws {
  try await withWorld { world in
    _ = try await Phone.enrolled(in: world)
    let manager = world.operations.manager
    _ = try await manager.notifications.addContact(
      "boss@example.com", choices: .withDigest, to: team, by: .arranger
    ).get()
    _ = try await manager.notifications.addContact("other@example.com", to: team, by: .arranger)
      .get()
    try await body(world)
  }
}

// R: M4
@Suite("The weekly digest") struct WeeklyDigestTests {
  /// When a week's digest is due in Warsaw, with the clock change on its last day or the next.
  static let weeks: [(name: String, monday: String, due: String)] = [
    ("an ordinary week", "2026-03-02", "2026-03-09T07:00:00Z"),
    ("the clock goes forward on Sunday", "2026-03-23", "2026-03-30T06:00:00Z"),
    ("the week after", "2026-03-30", "2026-04-06T06:00:00Z"),
    ("the clock goes back on Sunday", "2026-10-19", "2026-10-26T07:00:00Z"),
  ]

  @Test("is queued from Monday 08:00 of the team's zone for two days", arguments: weeks)
  func due(_ week: (name: String, monday: String, due: String)) async throws {
    try await withContacts { world in
      let due = try #require(Instant(rfc3339: week.due))
      try await world.addShift(1, from: due - .hours(40), for: .hours(1))
      for (late, isDue) in [
        (TimeSpan.milliseconds(-1), false), (.hours(48), false), (.hours(48) - .seconds(1), true),
      ] {
        world.clock.now = due + late
        #expect(try await world.operations.background.queueDigests() == (isDue ? 1 : 0), "\(late)")
      }
      #expect(try await world.stored(week.monday)?.shifts == 1)
      #expect(try await world.operations.background.queueDigests() == 0)
      #expect(try await world.queued().map(\.ordinal) == [1])
    }
  }

  @Test("counts shifts from the first instant of Monday to the last of Sunday")
  func bounds() async throws {
    try await withContacts { world in
      // The clock goes forward on Sunday, so the week has 167 hours.
      for (number, start) in [
        "2026-03-22T22:59:59Z", "2026-03-22T23:00:00Z", "2026-03-29T21:59:59Z",
        "2026-03-29T22:00:00Z",
      ].enumerated() {
        let instant = try #require(Instant(rfc3339: start))
        try await world.addShift(Int32(number) + 1, from: instant, for: .milliseconds(500))
      }
      try world.at("2026-03-30T06:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 1)
      #expect(try await world.stored("2026-03-23")?.shifts == 2)
    }
  }

  // R: M6
  @Test("has the figures of the coverage report for the same week, and the open reviews")
  func figures() async throws {
    try await withContacts { world in
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(2))
      _ = try await phone.ping([fix(at: world.now)])
      world.wait(.hours(3))
      try await phone.clockOut("out")
      try world.at("2026-03-09T09:00:00Z")
      _ = try await phone.refused("blocked")
      let manager = world.operations.manager
      #expect(try await world.operations.background.queueDigests() == 1)
      let digest = try #require(try await world.stored("2026-03-02"))
      let report = try await manager.insight.coverageReport(
        for: world.principal, from: try #require(CivilDate("2026-03-02")),
        to: try #require(CivilDate("2026-03-08")), team: team, by: .day)
      #expect(digest.durations == report.total.durations && digest.shifts == 1)
      #expect(digest.durations.total == .hours(3) + .minutes(2))
      #expect(digest.durations[.tracked] > .zero && !digest.durations.causes.isEmpty)
      #expect(
        Int(digest.openReviews) == (try await manager.reviews.reviewCount(for: world.principal)))
      #expect(digest.openReviews == 1 && digest.name == "Field")
    }
  }

  @Test("is not sent for a week without a shift, nor to contacts that do not want it")
  func nothing() async throws {
    try await withContacts { world in
      let manager = world.operations.manager
      try world.at("2026-03-09T09:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 0)
      #expect(try await world.stored("2026-03-02")?.shifts == 0)
      try await world.addShift(1, from: world.now - .hours(24), for: .hours(1))
      // The figures of that week are settled.
      #expect(try await world.operations.background.queueDigests() == 0)
      _ = try await manager.notifications.changeContact(1, of: team, by: .arranger) {
        $0.choices = ContactChoices()
      }.get()
      try await world.addShift(2, from: world.now + .hours(24), for: .hours(1))
      try world.at("2026-03-16T09:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 0)
      #expect(try await world.stored("2026-03-09") == nil)
      #expect(try await world.queued().isEmpty)
    }
  }

  @Test("is queued once, however many instances try")
  func once() async throws {
    try await withContacts { world in
      try await world.addShift(1, from: morning, for: .hours(1))
      try world.at("2026-03-09T09:00:00Z")
      let queued = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 {
          let background = world.another().operations.background
          group.addTask { try await background.queueDigests() }
        }
        return try await group.reduce(0, +)
      }
      #expect(queued == 1)
      #expect(try await world.queued().count == 1)
    }
  }

  @Test("is dropped when the only employee of the team gets another one")
  func moved() async throws {
    try await withContacts { world in
      let manager = world.operations.manager
      let other = try await manager.people.addTeam(name: "Depot", timeZone: "Europe/Zagreb")
      try await world.addShift(1, from: morning, for: .hours(1))
      try world.at("2026-03-09T09:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 1)
      _ = try await manager.people.changeEmployee(EmployeeID(7), by: world.principal) {
        $0.name = "Ada L"
      }
      #expect(try await world.queued().count == 1)
      _ = try await manager.people.changeEmployee(EmployeeID(7), by: world.principal) {
        $0.team = other
      }
      #expect(try await world.queued().isEmpty)
    }
  }

  @Test("waits on with another employee of the team when the one leaves it or is erased")
  func passedOn() async throws {
    try await withContacts { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      let other = try await manager.people.addTeam(name: "Depot", timeZone: "Europe/Zagreb")
      for number in Int32(8)...10 {
        _ = try await world.operations.people.addEmployee(
          EmployeeID(number), name: "Ben", team: team)
      }
      try await world.addShift(1, from: morning, for: .hours(1))
      try world.at("2026-03-09T09:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 1)
      let digest = try await manager.insight.lastWeek(of: team)
      _ = try await manager.notifications.send(digest, toContact: 2, by: mira).get()
      let times = Set(try await world.queued().map(\.dueAt))
      func carriers() async throws -> [String] {
        let rows = try await world.operations.notifications.notifications(of: nil, limit: 99)
          .filter { $0.notification.topic == .weeklyDigest }
        #expect(Set(rows.map(\.notification.dueAt)) == times)
        return rows.map { "\($0.employee.rawValue) \($0.notification.ordinal)" }.sorted()
      }
      #expect(try await carriers() == ["7 -2", "7 1"])
      _ = try await manager.people.changeEmployee(EmployeeID(7), by: mira) { $0.team = other }
      #expect(try await carriers() == ["8 -2", "8 1"])
      _ = try await manager.people.erase(EmployeeID(8), endsShift: false, by: mira)
      #expect(try await carriers() == ["9 -2", "9 1"])
      _ = try await manager.people.importEmployees(
        Array("employee,name,team\n9,Ben,Depot".utf8), isTrial: false, by: mira)
      #expect(try await carriers() == ["10 -2", "10 1"])
      #expect(try await world.operations.background.queueDigests() == 0)
    }
  }

  @Test("of other teams is queued although the zone of one is unknown")
  func unknownZone() async throws {
    try await withContacts { world in
      let other = try await world.operations.people.addTeam(
        name: "Depot", timeZone: "Europe/Zagreb")
      _ = try await world.operations.notifications.addContact(
        "depot@example.com", choices: .withDigest, to: other, by: .arranger
      ).get()
      try await world.write(
        "UPDATE team SET time_zone = 'Mars/Base' WHERE team_id = \(other.rawValue)")
      try await world.addShift(1, from: morning, for: .hours(1))
      try world.at("2026-03-09T09:00:00Z")
      await #expect(throws: OperationError.self) {
        try await world.operations.background.queueDigests()
      }
      #expect(try await world.queued().count == 1)
    }
  }

  @Test("is not claimed if it cannot be queued, so that the next attempt sends it")
  func together() async throws {
    try await withContacts { world in
      try await world.addShift(1, from: morning, for: .hours(1))
      try world.at("2026-03-09T09:00:00Z")
      try await world.write(
        "ALTER TABLE notification ADD CONSTRAINT no_digest CHECK (topic <> 13) NOT VALID")
      await #expect(throws: OperationError.self) {
        try await world.operations.background.queueDigests()
      }
      #expect(try await world.stored("2026-03-02") == nil)
      try await world.write("ALTER TABLE notification DROP CONSTRAINT no_digest")
      #expect(try await world.operations.background.queueDigests() == 1)
    }
  }

  @Test("is sent before it is due to whom it is asked for, as often as it is, and when it is due")
  func copies() async throws {
    try await withContacts { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      try world.at("2026-03-09T06:00:00Z")
      let empty = try await manager.insight.lastWeek(of: team)
      let none = try await manager.notifications.send(empty, toContact: 2, by: mira)
      #expect(none == .noShift(team))
      try await world.addShift(1, from: morning, for: .hours(1))
      let digest = try await manager.insight.lastWeek(of: team)
      for _ in 0..<2 {
        _ = try await manager.notifications.send(digest, toContact: 2, by: mira).get()
      }
      #expect(
        try await manager.notifications.send(digest, toContact: nil, by: mira) == .noContact(team))
      #expect(try await world.queued().map { "\($0.subject) \($0.ordinal)" } == ["1 -2", "2 -2"])
      try world.at("2026-03-09T07:00:00Z")
      #expect(try await world.operations.background.queueDigests() == 1)
      #expect(try await world.operations.background.queueDigests() == 0)
      #expect(try await world.queued().map(\.ordinal).sorted() == [-2, -2, 1])
      let log = try await manager.installation.auditEntries(about: nil, limit: 9)
      #expect(
        log.filter { $0.action == .digestSent }.map(\.reason)
          == Array(repeating: "contact 2, by email", count: 2))
    }
  }

  @Test("deletes figures after five weeks")
  func old() async throws {
    try await withContacts { world in
      for (day, isThere) in [("2026-03-09", true), ("2026-04-13", true), ("2026-04-20", false)] {
        try world.at(day + "T09:00:00Z")
        try await world.operations.background.queueDigests()
        #expect(try await (world.stored("2026-03-02") != nil) == isThere, "\(day)")
      }
    }
  }
}
