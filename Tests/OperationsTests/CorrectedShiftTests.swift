import DeviceOperations
import GuardRules
import InsightOperations
import PolicyOperations
import Postgres
import ShiftDomain
import Testing

@Suite("A correction around breaks and take-overs") struct CorrectedShiftTests {
  @Test("does not begin an open shift after its newest break or take-over")
  func outOfOrder() async throws {
    try await withWorld { world in
      let (first, second) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      try await first.beginShift()
      world.wait(.minutes(10))
      _ = try await first.startBreak("break")
      world.wait(.minutes(10))
      _ = try await first.endBreak("back")
      let late = morning + .minutes(15)
      #expect(try await world.correct(1, late, nil) == .outOfOrder)
      try await second.report(.always)
      world.wait(.minutes(10))
      _ = try await second.takeOver("mine")
      #expect(try await world.correct(1, late, nil) == .outOfOrder)
      try await world.corrected(1, morning + .minutes(5), nil)
      // Ended as well, it is as told, for nothing of it is open any more.
      try await world.corrected(1, late, morning + .minutes(25))
      let history = try await world.operations.insight.shiftDetails(
        of: ShiftID(employee: EmployeeID(7), number: 1)
      ).history
      #expect(history.breaks == [Interval(from: late, to: morning + .minutes(20))])
      #expect(history.takeOvers.map(\.device) == [2])
    }
  }

  // R: W7, W9
  @Test("leaves the device tracking that had taken over before the new start")
  func takeOverBefore() async throws {
    try await withWorld { world in
      let (first, second) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      let shift = try await first.beginShift()
      world.wait(.minutes(10))
      try await second.report(.always)
      _ = try await second.takeOver("mine")
      world.wait(.minutes(20))
      let fixes = try await second.ping(
        (11..<30).map { fix(at: morning + .minutes($0)) }, sentAt: world.now)
      #expect(fixes.allSatisfy { $0 == .stored })
      _ = try await second.clockOut("out")
      try await world.corrected(1, morning + .minutes(15), nil)
      let late = try await world.operations.insight.coverage(of: shift)
      #expect(late.segments.map(\.reason) == [.tracked])
      // Before the take-over it was the first phone, of which nothing came.
      try await world.corrected(1, morning + .minutes(5), morning + .minutes(9))
      let early = try await world.operations.insight.coverage(of: shift)
      #expect(early.segments.allSatisfy { $0.reason != .tracked })
      #expect(early.segments.reduce(0) { $0 + $1.interval.length.seconds } == 240)
    }
  }

  // R: W10
  @Test("brings no position back that the end of an open shift had sealed, and takes no new one")
  func endedTwice() async throws {
    try await withWorld { world in
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(60))
      #expect(try await phone.located(0...49).allSatisfy { $0 == .stored })
      try await world.corrected(1, nil, morning + .minutes(30))
      #expect(try await world.track() == Array(0...29))
      world.wait(.minutes(10))
      try await world.corrected(1, nil, morning + .minutes(60))
      #expect(try await world.track() == Array(0...29))
      let late = try await phone.located(50...59)
      #expect(late == Array(repeating: .refused(.noShift), count: 10))
      // The last position proves three minutes.
      #expect(try await world.segments() == ["0 tracked", "32 not_asked"])
      try await world.deleteSealed()
      #expect(try await world.storedPings == 30)
    }
  }

  // R: W3
  @Test("a manager's override counts before the employee's own, which serves where it does not do")
  func bothOverrides() async throws {
    try await withWorld { world in
      _ = try await world.operations.policies.setPolicy(
        of: TeamID(1), PolicyChanges(selfOverride: .withReason))
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.denied)
      try await world.override(.servicesOff)
      let own = try await phone.clockIn("own") { $0.overrideReason = "broken" }
      guard case .clockedIn = own else { throw Unexpected("\(own)") }
      #expect(try await world.overrides().map(\.author) == [.employee, .manager])
      #expect(try await world.overrides().map(\.usedShift) == [1, nil])
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out")
      try await phone.report(.denied)
      try await world.override(.denied)
      let given = try await phone.clockIn("given") { $0.overrideReason = "broken" }
      guard case .clockedIn = given else { throw Unexpected("\(given)") }
      #expect(try await world.overrides().map(\.usedShift) == [2, 1, nil])
      #expect(try await phone.present.override?.givenBy == "Mira")
    }
  }

  // R: W10
  @Test("in a week forgets where it began or ended if that lies outside, however it came to")
  func fixes() async throws {
    let (before, after) = (morning - .hours(1), morning + .hours(10))
    let cases: [([(Instant?, Instant?)], start: Int64, end: Int64)] = [
      ([(before, nil)], 1, 1),
      ([(morning - .seconds(30), nil)], 1, 1),
      ([(morning - .seconds(29), nil)], 0, 1),
      ([(before, nil), (nil, morning - .minutes(15))], 0, 0),
      ([(before, nil), (nil, morning - .seconds(30))], 0, 0),
      ([(before, nil), (nil, morning - .seconds(29))], 1, 0),
      ([(nil, after)], 1, 1),
      ([(nil, morning + .hours(9) - .seconds(20))], 1, 1),
      ([(nil, morning + .hours(9) - .seconds(21))], 1, 0),
      ([(nil, after), (morning + .hours(9) + .minutes(30), nil)], 0, 0),
    ]
    for (index, (spans, start, end)) in cases.enumerated() {
      try await withPhone { world, phone in
        try await phone.report(.always)
        _ = try await phone.clockIn("in") {
          $0.sentAt = world.now
          $0.fix = fix(at: world.now - .seconds(30))
        }
        world.wait(.hours(9))
        _ = try await phone.clockOut("out") {
          $0.sentAt = world.now
          $0.fix = fix(at: world.now - .seconds(20))
        }
        world.wait(.hours(2))
        #expect(try await world.count("SELECT count(start_fix_at) FROM shift") == 1)
        #expect(try await world.count("SELECT count(end_fix_at) FROM shift") == 1)
        for span in spans { try await world.corrected(1, span.0, span.1) }
        // An undo would bring both back until then.
        #expect(
          try await world.count("SELECT count(start_fix_at) + count(end_fix_at) FROM shift") == 2)
        try await world.deleteSealed()
        let starts = try await world.count("SELECT count(start_fix_at) FROM shift")
        let ends = try await world.count("SELECT count(end_fix_at) FROM shift")
        #expect(starts == start && ends == end, "case \(index)")
      }
    }
  }

  @Test("of the start alone leaves open when the shift ended, which is not known")
  func startAlone() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      guard case .noOpenShift = try await phone.clockOut("late") else { throw Unexpected("open") }
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      try await world.corrected(1, morning + .minutes(30), nil)
      #expect(try await world.operations.insight.shiftDetails(of: shift).row.needsReview)
      #expect(try await world.count("SELECT count(unconfirmed_shift) FROM guard_state") == 1)
      func clockOut(_ id: String, after minutes: Int64) async throws -> ClockActionOutcome {
        try await phone.clockOut(id) {
          $0.happened(at: morning + .minutes(minutes), sentAt: world.now)
        }
      }
      guard case .kept(let action) = try await clockOut("before", after: 30) else {
        throw Unexpected("ended before it began")
      }
      #expect(action.reason == .noOpenShift && action.review == nil)
      guard case .done = try await clockOut("then", after: 480) else {
        throw Unexpected("the employee was not heard")
      }
      #expect(try await world.shift(1).endedAt == morning + .hours(8))
      #expect(try await !world.operations.insight.shiftDetails(of: shift).row.needsReview)
    }
  }

  @Test("is refused after a hundred; the hundredth again is no other")
  func tooMany() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      func repeated(_ numbers: ClosedRange<Int32>) async throws {
        try await world.write(
          """
          INSERT INTO shift_correction (
            employee_id, shift_no, correction_no, old_started_at, new_started_at, corrected_by,
            reason)
          SELECT 7, 1, number, \(morning), \(morning), 'Mira', 'x'
          FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) AS number
          """)
      }
      try await repeated(1...99)
      let last = try await world.corrected(1, morning + .minutes(1), nil)
      #expect(last.number == 100)
      #expect(try await world.correct(1, morning + .minutes(1), nil) == .unchanged(last))
      #expect(try await world.correct(1, morning, nil) == .tooMany)
      try await repeated(32_767...32_767)
      #expect(try await world.correct(1, morning, nil) == .tooMany)
      #expect(try await world.shift(1).startedAt == morning + .minutes(1))
    }
  }
}
