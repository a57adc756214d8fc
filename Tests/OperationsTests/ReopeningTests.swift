import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

private let ada = EmployeeID(7)
private let ben = EmployeeID(8)

@Suite("An approval of many shifts") struct ReopeningTests {
  /// Two shifts of Ada and one of Ben, approved by one request.
  private func approved(_ world: OperationsWorld) async throws -> ShiftApproval {
    _ = try await Phone.enrolled(in: world)
    _ = try await world.operations.people.addEmployee(ben, name: "Ben", team: TeamID(1))
    _ = try await Phone.enrolled(in: world, employee: 8)
    world.wait(.hours(48))
    for number in Int32(1)...2 {
      try await world.plantShift(
        number: number, from: morning + .hours(Int64(number) * 10),
        to: morning + .hours(Int64(number) * 10 + 8))
    }
    try await world.plantShift(of: ben, number: 1, from: morning, to: morning + .hours(7))
    let seen = try await all(world).map { SeenTimes(shift: $0.shift, revision: $0.revision) }
    let outcomes = try await world.operations.reviews.approve(seen, by: world.principal)
    let approvals = Set(outcomes.compactMap(\.approval))
    #expect(seen.count == 3 && approvals.count == 1)
    return try #require(approvals.first)
  }

  private func all(_ world: OperationsWorld) async throws -> [RecordedTimes] {
    try await world.timeSheet().lines.flatMap(\.entries).map(\.times)
  }

  private func reopen(
    _ world: OperationsWorld, _ shifts: [ShiftID], of approval: ShiftApproval?,
    by principal: Principal? = nil
  ) async throws -> [String] {
    try await world.operations.reviews.reopen(
      shifts, approvedAt: approval?.at, reason: "the wrong month",
      by: principal ?? world.principal
    ).map(\.code)
  }

  // R: W23
  @Test("is taken back at once, with an entry for each shift")
  func undone() async throws {
    try await withWorld { world in
      let approval = try await approved(world)
      let shifts = try await all(world).map(\.shift)
      let unknown = ShiftID(employee: ben, number: 9)
      #expect(
        try await reopen(world, shifts + [unknown], of: approval) == [
          "reopened", "reopened", "reopened", "not_found",
        ])
      #expect(try await all(world).map(\.state) == [.ready, .ready, .ready])
      #expect(try await all(world).allSatisfy { $0.fixed == nil })
      #expect(
        try await world.count(
          """
          SELECT count(*) FROM audit_entry
          WHERE action = \(AuditAction.timesReopened.column) AND reason = 'the wrong month'
          """) == 3)
      #expect(
        try await reopen(world, shifts, of: approval) == Array(repeating: "not_approved", count: 3))
    }
  }

  @Test("does not take a later approval along")
  func later() async throws {
    try await withWorld { world in
      let approval = try await approved(world)
      let first = ShiftID(employee: ada, number: 1)
      _ = try await reopen(world, [first], of: approval)
      world.wait(.minutes(1))
      let times = try #require(try await all(world).first { $0.shift == first })
      #expect(try await world.approve(times).code == "approved")
      let shifts = try await all(world).map(\.shift)
      #expect(try await reopen(world, shifts, of: approval) == ["changed", "reopened", "reopened"])
      #expect(try await reopen(world, [first], of: nil) == ["reopened"])
    }
  }

  // R: W11
  @Test("is taken back by nobody for themselves, nor in other teams")
  func rights() async throws {
    try await withWorld { world in
      let approval = try await approved(world)
      let shifts = try await all(world).map(\.shift)
      let own = Principal(
        actor: AuditActor(name: "Ben", employee: ben), role: .manager,
        teams: [TeamID(1): .coverage])
      #expect(
        try await reopen(world, shifts, of: approval, by: own) == ["reopened", "reopened", "own"])
      let stranger = Principal(
        actor: AuditActor(name: "Eve"), role: .manager, teams: [TeamID(99): .all])
      #expect(
        try await reopen(world, shifts, of: approval, by: stranger)
          == Array(repeating: "not_found", count: 3))
      #expect(try await all(world).map(\.state) == [.ready, .ready, .approved])
    }
  }

  @Test("needs a reason, and one to a thousand shifts, each once")
  func refused() async throws {
    try await withWorld { world in
      let shift = ShiftID(employee: ada, number: 1)
      for shifts in [[], [shift, shift], (1...1_001).map { ShiftID(employee: ada, number: $0) }] {
        await #expect(throws: OperationError.self) {
          _ = try await reopen(world, shifts, of: nil)
        }
      }
      await #expect(throws: OperationError.self) {
        _ = try await world.operations.reviews.reopen(
          [shift], approvedAt: nil, reason: " ", by: world.principal)
      }
    }
  }

  @Test("and a correction at the same time never both win")
  func race() async throws {
    try await withWorld { world in
      let approval = try await approved(world)
      let first = ShiftID(employee: ada, number: 1)
      async let outcomes = reopen(world, [first], of: approval)
      async let correction = world.correct(1, nil, morning + .hours(17))
      let (reopened, corrected) = (try await outcomes, try await correction)
      #expect(reopened == ["reopened"])
      let times = try #require(try await all(world).first { $0.shift == first })
      if case .corrected = corrected {
        #expect(times.worked == .hours(7) && times.state == .ready)
      } else {
        #expect(corrected == .approved(approval) && times.worked == .hours(8))
      }
    }
  }
}
