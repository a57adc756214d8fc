import DeviceOperations
import InstallationOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A team's pay rule") struct PayRuleTests {
  /// Worked time in seconds, and the paid minutes by each rounding, in their order.
  static let rows: [(worked: Int64, paid: [Double])] = [
    (0, [0, 0, 0, 0, 0, 0, 0]), (1, [1 / 60, 0, 0, 0, 5, 10, 15]),
    (149, [149 / 60, 0, 0, 0, 5, 10, 15]), (150, [2.5, 5, 0, 0, 5, 10, 15]),
    (300, [5, 5, 10, 0, 5, 10, 15]), (450, [7.5, 10, 10, 15, 10, 10, 15]),
    (900, [15, 15, 20, 15, 15, 20, 15]), (901, [901 / 60, 15, 20, 15, 20, 20, 30]),
    (28_850, [28_850 / 60, 480, 480, 480, 485, 490, 495]),
  ]

  @Test("rounds to the nearest step, half of one up, or in the employee's favour", arguments: rows)
  func rounds(_ row: (worked: Int64, paid: [Double])) {
    #expect(row.paid.count == PayRounding.allCases.count)
    for (rounding, minutes) in zip(PayRounding.allCases, row.paid) {
      let paid = PayRule(rounding: rounding).paid(worked: .seconds(row.worked), breaks: .hours(1))
      #expect(paid.milliseconds == Int64((minutes * 60_000).rounded()), "\(rounding)")
    }
  }

  @Test("adds breaks before it rounds, if they are paid")
  func breaks() {
    let rule = PayRule(rounding: .nearest15, paysBreaks: true)
    #expect(rule.paid(worked: .minutes(7), breaks: .seconds(30)) == .minutes(15))
    #expect(rule.paid(worked: .minutes(7), breaks: .seconds(29)) == .zero)
  }

  @Test("shows minutes that are rounded once, half of one up")
  func minutes() {
    for (milliseconds, minutes) in [
      (0, 0), (29_999, 0), (30_000, 1), (89_999, 1), (90_000, 2), (3_600_000, 60),
    ] as [(Int64, Int64)] {
      #expect(TimeSpan.milliseconds(milliseconds).nearestMinutes == minutes)
    }
  }

  /// Ada worked for 8 hours, 7 minutes and 30 seconds, with a break of half an hour in it.
  private func worked(_ world: OperationsWorld) async throws -> Phone {
    let phone = try await Phone.enrolled(in: world)
    try await phone.beginShift()
    world.wait(.hours(2))
    try await phone.startBreak("pause")
    world.wait(.minutes(30))
    try await phone.endBreak("back")
    world.wait(.hours(5) + .minutes(37) + .seconds(30))
    try await phone.clockOut("out")
    return phone
  }

  private func change(_ world: OperationsWorld, _ change: TeamChange) async throws {
    _ = try await world.operations.people.changeTeam(TeamID(1), change, by: world.principal).get()
  }

  // R: W23
  @Test("holds for shifts that are not approved; an approval fixes it until it is reopened")
  func fixed() async throws {
    try await withWorld { world in
      _ = try await worked(world)
      let seen = try await world.times()
      #expect(seen.worked == .seconds(27_450) && seen.paid == seen.worked)
      try await change(world, TeamChange(rounding: .nearest15))
      #expect(try await world.times().paid == .minutes(465))
      // What the manager saw is not what would be paid.
      #expect(try await world.approve(seen) == .changed)
      #expect(try await world.approve(world.times()).code == "approved")
      try await change(world, TeamChange(rounding: .up10, paysBreaks: true))
      var times = try await world.times()
      #expect(times.paid == .minutes(465) && times.payRule == PayRule(rounding: .nearest15))
      #expect(try await world.timeSheet().totals.paid == .minutes(465))
      world.wait(.hours(24 * 500))
      _ = try await world.operations.background.deleteOldData()
      times = try await world.times()
      #expect(times.isPast && times.paid == .minutes(465))
      let reopened = try await world.operations.reviews.reopen(
        times.shift, reason: "late", by: world.principal
      ).get()
      #expect(reopened.paid == .minutes(490) && reopened.worked == .seconds(27_450))
      #expect(try await world.times() == reopened)
      #expect(try await world.approve(reopened).code == "approved")
    }
  }

  @Test("that changes needs the employee's confirmation of the new figures")
  func confirmation() async throws {
    try await withWorld { world in
      let phone = try await worked(world)
      let seen = try await world.times()
      try await change(world, TeamChange(paysBreaks: true))
      let now = try await world.times()
      #expect(now.paid == .seconds(29_250) && now.worked == seen.worked)
      let stale = try await world.operations.device.confirmTimes(
        ofShift: 1, seen: seen.revision, from: phone.credential, receipt: world.receipt)
      #expect(stale == .changed(now))
    }
  }

  @Test("is kept with an audit entry, and only if the team is as the caller read it")
  func audited() async throws {
    try await withWorld { world in
      let people = world.operations.people
      let before = try await people.team(TeamID(1))
      try await change(world, TeamChange(rounding: .up5))
      let stale = try await people.changeTeam(
        TeamID(1), TeamChange(rounding: PayRounding.none), matching: [before.tag],
        by: world.principal)
      #expect(stale == .changedMeanwhile(try await people.team(TeamID(1))))
      world.wait(.minutes(1))
      try await change(world, TeamChange(name: "Fields"))
      #expect(try await people.team(TeamID(1)).payRule == PayRule(rounding: .up5))
      let entries = try await world.operations.manager.installation.auditEntries(
        AuditFilter(), limit: 9)
      #expect(
        entries.filter { $0.action == .teamChanged }.map(\.reason) == [
          nil, "rounding up_5, breaks unpaid",
        ])
    }
  }
}
