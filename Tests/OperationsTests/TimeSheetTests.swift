import BackgroundOperations
import CivilTime
import DeviceOperations
import GuardRules
import InstallationOperations
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

extension OperationsWorld {
  /// Of March 2026, or of the month that holds `day`.
  func timeSheet(
    of day: String = "2026-03-02", for principal: Principal? = nil, team: TeamID? = nil,
    state: TimesState? = nil
  ) async throws -> TimeSheet {
    let period = PayPeriod(of: try #require(CivilDate(day)), .standard)
    return try await operations.reviews.timeSheet(
      for: principal ?? self.principal, period, team: team, state: state)
  }

  /// The times of Ada's shift.
  func times(_ shift: Int32 = 1) async throws -> RecordedTimes {
    let entries = try await timeSheet().lines.flatMap(\.entries)
    return try #require(entries.first { $0.times.shift.number == shift }).times
  }

  @discardableResult
  func approve(_ times: RecordedTimes, as principal: Principal? = nil) async throws
    -> ApprovalOutcome
  {
    try await operations.reviews.approve(
      [SeenTimes(shift: times.shift, revision: times.revision)], by: principal ?? self.principal
    )[0]
  }
}

private let first = ShiftID(employee: EmployeeID(7), number: 1)

@Suite("A time sheet") struct TimeSheetTests {
  @Test("has a line for each shift, whose minutes add up")
  func lines() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(2) + .seconds(59))
      try await phone.startBreak("pause")
      world.wait(.minutes(30) + .seconds(30))
      try await phone.endBreak("back")
      world.wait(.hours(5))
      try await phone.clockOut("out")
      world.wait(.hours(1))
      try await phone.beginShift("again")
      let sheet = try await world.timeSheet()
      #expect(sheet.lines.map(\.employee) == [EmployeeID(7)] && sheet.lines[0].name == "Ada")
      let entries = sheet.lines[0].entries
      #expect(entries.map(\.times.shift.number) == [1, 2])
      // From 8:00:00 to 15:31:29, with a break of 30 minutes and 30 seconds.
      #expect(
        entries[0].times.breaks == .seconds(30 * 60 + 30)
          && entries[0].times.worked == .seconds(421 * 60 - 1))
      #expect(entries[0].times.state == .ready && entries[0].place.date.text == "2026-03-02")
      #expect(entries[0].permille != nil)
      #expect(entries[1].times.state == .open && entries[1].times.worked == nil)
      #expect(sheet.totals.shifts == 2 && sheet.totals.worked == .seconds(421 * 60 - 1))
      #expect(sheet.totals.breaks.nearestMinutes == 31)
      #expect(sheet.totals.worked.nearestMinutes == 421)
      #expect(sheet.totals[state: .ready] == 1 && sheet.totals[state: .open] == 1)
      #expect(try await world.timeSheet(state: .open).lines[0].entries.count == 1)
      #expect(try await world.timeSheet(of: "2026-04-01").lines.isEmpty)
    }
  }

  @Test("puts a shift on the day it began in the team's time zone, and counts real hours")
  func clockChange() async throws {
    try await withWorld { world in
      _ = try await Phone.enrolled(in: world)
      // 25 October 2026: in Warsaw the clock is set back from 3:00 to 2:00.
      let start = try #require(Instant(rfc3339: "2026-10-24T22:30:00Z"))
      try await world.plantShift(number: 1, from: start, to: start + .hours(8))
      let sheet = try await world.timeSheet(of: "2026-10-01")
      #expect(sheet.lines[0].entries.map(\.place.date.text) == ["2026-10-25"])
      #expect(sheet.totals.worked == .minutes(480))
      // The last minute of a month belongs to it, whatever UTC says.
      let late = try #require(Instant(rfc3339: "2026-10-31T22:59:00Z"))
      try await world.plantShift(number: 2, from: late, to: late + .hours(1))
      #expect(try await world.timeSheet(of: "2026-10-01").totals.shifts == 2)
      #expect(try await world.timeSheet(of: "2026-11-01").totals.shifts == 0)
    }
  }

  @Test("shows managers their own teams only, and lets them approve no others")
  func rights() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let stranger = Principal(
        actor: AuditActor(name: "Eve"), role: .manager, teams: [TeamID(99): .all])
      #expect(try await world.timeSheet(for: stranger).lines.isEmpty)
      let times = try await world.times()
      #expect(try await world.approve(times, as: stranger) == .notFound)
      let own = Principal(
        actor: AuditActor(name: "Ada", employee: EmployeeID(7)), role: .manager,
        teams: [times.team: .coverage])
      #expect(try await world.approve(times, as: own) == .own)
      #expect(try await world.times().state == .ready)
      let manager = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [times.team: .coverage])
      #expect(try await world.approve(times, as: manager).code == "approved")
      let reopened = try await world.operations.reviews.reopen(first, reason: "no", by: own)
      #expect(reopened == .own)
      await #expect(throws: OperationError.self) {
        _ = try await world.timeSheet(team: TeamID(99))
      }
    }
  }

  @Test("keeps the times and their approval when the coverage is deleted")
  func past() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      try await world.corrected(1, nil, morning + .minutes(50))
      let approved = try await world.times()
      try await world.approve(approved)
      world.wait(.hours(24 * 400))
      _ = try await world.operations.background.deleteOldData()
      #expect(try await world.count("SELECT count(*) FROM past_shift") == 1)
      var times = try await world.times()
      #expect(times.state == .approved && times.worked == .minutes(50) && times.corrections == 1)
      #expect(times.revision == approved.revision)
      times = try await world.operations.reviews.reopen(
        first, reason: "late", by: world.principal
      ).get()
      #expect(times.state == .ready && times.isPast)
      #expect(try await world.approve(times).code == "approved")
    }
  }
}

@Suite("The approval of a shift") struct ApprovalTests {
  @Test("made while the coverage is being deleted is not lost")
  func meetsRetention() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let times = try await world.times()
      let (held, hold) = AsyncStream<Never>.makeStream()
      async let deleting: Void = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        let statements = deleteCoverage(of: [first])
        // The times are copied, the shift is not deleted yet.
        try session.pipeline(Array(statements.prefix(2)))
        hold.finish()
        while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(1) {
          try session.execute("SELECT pg_stat_clear_snapshot()")
        }
        try session.pipeline(Array(statements.dropFirst(2)))
      }
      for await _ in held {}
      #expect(try await world.approve(times).code == "approved")
      try await deleting
      let kept = try await world.times()
      #expect(kept.isPast && kept.approval?.by == "Mira")
    }
  }

  @Test("locks its times until it is reopened, and both are recorded")
  func locks() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let correction = try await world.corrected(1, nil, morning + .minutes(50))
      let times = try await world.times()
      #expect(try await world.approve(times).code == "approved")
      let approval = try #require(try await world.times().approval)
      #expect(approval.by == "Mira" && approval.at == world.now)
      world.wait(.minutes(1))
      // The first approval stays.
      #expect(try await world.approve(times) == .approved(approval))
      let refused = try await world.correct(1, nil, morning + .minutes(40))
      #expect(refused == .approved(approval))
      let manager = world.operations.manager
      let undone = try await manager.reviews.undo(
        correction: correction.number, of: first, reason: "no", by: actor)
      #expect(undone == .approved(approval))
      #expect(try await world.shift(1).endedAt == morning + .minutes(50))

      let reopened = try await manager.reviews.reopen(
        first, reason: "a mistake", by: world.principal)
      #expect(try reopened.get().state == .ready)
      let again = try await manager.reviews.reopen(first, reason: "again", by: world.principal)
      #expect(again == .notApproved)
      _ = try await manager.reviews.undo(
        correction: correction.number, of: first, reason: "no", by: actor
      ).get()
      #expect(try await world.times().worked == .minutes(60))
      let entries = try await manager.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(
        entries.filter { [.timesApproved, .timesReopened].contains($0.action) }
          .map { "\($0.action.code) \($0.shift ?? 0) \($0.reason ?? "")" } == [
            "times_reopened 1 a mistake", "times_approved 1 ",
          ])
    }
  }

  @Test("is refused for an open shift, one that needs review, and times that have changed")
  func refused() async throws {
    try await withPhoneOnShift { world, _ in
      #expect(try await world.approve(world.times()) == .open)
      world.wait(.hours(17))
      _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      #expect(try await world.times().state == .inReview)
      // Sixteen hours that nobody has vouched for are not worked hours.
      #expect(try await world.timeSheet().totals.worked == .zero)
      #expect(try await world.approve(world.times()) == .inReview)
      try await world.corrected(1, nil, morning + .hours(8))
      let seen = try await world.times()
      try await world.corrected(1, nil, morning + .hours(7))
      #expect(try await world.approve(seen) == .changed)
      #expect(try await world.times().state == .ready)
      let unknown = ShiftID(employee: EmployeeID(7), number: 9)
      #expect(
        try await world.operations.reviews.approve(
          [SeenTimes(shift: unknown, revision: "x")], by: world.principal) == [.notFound])
    }
  }

  @Test("is kept by the database, too, against a program that knows nothing of it")
  func oldProgram() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      try await world.approve(world.times())
      for change in [
        "UPDATE shift SET ended_at = ended_at - interval '1 minute'",
        "UPDATE shift SET started_at = started_at - interval '1 minute'",
        "UPDATE shift SET ended_at = NULL", "UPDATE shift SET needs_review = true",
      ] as [SQL] {
        await #expect(throws: (any Error).self) { try await world.write(change) }
      }
      #expect(try await world.times().worked == .minutes(60))
    }
  }

  @Test("lets a late clock-out wait for review, which asks to reopen the shift first")
  func lateClockOut() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      _ = try await world.operations.reviews.acceptTimes(of: first, by: world.principal)
      try await world.approve(world.times())
      // Her phone was offline when she went home.
      let now = world.now
      let outcome = try await phone.clockOut("out") {
        $0.happened(at: morning + .hours(8), sentAt: now)
      }
      guard case .kept(let kept) = outcome else { throw Unexpected("\(outcome)") }
      let endConfirmed = try await world.operations.device.confirmEnd(
        ofShift: 1, at: morning + .hours(8), from: phone.credential, receipt: world.receipt
      ).0
      #expect(endConfirmed == .notAsked(first))
      #expect(try await world.times().worked == .minutes(16 * 60))
      let queue = try await world.operations.reviews.reviewQueue(for: world.principal, limit: 9)
      #expect(queue.clockActions.rows.map(\.number) == [kept.clockAction])
      var request = CorrectionRequest(
        endedAt: morning + .hours(8), reason: "was offline", clockAction: kept.clockAction)
      func correct() async throws -> CorrectionOutcome {
        try await world.operations.reviews.correct(first, request, by: actor)
      }
      guard case .approved = try await correct() else { throw Unexpected("not refused") }
      _ = try await world.operations.reviews.reopen(first, reason: "late", by: world.principal)
      request.reason = "was offline, reopened"
      guard case .corrected = try await correct() else { throw Unexpected("refused") }
      #expect(try await world.times().worked == .minutes(8 * 60))
    }
  }

  @Test("and a correction at the same time never both win")
  func race() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      for round in 1...20 {
        let minute = Int64(20 + round)
        let seen = try await world.times()
        async let approved = world.approve(seen)
        async let corrected = world.correct(1, nil, morning + .minutes(minute))
        let (approval, correction) = (try await approved, try await corrected)
        let times = try await world.times()
        if case .corrected = correction {
          #expect(times.worked == .minutes(minute))
          #expect(approval == .changed && times.approval == nil, "\(round)")
        } else {
          #expect(times.revision == seen.revision && times.approval != nil, "\(correction)")
          _ = try await world.operations.reviews.reopen(
            first, reason: "next", by: world.principal)
        }
      }
    }
  }
}

@Suite("The employee's confirmation of times") struct TimesConfirmationTests {
  @Test("is shown to managers, and withdrawn when the times change")
  func confirm() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      func confirm(_ revision: String) async throws -> TimesConfirmation {
        try await world.operations.device.confirmTimes(
          ofShift: 1, seen: revision, from: phone.credential, receipt: world.receipt)
      }
      let times = try await world.times()
      #expect(try await confirm("x") == .changed(times))
      let confirmedAt = world.now
      guard case .confirmed(let confirmed) = try await confirm(times.revision) else {
        throw Unexpected("not confirmed")
      }
      #expect(confirmed.confirmedAt == confirmedAt)
      world.wait(.minutes(1))
      #expect(try await confirm(times.revision) == .confirmed(confirmed))
      #expect(try await world.times().confirmedAt == confirmedAt)
      let correction = try await world.corrected(1, nil, morning + .minutes(50))
      #expect(try await world.times().confirmedAt == nil)
      _ = try await confirm(world.times().revision)
      #expect(try await world.times().confirmedAt == world.now)
      _ = try await world.operations.reviews.undo(
        correction: correction.number, of: first, reason: "no", by: actor
      ).get()
      #expect(try await world.times().confirmedAt == nil)
    }
  }

  @Test("is withdrawn when the employee corrects the end of a shift whose times were accepted")
  func endConfirmed() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      _ = try await world.operations.reviews.acceptTimes(of: first, by: world.principal)
      let outcome = try await world.operations.device.confirmTimes(
        ofShift: 1, seen: world.times().revision, from: phone.credential, receipt: world.receipt)
      guard case .confirmed = outcome else { throw Unexpected("\(outcome)") }
      let now = world.now
      try await phone.clockOut("out") { $0.happened(at: morning + .hours(8), sentAt: now) }
      let times = try await world.times()
      #expect(times.worked == .minutes(8 * 60) && times.confirmedAt == nil)
    }
  }

  @Test("needs an ended shift whose end is certain")
  func notFinal() async throws {
    try await withPhoneOnShift { world, phone in
      for state in [TimesState.open, .inReview] {
        let times = try await world.times()
        #expect(times.state == state)
        let outcome = try await world.operations.device.confirmTimes(
          ofShift: 1, seen: times.revision, from: phone.credential, receipt: world.receipt)
        #expect(outcome == .notFinal(times))
        world.wait(.hours(17))
        _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      }
      let unknown = try await world.operations.device.confirmTimes(
        ofShift: 9, seen: "x", from: phone.credential, receipt: world.receipt)
      #expect(unknown == .unknownShift)
    }
  }
}
