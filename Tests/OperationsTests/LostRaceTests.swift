import DeviceOperations
import InsightOperations
import ManagerCore
import NotificationOperations
import NotificationQueue
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@testable import InstallationOperations
@testable import ReviewOperations

/// Requests that wait for another transaction about the same employee, and find afterwards that
/// there is nothing left for them to do.
@Suite("Requests that come second") struct LostRaceTests {
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)

  /// Makes a request `count` times at once, and all of them wait for a transaction with
  /// `statements`.
  private func waiting<Answer: Sendable>(
    for statements: [SQL], in world: OperationsWorld, count: Int = 1,
    _ request: @escaping @Sendable () async throws -> Answer
  ) async throws -> [Result<Answer, any Error>] {
    let (begun, begin) = AsyncStream<Never>.makeStream()
    async let answers = withTaskGroup(of: Result<Answer, any Error>.self) { group in
      for await _ in begun {}
      for _ in 0..<count {
        group.addTask {
          do { return .success(try await request()) } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
      try session.pipeline(statements)
      begin.finish()
      while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(count) {
        try session.execute("SELECT pg_stat_clear_snapshot()")
      }
    }
    return await answers
  }

  private func withApprovedShift(_ body: (OperationsWorld) async throws -> Void) async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(1))
      try await phone.clockOut()
      #expect(try await world.approve(world.times()).code == "approved")
      try await body(world)
    }
  }

  @Test("reopen an approved shift once, however many there are")
  func reopened() async throws {
    try await withApprovedShift { world in
      let outcomes = try await waiting(
        for: ["SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE"], in: world,
        count: 3
      ) {
        try await world.operations.reviews.reopen(
          Self.shift, reason: "again", by: world.principal)
      }.map { try $0.get() }
      #expect(outcomes.count { $0 == .notApproved } == 2)
      let entries: SQL = """
        SELECT count(*) FROM audit_entry WHERE action = \(AuditAction.timesReopened.column)
        """
      #expect(try await world.count(entries) == 1)
    }
  }

  @Test("take back the approval that they name, and none made since")
  func approvedAgain() async throws {
    try await withApprovedShift { world in
      let named = try #require(try await world.times().approval).at
      let outcomes = try await waiting(
        for: [
          "SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE",
          "UPDATE shift SET approved_at = \(named + .minutes(1)) WHERE employee_id = 7",
        ], in: world
      ) {
        try await world.operations.reviews.reopen(
          [Self.shift], approvedAt: named, reason: "again", by: world.principal)
      }
      #expect(try outcomes[0].get() == [.changed])
      #expect(try await world.times().state == .approved)
    }
  }

  // R: W21
  @Test("decide on no times whose breaks were corrected meanwhile")
  func corrected() async throws {
    try await withWorld { world in
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.hours(1))
      try await phone.startBreak("pause")
      world.wait(.minutes(30))
      try await phone.endBreak("back")
      world.wait(.hours(6))
      try await phone.clockOut("out")
      let (credential, receipt) = (phone.credential, world.receipt)
      // As a correction does.
      let move: [SQL] = [
        "SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE",
        "UPDATE shift SET times_confirmed_at = NULL WHERE employee_id = 7",
        """
        UPDATE shift_break
        SET started_at = started_at + interval '1 hour', ended_at = ended_at + interval '1 hour'
        WHERE employee_id = 7
        """,
      ]
      let first = try await world.times()
      let confirmed = try await waiting(for: move, in: world) {
        try await world.operations.device.confirmTimes(
          ofShift: 1, seen: first.revision, from: credential, receipt: receipt)
      }
      let second = try await world.times()
      #expect(second.breaks == .minutes(30) && second.confirmedAt == nil)
      #expect(try confirmed[0].get() == .changed(second))
      let objected = try await waiting(for: move, in: world) {
        try await world.operations.device.objectToTimes(
          ofShift: 1, seen: second.revision, because: "Until nine", from: credential,
          receipt: receipt)
      }
      let third = try await world.times()
      #expect(try objected[0].get() == .changed(third))
      _ = try await world.operations.device.objectToTimes(
        ofShift: 1, seen: third.revision, because: "Until nine", from: credential,
        receipt: receipt)
      let tag = try await world.operations.insight.shiftDetails(of: Self.shift).times.tag
      let accepted = try await waiting(for: move, in: world) {
        try await world.operations.reviews.acceptTimes(
          of: Self.shift, matching: [tag], by: world.principal)
      }
      #expect(try accepted[0].get() == .changedMeanwhile(Self.shift))
    }
  }

  // R: W11, W25
  @Test("leave nothing about an employee who is being erased")
  func erased() async throws {
    try await withApprovedShift { world in
      let reopening = try await waiting(for: erase(EmployeeID(7)), in: world) {
        try await world.operations.reviews.reopen(
          Self.shift, reason: "again", by: world.principal)
      }
      #expect(throws: OperationError.shiftNotFound(Self.shift)) { try reopening[0].get() }
      #expect(try await world.rows(of: 7) == [:])
    }
  }

  @Test("add no contact beyond the most that a team has")
  func contacts() async throws {
    try await withWorld { world in
      let (notifications, team) = (world.operations.notifications, TeamID(1))
      for number in 2...contactsMax {
        try await notifications.addContact("boss\(number)@example.org", to: team)
      }
      let outcomes = try await waiting(for: [holdContacts(of: team)], in: world, count: 3) {
        try await notifications.addContact(
          "other\(Int.random(in: 0...(.max)))@example.org", to: team, by: world.principal)
      }.map { try $0.get() }
      #expect(outcomes.count { $0 == .tooMany(team) } == 2)
      #expect(try await notifications.contacts(of: team).count == contactsMax)
    }
  }

  @Test("enrol no phone of an employee who is being deactivated")
  func phone() async throws {
    try await withWorld { world in
      let ada = EmployeeID(7)
      let hold: SQL = "SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE"
      let enrolling = try await waiting(for: [hold] + deactivate(ada, at: world.now), in: world) {
        try await world.operations.people.enrol(
          PhoneAppRequest(.ownTracks, on: .ios), for: ada, by: .arranger)
      }
      #expect(throws: OperationError.inactive(ada)) { try enrolling[0].get() }
    }
  }

  /// Reads a planned shift of Ada at 08:00 from a file, while `statements` take effect.
  private func planned(
    during statements: [SQL], in world: OperationsWorld
  ) async throws -> (outcome: ImportOutcome<PlannedShiftImport>, starts: [Instant]) {
    let hold: SQL = "SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE"
    let csv = Array("employee,start,end\n7,2026-11-20 08:00,2026-11-20 16:00\n".utf8)
    let outcomes = try await waiting(for: [hold] + statements, in: world) {
      try await world.operations.people.importPlannedShifts(
        csv, isTrial: false, by: world.principal)
    }
    let planned = try await world.operations.people.plannedShifts(
      of: EmployeeID(7), includingPast: true)
    return (try outcomes[0].get(), planned.map(\.span.start))
  }

  @Test("plan nothing from a file for an employee who is being deactivated")
  func importAndDeactivation() async throws {
    try await withWorld { world in
      let (outcome, starts) = try await planned(
        during: deactivate(EmployeeID(7), at: world.now), in: world)
      guard case .faulty(let faults) = outcome else { throw Unexpected("\(outcome)") }
      #expect(faults.first.map(\.detail) == ["employee 7 is inactive"])
      #expect(starts.isEmpty)
    }
  }

  // R: W1
  @Test("plan from a file by the time zone of the team that an employee is getting")
  func importAndTeam() async throws {
    try await withWorld { world in
      let south = try await world.operations.people.addTeam(name: "South", timeZone: "UTC")
      let (outcome, starts) = try await planned(
        during: ["UPDATE employee SET team_id = \(south.rawValue) WHERE employee_id = 7"],
        in: world)
      guard case .done(let done) = outcome else { throw Unexpected("\(outcome)") }
      #expect(done.added == 1)
      #expect(starts == [try #require(Instant(rfc3339: "2026-11-20T08:00:00Z"))])
    }
  }

  // R: W11
  @Test("leave no alerts on in a browser whose session is being ended, in either order")
  func browser() async throws {
    try await withWorld { world in
      let installation = world.operations.installation
      let account = try await installation.addAccount(
        email: "mira@example.org", AccountSettings(name: "Mira", role: .administrator),
        password: Password("a walk in the rain"), by: world.principal
      ).get().account
      let target = PushTarget(
        .webPush, address: "https://push.example/a", publicKey: Array(repeating: 4, count: 65),
        secret: Array(repeating: 5, count: 16), registeredAt: world.now)
      func session() async throws -> NewSession {
        try await installation.logIn(
          email: "mira@example.org", password: Password("a walk in the rain"),
          from: LoginOrigin(address: "", userAgent: "")
        ).get()
      }
      let first = try await session()
      let ending = [holdAccount(account), endSessions(of: account, only: first.session, now: nil)]
      let late = try await waiting(for: ending, in: world) {
        try await world.operations.notifications.addBrowser(
          target, named: "Firefox", of: account, in: first.session, by: first.principal)
      }
      #expect(throws: OperationError.unauthorized) { try late[0].get() }
      for endsOthers in [false, true] {
        let (own, other) = (try await session(), try await session())
        let browser = AccountBrowser(
          number: 1, session: other.session, addedAt: world.now, address: target.address,
          userAgent: "Firefox")
        let adding = [holdAccount(account), insertBrowser(browser, target, of: account)]
        let endings = try await waiting(for: adding, in: world) {
          if endsOthers {
            try await installation.endOtherSessions(
              than: own.session, of: account, by: own.principal)
          } else {
            try await installation.endSession(other.session, of: account, by: own.principal)
          }
        }
        try endings[0].get()
        #expect(try await world.operations.notifications.browsers(of: account).isEmpty)
      }
    }
  }

  // R: W25
  @Test("link no account with an employee who is being erased")
  func account() async throws {
    try await withWorld { world in
      let settings = AccountSettings(
        name: "Ada", role: .administrator, employee: EmployeeID(7))
      let adding = try await waiting(for: erase(EmployeeID(7)), in: world) {
        try await world.operations.installation.addAccount(
          email: "ada@example.org", settings, password: Password("a walk in the rain"),
          by: world.principal)
      }
      #expect(try adding[0].get() == .noSuchEmployee(EmployeeID(7)))
    }
  }
}
