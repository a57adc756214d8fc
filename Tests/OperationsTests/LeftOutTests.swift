import CivilTime
import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import ManagerOperations
import NotificationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

/// The day on which tests begin.
private var day: CivilDate { get throws { try #require(CivilDate("2026-03-02")) } }

/// A list or a figure of all teams, as text.
struct CompanyReading: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let read: @Sendable (TestOperations, Principal) async throws -> String

  init<Value>(
    _ name: String, _ read: @escaping @Sendable (TestOperations, Principal) async throws -> Value
  ) {
    testDescription = name
    self.read = { "\(try await read($0, $1))" }
  }

  static let all: [CompanyReading] = [
    CompanyReading("teams") { operations, _ in try await operations.people.teams() },
    CompanyReading("employees") { operations, _ in try await operations.people.employees(limit: 99)
    },
    CompanyReading("active employees") { operations, _ in
      try await operations.people.employees(team: nil, isActive: true)
    },
    CompanyReading("board") { try await $0.insight.board(for: $1) },
    CompanyReading("marks of the board") { operations, _ in
      try await operations.insight.boardMarks()
    },
    CompanyReading("coverage by team") {
      try await $0.insight.coverageReport(for: $1, from: try day, to: try day, by: .team)
    },
    CompanyReading("coverage by employee") {
      try await $0.insight.coverageReport(for: $1, from: try day, to: try day, by: .employee).lines
    },
    CompanyReading("time sheet") { operations, mira in
      let period = PayPeriod(from: try day, to: try day)
      return try await operations.reviews.timeSheet(for: mira, period)
    },
    CompanyReading("map") { operations, mira in
      try await operations.insight.openMap(of: nil, by: mira, purpose: "x").employees
    },
    CompanyReading("review queue") { try await $0.reviews.reviewQueue(for: $1, limit: 9) },
    CompanyReading("number of reviews") { try await $0.reviews.reviewCount(for: $1) },
    CompanyReading("clock actions") {
      try await $0.reviews.clockActions(of: nil, for: $1, awaitingOnly: false, limit: 99)
    },
    CompanyReading("clock actions of an operator") { operations, _ in
      try await operations.reviews.clockActions(of: nil, awaitingOnly: false, limit: 99)
    },
    CompanyReading("shifts") {
      try await $0.insight.shiftPage(ListFilter(in: $1.scope(.coverage)), limit: 99)
    },
    CompanyReading("incidents") {
      try await $0.insight.incidentPage(ListFilter(in: $1.scope(.coverage)), limit: 99)
    },
    CompanyReading("overrides") { operations, _ in
      try await operations.reviews.overrides(of: nil, limit: 99)
    },
    CompanyReading("quarantine") { operations, _ in
      (
        try await operations.installation.quarantinePage(QuarantineFilter(), limit: 99).rows,
        try await operations.installation.quarantineCounts()
      )
    },
    CompanyReading("phones") { operations, _ in try await operations.people.devices(of: nil) },
    CompanyReading("pending notifications") { operations, _ in
      try await operations.notifications.notifications(of: nil, limit: 99)
    },
    CompanyReading("finished notifications") { operations, _ in
      try await operations.notifications.finishedNotifications(of: nil, deadOnly: false, limit: 99)
    },
    CompanyReading("detection times") { try await $0.insight.detectionStatistics(for: $1) },
    CompanyReading("restorations") { try await $0.insight.guardStatistics(for: $1).restoration },
    CompanyReading("resumptions") { try await $0.insight.guardStatistics(for: $1).resumption },
    CompanyReading("indicators in time") {
      try await $0.insight.guardStatistics(for: $1).apps.indicatorInTime
    },
    CompanyReading("grants") { try await $0.insight.guardStatistics(for: $1).apps.grantedAtFirst },
    CompanyReading("grants of Always") {
      try await $0.insight.guardStatistics(for: $1).apps.alwaysGranted
    },
    CompanyReading("refusals shown") {
      try await $0.insight.guardStatistics(for: $1).apps.refusalsShown
    },
    CompanyReading("counts of the installation") { operations, _ in
      var counts = try await operations.installation.status().counts
      // What waits in the outbox is delivered, for whomever it is.
      counts?.notifications = 0
      counts?.oldestNotificationAt = nil
      return counts
    },
    CompanyReading("teams with a digest") { operations, _ in
      try await operations.background.queueDigests()
    },
  ]
}

extension OperationsWorld {
  /// A working day with everything that a list or a figure shows, at hours of the same day.
  fileprivate func work(_ employee: EmployeeID, in team: TeamID) async throws {
    let (manager, background) = (operations.manager, operations.background)
    clock.now = morning + .hours(1)
    let phone = try await Phone.enrolled(in: self, employee: employee.rawValue)
    try await phone.report(.denied)
    try await phone.tell(.permissionInsufficient, .explanationShown)
    wait(.minutes(1))
    _ = try await phone.clockIn("refused")
    try await phone.beginShift("in")
    try await phone.tell(.dialogAnswered)
    wait(.minutes(1))
    try await phone.report(.denied)
    wait(.minutes(1))
    try await phone.report(.always)
    _ = try await phone.ping([fix(at: now)])
    _ = try await background.decideDeliveries(employee)
    wait(.minutes(1))
    try await phone.report(.whenInUse)
    _ = try await manager.reviews.giveOverride(
      to: employee, [.init(.denied)], reason: "x", by: principal
    ).get()
    // Over a day old, so that a manager decides.
    _ = try await phone.clockIn("old") { $0.happened(at: now - .hours(25), sentAt: now) }
    try await write(
      """
      INSERT INTO quarantined_message (
        employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count)
      VALUES (\(employee.rawValue), \(phone.device.number), \(now), 0,
        \([UInt8](repeating: 0, count: 32)), 'x', 1)
      """)
    _ = try await manager.notifications.addContact(
      "a@example.com", choices: .withDigest, to: team, by: principal)
    clock.now = morning + .hours(8)
  }

  fileprivate func reading(_ reading: CompanyReading) async throws -> String {
    // The digest of this week is queued on the next Monday.
    let isDigest = reading.testDescription == "teams with a digest"
    clock.now = morning + .hours(isDigest ? 7 * 24 : 8)
    return try await reading.read(operations, principal)
  }
}

extension TestPhone {
  /// Tells these events, a second apart until now.
  fileprivate func tell(_ kinds: AppEventKind...) async throws {
    let start = receipt.at - .seconds(Int64(kinds.count))
    _ = try await tell(
      kinds.enumerated().map { place, kind in
        IncomingAppEvent(
          kind, in: "s", recordedAt: start + .seconds(Int64(place)),
          authorization: kind == .dialogAnswered ? .always : nil)
      })
  }
}

/// Every list and figure of all teams is read before and after a whole rehearsal. The same day of
/// another employee changes each of them, so none is compared with itself.
@Suite("A practice employee") struct LeftOutTests {
  // R: A20, M6
  @Test("is left out of it", arguments: CompanyReading.all)
  func leftOut(_ reading: CompanyReading) async throws {
    try await withWorld { world in
      let before = try await world.reading(reading)
      let practice = try await world.operations.policies.beginRehearsal(by: world.principal).get()
        .employee
      try await world.work(practice.employee, in: practice.team)
      #expect(try await world.reading(reading) == before)
    }
    try await withWorld { world in
      let before = try await world.reading(reading)
      let team = try await world.operations.people.addTeam(name: "Other", timeZone: "UTC")
      let eve = try await world.operations.people.addEmployee(nil, name: "Eve", team: team)
      try await world.work(eve, in: team)
      #expect(try await world.reading(reading) != before)
    }
  }

  @Test("is shown where their number, or that of their team, is asked for")
  func asked() async throws {
    try await withWorld { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      let row = try await manager.policies.beginRehearsal(by: mira).get().employee
      try await world.work(row.employee, in: row.team)
      let (one, team) = (row.employee, row.team)
      #expect(try await manager.people.devices(of: one).count == 1)
      #expect(try await manager.reviews.overrides(of: one, limit: 9).count == 1)
      #expect(try await manager.notifications.notifications(of: one, limit: 9).isEmpty == false)
      #expect(
        try await manager.notifications.finishedNotifications(of: one, deadOnly: false, limit: 9)
          .count > 0)
      #expect(
        try await manager.reviews.clockActions(of: one, for: mira, awaitingOnly: false, limit: 9)
          .count == 3
      )
      var filter = ListFilter(in: mira.scope(.coverage))
      filter.employee = one
      #expect(try await manager.insight.shiftPage(filter, limit: 9).rows.count == 1)
      #expect(try await manager.insight.incidentPage(filter, limit: 9).rows.count == 2)
      let report = try await manager.insight.coverageReport(
        for: mira, from: try day, to: try day, employee: one, by: .employee)
      #expect(report.lines.map(\.key) == [.employee(one)])
      #expect(
        try await manager.insight.board(for: mira, team: team).lines.map(\.record.employee) == [one]
      )
      #expect(try await manager.people.employees(of: team, limit: 9).map(\.employee) == [one])
      #expect(try await manager.people.team(team).employees == 1)
    }
  }
}
