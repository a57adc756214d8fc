import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@Suite("The fix sent with a tap") struct TapFixTests {
  // R: B2, W9
  @Test("is kept with the shift, and counts for coverage from its start")
  func kept() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.report(.always)
      let begin = company.now
      _ = try await phone.clockIn("in") {
        $0.sentAt = begin
        $0.fix = fix(at: begin - .seconds(60))
      }
      company.wait(.minutes(1))
      _ = try await phone.clockOut("out") {
        $0.sentAt = company.now
        $0.fix = fix(at: company.now - .seconds(5))
      }
      #expect(
        try await company.count(
          """
          SELECT count(*) FROM shift
          WHERE start_fix_at = started_at - interval '60 s' AND start_latitude_e7 = 453000000
            AND end_fix_at = ended_at - interval '5 s' AND end_longitude_e7 = 137000000
          """) == 1)
      let coverage = try await company.operations.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(coverage.segments.map(\.reason) == [.tracked])
    }
  }

  // R: B2
  @Test("of another time, or none at all, is no error and is not kept")
  func otherTimes() async throws {
    for (name, age) in [("old", TimeSpan.seconds(61)), ("from afterwards", .seconds(-1))] {
      try await withCompany { company in
        let phone = try await Phone.enrolled(in: company)
        try await phone.report(.always)
        let tapped = company.now
        company.wait(.minutes(3))
        try await phone.report(.always)
        let outcome = try await phone.clockIn("in") {
          $0.happened(at: tapped, sentAt: company.now)
          $0.fix = fix(at: tapped - age)
        }
        guard case .clockedIn = outcome else { throw Unexpected("\(name): \(outcome)") }
        #expect(
          try await company.count("SELECT count(*) FROM shift WHERE start_fix_at IS NULL") == 1,
          "\(name)")
      }
    }
  }

  // R: B2, W1
  @Test("is dated like the tap, whatever the phone's clock says")
  func wrongClock() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.report(.always)
      let theirs = company.now - .hours(25 * 365 * 24)
      _ = try await phone.clockIn("in") {
        $0.sentAt = theirs
        $0.fix = fix(at: theirs - .seconds(30))
      }
      #expect(
        try await company.count(
          "SELECT count(*) FROM shift WHERE start_fix_at = started_at - interval '30 s'") == 1)
      company.wait(.minutes(1))
      // Without the time of sending such a fix could be of any time.
      _ = try await phone.clockOut("out") { $0.fix = fix(at: theirs) }
      #expect(try await company.count("SELECT count(*) FROM shift WHERE end_fix_at IS NULL") == 1)
    }
  }

  // R: M2
  @Test("shows that a phone locates which cannot report permissions")
  func cannotReport() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(
        in: company, NewDevice(platform: .android, canReport: false))
      guard case .blocked(let decision) = try await phone.clockIn("without") else {
        throw Unexpected("nothing shows that it locates")
      }
      #expect(decision.blocking.contains(.cannotReportNoFix))
      let outcome = try await phone.clockIn("with") {
        $0.sentAt = company.now
        $0.fix = fix(at: company.now)
      }
      guard case .clockedIn = outcome else { throw Unexpected("\(outcome)") }
    }
  }

  // R: W5
  @Test("is not kept on a break")
  func onBreak() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.minutes(1))
      _ = try await phone.startBreak("pause")
      company.wait(.minutes(1))
      _ = try await phone.clockOut("out") {
        $0.sentAt = company.now
        $0.fix = fix(at: company.now)
      }
      #expect(try await company.count("SELECT count(*) FROM shift WHERE end_fix_at IS NULL") == 1)
    }
  }

  // R: W5
  @Test("is not kept when it was taken in a break that has ended since, or before the shift")
  func takenElsewhere() async throws {
    // Seconds after the clock-in: the break is from 60 to 90.
    for (taken, isKept) in [
      (-1, false), (0, true), (59, true), (60, false), (89, false), (90, true),
    ] as [(Int64, Bool)] {
      try await withCompany { company in
        let phone = try await Phone.enrolled(in: company)
        try await phone.beginShift()
        let begin = company.now
        var tapped = begin + .seconds(50)
        if taken >= 59 {
          company.wait(.seconds(60))
          _ = try await phone.startBreak("pause")
          company.wait(.seconds(30))
          #expect(
            try await phone.endBreak("back") == .done(ShiftID(employee: EmployeeID(7), number: 1)))
          tapped = begin + .seconds(100)
        }
        company.wait(.minutes(1))
        _ = try await phone.clockOut("out") {
          $0.happened(at: tapped, sentAt: company.now)
          $0.fix = fix(at: begin + .seconds(taken))
        }
        #expect(
          try await company.count("SELECT count(end_fix_at) FROM shift WHERE ended_at IS NOT NULL")
            == (isKept ? 1 : 0), "\(taken)")
      }
    }
  }

  // R: W5, W6
  @Test("is not kept on the break in which the shift came to its limit")
  func onBreakAtLimit() async throws {
    for isWrittenDown in [true, false] {
      try await withCompany { company in
        let phone = try await Phone.enrolled(in: company)
        let shift = try await phone.beginShift()
        let begin = company.now
        company.wait(.hours(15))
        _ = try await phone.startBreak("pause")
        company.wait(.hours(2))
        if isWrittenDown { #expect(try await phone.clockOut("late") == .noOpenShift) }
        let told = try await phone.clockOut("out") {
          $0.happened(at: begin + .hours(15) + .minutes(30), sentAt: company.now)
          $0.fix = fix(at: begin + .hours(15) + .minutes(30))
        }
        #expect(told == .done(shift))
        #expect(try await company.count("SELECT count(end_fix_at) FROM shift") == 0)
      }
    }
  }
}
