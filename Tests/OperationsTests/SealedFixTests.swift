import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ReadModels
import ShiftDomain
import Testing

extension OperationsWorld {
  /// Minutes from the morning of the fixes that a shift's track shows.
  func track(_ shift: Int32 = 1) async throws -> [Int64] {
    let track = try await operations.insight.openTrack(
      of: ShiftID(employee: EmployeeID(7), number: shift), by: principal, purpose: "test",
      isExport: false)
    return try await operations.insight.fixes(of: track).map {
      ($0.at - morning).milliseconds / 60_000
    }
  }

  func segments(_ shift: Int32 = 1) async throws -> [String] {
    try await operations.insight.coverage(of: ShiftID(employee: EmployeeID(7), number: shift))
      .segments.map {
        "\(($0.interval.start - morning).milliseconds / 60_000) \($0.reason.code)"
      }
  }

  var storedPings: Int64 {
    get async throws { try await count("SELECT count(*) FROM ping") }
  }
}

extension Phone {
  /// One upload with a fix a minute.
  func located(_ minutes: ClosedRange<Int64>) async throws -> [PingResult] {
    try await ping(minutes.map { fix(at: morning + .minutes($0)) }, sentAt: receipt.at)
  }
}

@Suite("A record that arrives late") struct SealedFixTests {
  // R: W4, W5, W15
  @Test("a break of another phone costs only the fixes in it: 49 of 59 remain")
  func lateBreak() async throws {
    try await withWorld { world in
      let (a, b) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      let shift = try await a.beginShift()
      world.wait(.minutes(59))
      #expect(try await a.located(0...58).allSatisfy { $0 == .stored })
      let now = world.now
      #expect(
        try await b.startBreak("b1") { $0.happened(at: now - .minutes(50), sentAt: now) }
          == .done(shift))
      #expect(try await world.storedPings == 59)
      #expect(try await world.track() == Array(0...8))
      #expect(try await world.segments() == ["0 tracked", "9 on_break"])
      #expect(
        try await b.endBreak("b2") { $0.happened(at: now - .minutes(40), sentAt: now) }
          == .done(shift))
      #expect(try await world.storedPings == 49)
      #expect(try await world.track() == Array(0...8) + Array(19...58))
      #expect(try await world.segments() == ["0 tracked", "9 on_break", "19 tracked"])
      // What was acknowledged is not asked for again.
      #expect(try await a.located(20...20) == [.duplicate])
    }
  }

  // R: W4, W5
  @Test("what still arrives for a late break is stored until its end is known, then refused")
  func arrivingLate() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      let r = world.now
      _ = try await phone.startBreak("b1") { $0.happened(at: r - .minutes(10), sentAt: r) }
      world.wait(.minutes(1))
      #expect(try await phone.located(18...29).allSatisfy { $0 == .stored })
      #expect(try await phone.located(30...30) == [.refused(.onBreak)])
      #expect(try await world.track() == [18, 19])
      _ = try await phone.endBreak("b2") { $0.happened(at: r - .minutes(5), sentAt: world.now) }
      #expect(try await world.track() == [18, 19] + Array(25...29))
      #expect(try await phone.located(22...22) == [.refused(.onBreak)])
    }
  }

  // R: W4, W10
  @Test("folded coverage and coverage from all pings leave the same fixes out")
  func rolledUp() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      _ = try await phone.located(0...29)
      try await world.operations.background.rollUpPings()
      let r = world.now
      _ = try await phone.startBreak("b1") { $0.happened(at: r - .minutes(20), sentAt: r) }
      try await world.operations.background.rollUpPings()
      _ = try await phone.endBreak("b2") { $0.happened(at: r - .minutes(15), sentAt: r) }
      try await world.operations.background.rollUpPings()
      let day = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(day.segments.map(\.reason) == [.tracked, .onBreak, .tracked])
      let rolledUp = try await world.count(
        "SELECT cardinality(positions)::bigint FROM coverage_rollup WHERE positions IS NOT NULL")
      #expect(rolledUp == 4, "two runs, one before and one after the break")
    }
  }

  // R: W4, W10
  @Test("a clock-out seals what lies behind it for 7 days, and then it goes")
  func lateClockOut() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      world.wait(.minutes(30))
      let now = world.now
      _ = try await phone.located(0...29)
      #expect(
        try await phone.clockOut("out") { $0.happened(at: now - .minutes(20), sentAt: now) }
          == .done(shift))
      #expect(try await world.storedPings == 30)
      #expect(try await world.track() == Array(0...9))
      #expect(try await world.segments() == ["0 tracked"])
      world.wait(.hours(7 * 24) - .milliseconds(1))
      #expect(try await world.operations.background.purgeSealed() == 0)
      world.wait(.milliseconds(1))
      #expect(try await world.operations.background.purgeSealed() == 1)
      #expect(try await world.storedPings == 10)
      #expect(try await world.operations.background.purgeSealed() == 0)
    }
  }

  // R: W7
  @Test("a take-over seals what the other phone recorded since")
  func lateTakeOver() async throws {
    try await withWorld { world in
      let (a, b) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      try await a.beginShift()
      world.wait(.minutes(20))
      let now = world.now
      _ = try await a.located(0...19)
      _ = try await b.takeOver("b1") { $0.happened(at: now - .minutes(10), sentAt: now) }
      #expect(try await world.storedPings == 20)
      #expect(try await b.located(12...13) == [.stored, .stored])
      #expect(try await world.track() == Array(0...9) + [12, 13])
      world.wait(.hours(7 * 24))
      _ = try await world.operations.background.purgeSealed()
      #expect(try await world.storedPings == 12)
    }
  }

  // R: W6
  @Test("an end that the employee confirms deletes what lies behind it at once")
  func confirmedEnd() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      world.wait(.hours(10))
      _ = try await phone.located(0...599)
      world.wait(.hours(7))
      try await world.operations.background.processDueTime(of: EmployeeID(7))
      _ = try await world.operations.device.confirmEnd(
        ofShift: shift.number, at: morning + .hours(5), from: phone.credential,
        receipt: world.receipt)
      #expect(try await world.storedPings == 300)
    }
  }

  // R: W7, W4
  @Test("a clock action from before another phone's take-over ends nothing and is kept")
  func beforeTakeOver() async throws {
    try await withWorld { world in
      let (a, b) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      let shift = try await a.beginShift()
      world.wait(.hours(3))
      try await b.report(.always)
      _ = try await b.takeOver("b1")
      world.wait(.hours(1))
      #expect(try await b.ping([fix(at: world.now)]) == [.stored])
      let (then, now) = (morning + .hours(2), world.now)
      let outcomes = [
        try await a.clockOut("a1") { $0.happened(at: then, sentAt: now) },
        try await a.startBreak("a2") { $0.happened(at: then, sentAt: now) },
        try await a.clockOut("a1") { $0.happened(at: then, sentAt: now) },
      ]
      for outcome in outcomes {
        guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
        #expect(action.reason == .outOfOrder && action.review == nil && action.shift == shift)
      }
      let present = try await b.present
      #expect(present.shift?.number == 1 && present.isTracking)
      #expect(try await world.storedPings == 1)
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 2)
      // The one that tracks may tell of a time before its take-over, and the other of one after.
      #expect(
        try await a.clockOut("a3") { $0.happened(at: now - .minutes(10), sentAt: now) }
          == .done(shift))
    }
  }
}
