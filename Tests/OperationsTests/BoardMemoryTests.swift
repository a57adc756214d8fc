import BackgroundOperations
import GuardRules
import InsightOperations
import PeopleOperations
import Postgres
import ReviewOperations
import ShiftDomain
import TestKit
import Testing

/// What boards remember of shifts.
@Suite("The memory of boards") struct BoardMemoryTests {
  @Test("shows what one that remembers nothing shows, whatever happens in which order")
  func random() async throws {
    try await withWorld { world in
      var random = SeededRandom(seed: 21)
      var fixture: [Worker] = []
      for number in Int32(1)...8 {
        _ = try await world.operations.people.addEmployee(
          EmployeeID(number + 100), name: "W\(number)", team: TeamID(1))
        fixture.append(
          Worker(
            number: number + 100,
            phones: [
              try await .enrolled(in: world, employee: number + 100),
              try await .enrolled(in: world, employee: number + 100),
            ]))
      }
      var reasons: Set<CoverageReason> = []
      for step in 0..<120 {
        for place in fixture.indices where random.below(3) == 0 {
          try await fixture[place].act(step, in: world, &random)
        }
        if random.below(3) == 0 { try await world.operations.background.rollUpPings() }
        if step % 30 == 29 { try await world.fail(for: .minutes(4)) }
        let mine = try await world.operations.insight.board(for: world.principal)
        let fresh = try await world.another().operations.insight.board(for: world.principal)
        try #require(mine == fresh, "step \(step)")
        reasons.formUnion(mine.lines.flatMap(\.today).map(\.reason))
        world.wait(.seconds([20, 130, 400, 4_000].randomElement(using: &random) ?? 20))
      }
      // Otherwise hardly anything was tried.
      #expect(reasons.count >= 7, "\(reasons)")
    }
  }

  @Test("is of no facts but versions for an hour, and then looks again")
  func hour() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      _ = try await phone.ping([fix(at: world.now)])
      try await world.operations.background.rollUpPings()
      world.wait(.minutes(1))
      func today() async throws -> [CoverageReason] {
        try await world.operations.insight.board(for: world.principal).lines.flatMap(\.today)
          .map(\.reason)
      }
      #expect(try await today() == [.tracked])
      // Behind everybody's back, so that no version tells of it.
      try await world.write(
        """
        INSERT INTO shift_break (employee_id, shift_no, break_no, started_at)
        VALUES (7, \(shift.number), 1, \(morning))
        """)
      #expect(try await today() == [.tracked])
      // What was foreseen comes to pass.
      world.wait(.minutes(30))
      // Nobody watches: no incident tells of a silence.
      #expect(try await today() == [.tracked, .noFix])
      world.wait(.minutes(31))
      #expect(try await today() == [.onBreak])
    }
  }
}

/// Somebody with two phones.
private struct Worker {
  let number: Int32
  let phones: [Phone]
  private var tracking = 0
  private var shift: ShiftID?

  init(number: Int32, phones: [Phone]) {
    self.number = number
    self.phones = phones
  }

  mutating func act(_ step: Int, in world: OperationsWorld, _ random: inout SeededRandom)
    async throws
  {
    let phone = phones[tracking]
    let id = "\(number) \(step)"
    switch random.below(14) {
    case 0: _ = try await phone.startBreak(id)
    case 1: _ = try await phone.endBreak(id)
    case 2:
      _ = try await phone.clockOut(id)
    case 3:
      tracking = 1 - tracking
      _ = try await phones[tracking].takeOver(id)
    case 4, 5:
      try await phone.report(
        [.denied, .whenInUse, .notDetermined, .always].randomElement(using: &random) ?? .always,
        services: Bool.random(using: &random) ? .on : .off)
    case 6:
      // Recorded while there was no network.
      let at = world.now - .minutes(1 + random.below(50))
      try await phone.report(.denied, recordedAt: at, sentAt: world.now)
    case 7: if let shift { try await correct(shift, in: world) }
    case 8, 9, 10:
      let at = world.now - .minutes(random.below(20))
      _ = try await phone.ping((0..<5).map { fix(at: at + .seconds($0 * 60)) }, sentAt: world.now)
    default:
      try await phone.report(.always)
      if case .clockedIn(let begun, _) = try await phone.clockIn(id) { shift = begun }
    }
  }

  private func correct(_ shift: ShiftID, in world: OperationsWorld) async throws {
    let row = try await world.operations.insight.shift(shift)
    guard let end = row.endedAt else { return }
    let input = CorrectionRequest(endedAt: end - .minutes(1), reason: "a minute less")
    _ = try await world.operations.reviews.correct(shift, input, by: world.principal.actor)
  }
}

extension OperationsWorld {
  /// An outage of ours that ends now.
  fileprivate func fail(for span: TimeSpan) async throws {
    let (start, end) = (now - span, now)
    try await pool.write("INSERT INTO outage (started_at, ended_at) VALUES (\(start), \(end))")
  }
}
