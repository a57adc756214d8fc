import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import Testing

@Suite("The fix sent with a clock action") struct ClockActionFixTests {
  // R: B2, W9
  @Test("is kept with the shift, and counts for coverage from its start")
  func kept() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      let begin = world.now
      _ = try await phone.clockIn("in") {
        $0.sentAt = begin
        $0.fix = fix(at: begin - .seconds(60))
      }
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out") {
        $0.sentAt = world.now
        $0.fix = fix(at: world.now - .seconds(5))
      }
      #expect(
        try await world.count(
          """
          SELECT count(*) FROM shift
          WHERE start_fix_at = started_at - interval '60 s' AND start_latitude_e7 = 453000000
            AND end_fix_at = ended_at - interval '5 s' AND end_longitude_e7 = 137000000
          """) == 1)
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(coverage.segments.map(\.reason) == [.tracked])
    }
  }

  // R: B2
  @Test("of another time, or none at all, is no error and is not kept")
  func otherTimes() async throws {
    for (name, age) in [("old", TimeSpan.seconds(61)), ("from afterwards", .seconds(-61))] {
      try await withPhone { world, phone in
        try await phone.report(.always)
        let acted = world.now
        world.wait(.minutes(3))
        try await phone.report(.always)
        let outcome = try await phone.clockIn("in") {
          $0.happened(at: acted, sentAt: world.now)
          $0.fix = fix(at: acted - age)
        }
        guard case .clockedIn = outcome else { throw Unexpected("\(name): \(outcome)") }
        #expect(
          try await world.count("SELECT count(*) FROM shift WHERE start_fix_at IS NULL") == 1,
          "\(name)")
      }
    }
  }

  // R: B2, W9
  @Test("may be taken up to a minute after the tap, as phones do, and counts from then")
  func afterTheTap() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      let acted = world.now
      world.wait(.minutes(3))
      _ = try await phone.clockIn("in") {
        $0.happened(at: acted, sentAt: world.now)
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .always, accuracy: .full, services: .on)),
          recordedAt: acted)
        $0.fix = fix(at: acted + .seconds(3))
      }
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      let segments = try await world.operations.insight.coverage(of: shift).segments
      #expect(segments.map(\.reason).prefix(2) == [.waitingFirstFix, .tracked])
      #expect(segments.first?.interval.end == acted + .seconds(3))
    }
  }

  // R: W9
  @Test("at clock-out counts for nothing from a phone that did not track the shift")
  func otherPhone() async throws {
    try await withPhoneOnShift { world, _ in
      let other = try await Phone.enrolled(in: world)
      world.wait(.minutes(10))
      _ = try await other.clockOut("out") {
        $0.sentAt = world.now
        $0.fix = fix(at: world.now - .seconds(50))
      }
      #expect(
        try await world.count(
          "SELECT count(*) FROM shift WHERE ended_at IS NOT NULL AND end_fix_at IS NULL") == 1)
    }
  }

  // R: B2, W1
  @Test("is dated like the clock action, whatever the phone's clock says")
  func wrongClock() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      let theirs = world.now - .hours(25 * 365 * 24)
      _ = try await phone.clockIn("in") {
        $0.sentAt = theirs
        $0.fix = fix(at: theirs - .seconds(30))
      }
      #expect(
        try await world.count(
          "SELECT count(*) FROM shift WHERE start_fix_at = started_at - interval '30 s'") == 1)
      world.wait(.minutes(1))
      // Without the time of sending such a fix could be of any time.
      _ = try await phone.clockOut("out") { $0.fix = fix(at: theirs) }
      #expect(try await world.count("SELECT count(*) FROM shift WHERE end_fix_at IS NULL") == 1)
    }
  }

  // R: M2
  @Test("shows that a phone locates which cannot report permissions")
  func cannotReport() async throws {
    try await withWorld { world in
      let phone = try await Phone.enrolled(
        in: world, NewDevice(platform: .android, canReport: false))
      guard case .blocked(let decision) = try await phone.clockIn("without") else {
        throw Unexpected("nothing shows that it locates")
      }
      #expect(decision.blocking.contains(.cannotReportNoFix))
      let outcome = try await phone.clockIn("with") {
        $0.sentAt = world.now
        $0.fix = fix(at: world.now)
      }
      guard case .clockedIn = outcome else { throw Unexpected("\(outcome)") }
    }
  }

  // R: W5
  @Test("is not kept on a break")
  func onBreak() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      _ = try await phone.startBreak("pause")
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out") {
        $0.sentAt = world.now
        $0.fix = fix(at: world.now)
      }
      #expect(try await world.count("SELECT count(*) FROM shift WHERE end_fix_at IS NULL") == 1)
    }
  }

  // R: W5
  @Test("is not kept when it was taken in a break that has ended since, or before the shift")
  func takenElsewhere() async throws {
    // Seconds after the clock-in: the break is from 60 to 90.
    for (taken, isKept) in [
      (-1, false), (0, true), (59, true), (60, false), (89, false), (90, true),
    ] as [(Int64, Bool)] {
      try await withPhoneOnShift { world, phone in
        let begin = world.now
        var acted = begin + .seconds(50)
        if taken >= 59 {
          world.wait(.seconds(60))
          _ = try await phone.startBreak("pause")
          world.wait(.seconds(30))
          #expect(
            try await phone.endBreak("back") == .done(ShiftID(employee: EmployeeID(7), number: 1)))
          acted = begin + .seconds(100)
        }
        world.wait(.minutes(1))
        _ = try await phone.clockOut("out") {
          $0.happened(at: acted, sentAt: world.now)
          $0.fix = fix(at: begin + .seconds(taken))
        }
        #expect(
          try await world.count("SELECT count(end_fix_at) FROM shift WHERE ended_at IS NOT NULL")
            == (isKept ? 1 : 0), "\(taken)")
      }
    }
  }

  // R: W5, W6
  @Test("is not kept on the break in which the shift came to its limit")
  func onBreakAtLimit() async throws {
    for isWrittenDown in [true, false] {
      try await withPhone { world, phone in
        let shift = try await phone.beginShift()
        let begin = world.now
        world.wait(.hours(15))
        _ = try await phone.startBreak("pause")
        world.wait(.hours(2))
        if isWrittenDown { #expect(try await phone.clockOut("late") == .noOpenShift) }
        let told = try await phone.clockOut("out") {
          $0.happened(at: begin + .hours(15) + .minutes(30), sentAt: world.now)
          $0.fix = fix(at: begin + .hours(15) + .minutes(30))
        }
        #expect(told == .done(shift))
        #expect(try await world.count("SELECT count(end_fix_at) FROM shift") == 0)
      }
    }
  }
}
