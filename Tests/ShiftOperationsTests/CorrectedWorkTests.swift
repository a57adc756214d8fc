import GuardRules
import ShiftDomain
import ShiftOperations
import Testing

@Suite("A correction around breaks and take-overs") struct CorrectedWorkTests {
  @Test("does not begin an open shift after its newest break or take-over")
  func outOfOrder() async throws {
    try await withCompany { company in
      let (first, second) = (
        try await Phone.enrolled(in: company), try await Phone.enrolled(in: company)
      )
      try await first.beginShift()
      company.wait(.minutes(10))
      _ = try await first.startBreak("break")
      company.wait(.minutes(10))
      _ = try await first.endBreak("back")
      let late = morning + .minutes(15)
      #expect(try await company.correct(1, late, nil) == .outOfOrder)
      try await second.report(.always)
      company.wait(.minutes(10))
      _ = try await second.takeOver("mine")
      #expect(try await company.correct(1, late, nil) == .outOfOrder)
      try await company.corrected(1, morning + .minutes(5), nil)
      // Ended as well, it is as told, for nothing of it is open any more.
      try await company.corrected(1, late, morning + .minutes(25))
      let history = try await company.operations.story(
        of: ShiftID(employee: EmployeeID(7), number: 1)
      ).history
      #expect(history.breaks == [Interval(from: late, to: morning + .minutes(20))])
      #expect(history.takeOvers.map(\.device) == [2])
    }
  }

  // R: W7, W9
  @Test("leaves the device tracking that had taken over before the new start")
  func takeOverBefore() async throws {
    try await withCompany { company in
      let (first, second) = (
        try await Phone.enrolled(in: company), try await Phone.enrolled(in: company)
      )
      let shift = try await first.beginShift()
      company.wait(.minutes(10))
      try await second.report(.always)
      _ = try await second.takeOver("mine")
      company.wait(.minutes(20))
      let fixes = try await second.ping(
        (11..<30).map { fix(at: morning + .minutes($0)) }, sentAt: company.now)
      #expect(fixes.allSatisfy { $0 == .stored })
      _ = try await second.clockOut("out")
      try await company.corrected(1, morning + .minutes(15), nil)
      let late = try await company.operations.coverage(of: shift)
      #expect(late.segments.map(\.reason) == [.tracked])
      // Before the take-over it was the first phone, of which nothing came.
      try await company.corrected(1, morning + .minutes(5), morning + .minutes(9))
      let early = try await company.operations.coverage(of: shift)
      #expect(early.segments.allSatisfy { $0.reason != .tracked })
      #expect(early.segments.reduce(0) { $0 + $1.interval.length.seconds } == 240)
    }
  }

  // R: W3
  @Test("a manager's override counts before the employee's own, which serves where it does not do")
  func bothOverrides() async throws {
    try await withCompany { company in
      _ = try await company.operations.setPolicy(
        of: TeamID(1), PolicyChanges(selfOverride: .withReason))
      let phone = try await Phone.enrolled(in: company)
      try await phone.report(.denied)
      try await company.override(.servicesOff)
      let own = try await phone.clockIn("own") { $0.overrideReason = "broken" }
      guard case .clockedIn = own else { throw Unexpected("\(own)") }
      #expect(try await company.overrides().map(\.author) == [.employee, .manager])
      #expect(try await company.overrides().map(\.usedShift) == [1, nil])
      company.wait(.minutes(1))
      _ = try await phone.clockOut("out")
      try await phone.report(.denied)
      try await company.override(.denied)
      let given = try await phone.clockIn("given") { $0.overrideReason = "broken" }
      guard case .clockedIn = given else { throw Unexpected("\(given)") }
      #expect(try await company.overrides().map(\.usedShift) == [2, 1, nil])
      #expect(try await phone.present.override?.by == "Mira")
    }
  }
}
