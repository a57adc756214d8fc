import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing

extension OperationsWorld {
  func correct(_ shift: Int32, _ start: Instant?, _ end: Instant?, reason: String = "forgot")
    async throws -> CorrectionOutcome
  {
    try await operations.reviews.correct(
      ShiftID(employee: EmployeeID(7), number: shift),
      CorrectionRequest(startedAt: start, endedAt: end, reason: reason), by: actor)
  }

  /// The correction that comes of it; fails when none does.
  @discardableResult
  func corrected(_ shift: Int32, _ start: Instant?, _ end: Instant?) async throws -> CorrectionRow {
    let outcome = try await correct(shift, start, end)
    guard case .corrected(let row) = outcome else { throw Unexpected("\(outcome)") }
    return row
  }

  /// A week later, when what was sealed by now is deleted.
  func deleteSealed() async throws {
    wait(.hours(7 * 24))
    _ = try await operations.background.purgeSealed()
  }

  func shift(_ number: Int32) async throws -> ShiftRow {
    try await operations.insight.shift(ShiftID(employee: EmployeeID(7), number: number))
  }

  /// Ada's phone tracks from 8:00 to 9:00, a fix a minute, and clocks out; then it is 9:00.
  func workAnHour() async throws -> Phone {
    let phone = try await Phone.enrolled(in: self)
    try await phone.report(.always)
    guard case .clockedIn = try await phone.clockIn("in") else { throw Unexpected("refused") }
    wait(.hours(1))
    let results = try await phone.ping(
      (0..<60).map { fix(at: morning + .minutes($0)) }, sentAt: now)
    guard results.allSatisfy({ $0 == .stored }) else { throw Unexpected("\(results)") }
    _ = try await phone.clockOut("out")
    return phone
  }
}

@Suite("A manager's correction") struct CorrectionTests {
  // R: W10
  @Test("keeps the original, seals what lies outside, notifies the employee")
  func narrows() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let row = try await world.corrected(1, morning + .minutes(10), morning + .minutes(50))
      #expect(row.number == 1 && row.old == ShiftSpan(from: morning, to: world.now))
      let shift = try await world.shift(1)
      #expect(shift.startedAt == morning + .minutes(10) && shift.endedAt == morning + .minutes(50))
      let details = try await world.operations.insight.shiftDetails(of: shift.shift)
      #expect(details.history.original == row.old && details.history.corrections == [row])
      #expect(details.row.ending == .manager && !details.row.needsReview)
      #expect(try await world.track() == Array(10...49))
      #expect(try await world.storedPings == 60)
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(notifications.map(\.notification.topic) == [.shiftCorrected])
      #expect(
        notifications.map(\.notification.subject) == [1]
          && notifications.map(\.notification.ordinal) == [1])

      // A second one: the original is still the first, and only an undo would bring back what that
      // took.
      try await world.corrected(1, morning, morning + .minutes(55))
      let again = try await world.operations.insight.shiftDetails(of: shift.shift).history
      #expect(again.original == row.old && again.corrections.map(\.number) == [1, 2])
      #expect(try await world.track() == Array(10...49))
      #expect(try await world.count("SELECT count(*) FROM notification") == 2)

      // A week after it was sealed, the rest goes, and nothing brings it back.
      try await world.deleteSealed()
      #expect(try await world.storedPings == 40)
      try await world.corrected(1, nil, morning + .minutes(60))
      #expect(try await world.track() == Array(10...49))
    }
  }

  // R: W9, W10
  @Test("computes coverage again from what is left")
  func recomputes() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      let before = try await world.operations.insight.coverage(of: shift)
      #expect(before.segments.map(\.reason) == [.tracked])
      try await world.corrected(1, morning + .minutes(10), morning + .minutes(50))
      let narrow = try await world.operations.insight.coverage(of: shift)
      #expect(
        narrow.segments.map { "\($0.reason.code) \($0.interval.length.seconds)" } == [
          "tracked 2400"
        ])
      try await world.deleteSealed()
      try await world.corrected(1, morning, morning + .minutes(60))
      let wide = try await world.operations.insight.coverage(of: shift)
      #expect(wide.segments.reduce(0) { $0 + $1.interval.length.seconds } == 3_600)
      // What a correction adds again without its fixes is charged to nobody.
      #expect(
        wide.segments.map { "\($0.reason.code) \($0.interval.length.seconds)" } == [
          "not_asked 600", "tracked 2520", "not_asked 480",
        ])
    }
  }

  // R: W10
  @Test("clips breaks, drops those outside, and in a week forgets where the shift began and ended")
  func clips() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      for (number, start, end) in [(1, 2, 5), (2, 8, 20), (3, 30, 40), (4, 45, 58)] {
        let span = (morning + .minutes(Int64(start)), morning + .minutes(Int64(end)))
        try await world.write(
          """
          INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
          VALUES (7, 1, \(Int16(number)), \(span.0), \(span.1))
          """)
      }
      try await world.write(
        """
        UPDATE shift SET start_fix_at = started_at, start_latitude_e7 = 1, start_longitude_e7 = 1,
          end_fix_at = ended_at, end_latitude_e7 = 1, end_longitude_e7 = 1
        """)
      try await world.corrected(1, morning + .minutes(10), nil)
      #expect(try await world.count("SELECT count(start_fix_at) FROM shift") == 1)
      try await world.deleteSealed()
      #expect(try await world.count("SELECT count(start_fix_at) FROM shift") == 0)
      #expect(try await world.count("SELECT count(end_fix_at) FROM shift") == 1)
      try await world.corrected(1, nil, morning + .minutes(50))
      try await world.deleteSealed()
      #expect(try await world.count("SELECT count(end_fix_at) FROM shift") == 0)
      let history = try await world.operations.insight.shiftDetails(
        of: ShiftID(employee: EmployeeID(7), number: 1)
      ).history
      let minutes = history.breaks.map { ($0.start - morning).seconds / 60 }
      let lengths = history.breaks.map { $0.length.seconds / 60 }
      #expect(minutes == [10, 30, 45] && lengths == [10, 10, 5])
    }
  }

  // R: W10
  @Test("ends an open shift: its phone is to stop, its incidents end with it")
  func endsOpen() async throws {
    try await withPhone { world, phone in
      try await phone.report(.whenInUse)
      _ = try await phone.clockIn("in")
      world.wait(.minutes(30))
      _ = try await phone.ping([fix(at: morning), fix(at: morning + .minutes(25))])
      try await world.corrected(1, nil, morning + .minutes(20))
      let shift = try await world.shift(1)
      #expect(shift.endedAt == morning + .minutes(20))
      #expect(
        try await world.operations.insight.shiftDetails(of: shift.shift).row.ending == .manager)
      #expect(try await world.track() == [0])
      try await world.deleteSealed()
      #expect(try await world.storedPings == 1)
      let present = try await world.operations.device.snapshot(for: phone.credential)
      #expect(present.shift == nil && !present.isTracking && present.incidents.isEmpty)
      guard case .noOpenShift = try await phone.clockOut("out") else { throw Unexpected("open") }
    }
  }

  @Test("moves an open shift's start, and both ends of one that was elsewhen")
  func movesOpen() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      try await world.corrected(1, morning - .minutes(30), nil)
      let open = try await world.operations.device.snapshot(for: phone.credential)
      #expect(open.shift?.startedAt == morning - .minutes(30) && open.isTracking)
      #expect(
        try await world.operations.insight.shiftDetails(
          of: ShiftID(employee: EmployeeID(7), number: 1)
        ).history.original == ShiftSpan(from: morning, to: nil))
      // The same phone goes on: what it sends lies in the shift.
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      try await world.corrected(1, morning - .hours(10), morning - .hours(2))
      let ended = try await world.shift(1)
      #expect(ended.startedAt == morning - .hours(10) && ended.endedAt == morning - .hours(2))
      #expect(try await world.operations.device.snapshot(for: phone.credential).shift == nil)
      #expect(try await world.track() == [])
      try await world.deleteSealed()
      #expect(try await world.storedPings == 0)
      #expect(
        try await world.correct(1, morning - .hours(20), nil)
          == .corrected(
            try await world.operations.insight.shiftDetails(of: ended.shift).history.corrections[2])
      )
    }
  }

  @Test("of a shift without a clock-out ends the question and the review, also before the limit")
  func limit() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      // The next tap finds that the limit has passed.
      guard case .noOpenShift = try await phone.clockOut("late") else { throw Unexpected("open") }
      let shift = try await world.shift(1)
      #expect(shift.endedAt == morning + .hours(16))
      #expect(try await world.operations.insight.shiftDetails(of: shift.shift).row.needsReview)
      try await world.corrected(1, nil, morning + .hours(8))
      let details = try await world.operations.insight.shiftDetails(of: shift.shift)
      #expect(!details.row.needsReview && details.row.ending == .manager)
      #expect(details.history.original == ShiftSpan(from: morning, to: morning + .hours(16)))
      #expect(
        try await world.count("SELECT count(unconfirmed_shift) FROM guard_state") == 0)
      // The employee's word comes too late to change it.
      guard case .noOpenShift = try await phone.clockOut("later") else { throw Unexpected("open") }
      #expect(try await world.shift(1).endedAt == morning + .hours(8))
    }
  }

  @Test("of an open shift past its limit, which nobody noticed yet, is what the manager says")
  func pastLimit() async throws {
    try await withPhoneOnShift { world, _ in
      world.wait(.hours(20))
      #expect(try await world.correct(1, morning + .minutes(5), nil) == .impossible(.tooLong))
      try await world.corrected(1, nil, morning + .hours(18))
      #expect(try await world.shift(1).endedAt == morning + .hours(18))
      #expect(try await world.count("SELECT count(unconfirmed_shift) FROM guard_state") == 0)
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(notifications.map(\.notification.topic) == [.shiftCorrected])
    }
  }

  // R: W10
  @Test("is refused when it swallows or touches another shift, and says which")
  func overlaps() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      world.wait(.hours(1))
      try await phone.report(.always)
      guard case .clockedIn(let second, _) = try await phone.clockIn("again") else {
        throw Unexpected("refused")
      }
      world.wait(.hours(1))
      _ = try await phone.clockOut("out again")
      world.wait(.hours(1))
      let begin = morning + .hours(2)
      for (start, end) in [
        (morning, begin + .hours(2)), (morning, begin + .milliseconds(1)),
        (begin + .minutes(10), begin + .minutes(20)), (begin - .minutes(1), begin + .minutes(1)),
      ] {
        #expect(try await world.correct(1, start, end) == .overlaps(second))
      }
      // End to end is no overlap.
      try await world.corrected(1, nil, begin)
      #expect(try await world.count("SELECT count(*) FROM shift_correction") == 1)
    }
  }

  @Test("that is impossible, blank or for no shift changes nothing; the same again is one")
  func refusals() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      #expect(try await world.correct(1, morning, nil) == .impossible(.unchanged))
      #expect(try await world.correct(1, nil, morning) == .impossible(.endsBeforeStart))
      #expect(
        try await world.correct(1, nil, world.now + .milliseconds(1)) == .impossible(.inFuture))
      #expect(
        try await world.correct(1, morning - .hours(24), nil) == .impossible(.tooLong))
      for reason in ["", " ", String(repeating: "r", count: 501)] {
        await #expect(throws: OperationError.self) {
          _ = try await world.correct(1, morning + .minutes(1), nil, reason: reason)
        }
      }
      await #expect(throws: OperationError.self) { _ = try await world.correct(1, nil, nil) }
      for number in [Int32(0), 2, -1] {
        await #expect(throws: OperationError.notFound("shift \(number) of employee 7")) {
          _ = try await world.correct(number, morning + .minutes(1), nil)
        }
      }
      #expect(try await world.count("SELECT count(*) FROM shift_correction") == 0)
      let row = try await world.corrected(1, morning + .minutes(1), nil)
      #expect(try await world.correct(1, morning + .minutes(1), nil) == .unchanged(row))
      #expect(
        try await world.correct(1, morning + .minutes(1), nil, reason: "other")
          == .impossible(.unchanged))
      #expect(try await world.count("SELECT count(*) FROM notification") == 1)
    }
  }

  @Test("crossing clock-out and pings leaves one truth")
  func crossing() async throws {
    for _ in 0..<4 {
      try await withPhoneOnShift { world, phone in
        world.wait(.minutes(30))
        async let correction = world.correct(1, nil, morning + .minutes(20))
        async let clockAction = phone.clockOut("out")
        async let pings = phone.ping(
          (0..<30).map { fix(at: morning + .minutes($0)) }, sentAt: world.now)
        let (outcome, _, _) = try await (correction, clockAction, pings)
        guard case .corrected = outcome else { throw Unexpected("\(outcome)") }
        #expect(try await world.shift(1).endedAt == morning + .minutes(20))
        // What came before it is sealed, and what came after it was refused.
        #expect(try await world.track().allSatisfy { $0 < 20 })
        try await world.deleteSealed()
        let outside = try await world.count(
          "SELECT count(*) FROM ping WHERE effective_at >= \(morning + .minutes(20))")
        #expect(outside == 0)
      }
    }
  }
}
