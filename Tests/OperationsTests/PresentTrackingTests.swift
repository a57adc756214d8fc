import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("The tracking state in answers") struct PresentTrackingTests {
  // R: M6
  @Test(
    "is that of the whole shift for phone, board, page and check, whatever happens",
    arguments: 0..<4 as Range<UInt64>)
  func agrees(seed: UInt64) async throws {
    try await withWorld { world in
      var random = SeededRandom(seed: seed)
      var phone = try await Phone.enrolled(in: world)
      var other = try await Phone.enrolled(in: world)
      try await phone.report(.always)
      _ = try await phone.clockIn("in", reporting: .whenInUse)
      var states: Set<TrackingState.Value> = []
      for turn in 0..<60 {
        world.wait(.seconds([1, 20, 60, 60, 170][Int(random.below(5))]))
        let answered = try await act(&phone, &other, turn, &random, world)
        try await world.operations.background.rollUpPings()
        let shift = ShiftID(employee: EmployeeID(7), number: 1)
        let manager = world.operations.manager
        let expected = try await manager.insight.shiftDetails(of: shift).trackingState
        states.insert(expected.value)
        if let answered { #expect(answered == expected, "turn \(turn) of \(seed)") }
        #expect(try await phone.present.trackingState == expected, "turn \(turn) of \(seed)")
        let check = try await manager.insight.check(
          employee: shift.employee, device: nil, preset: nil)
        #expect(check.trackingState == expected, "turn \(turn) of \(seed)")
        let board = try await manager.insight.board(for: world.principal)
        #expect(board.lines.first?.trackingState == expected, "turn \(turn) of \(seed)")
      }
      #expect(states.count > 2)
    }
  }

  /// - Returns: What a report was answered.
  private func act(
    _ phone: inout Phone, _ other: inout Phone, _ turn: Int, _ random: inout SeededRandom,
    _ world: OperationsWorld
  ) async throws -> TrackingState? {
    let now = world.now
    func send(_ ping: IncomingPing) async throws { _ = try await phone.ping([ping]) }
    switch random.below(16) {
    case 0...3: try await send(fix(at: now))
    case 4: try await send(fix(at: now - .seconds(90)))
    case 5: try await send(IncomingPing(recordedAt: now, fix: nil, isStationary: true))
    case 6:
      try await send(
        IncomingPing(recordedAt: now, fix: nil, rest: .init(until: now + .minutes(4))))
    case 7: try await send(IncomingPing(recordedAt: now, fix: nil, isHidden: true))
    case 8...11:
      let said: [Authorization] = [.always, .denied, .whenInUse, .unknown]
      return try await phone.report(
        said[Int(random.below(4))], services: random.below(4) == 0 ? .unknown : .on,
        sequence: Int64(10 + turn)
      ).snapshot.trackingState
    case 12:
      return try await phone.report(
        random.below(2) == 0 ? .denied : .always, sequence: Int64(turn) - 3,
        recordedAt: now - .minutes(2), sentAt: now
      ).snapshot.trackingState
    case 13: _ = try await phone.startBreak("break \(turn)")
    case 14: _ = try await phone.endBreak("work \(turn)")
    default:
      guard random.below(2) == 0 else {
        try await world.operations.background.rollUpShiftsInDoubt()
        return nil
      }
      _ = try await other.takeOver("take \(turn)")
      swap(&phone, &other)
    }
    return nil
  }

  // R: M6
  @Test(
    "knows a rest and a hidden page as long as they last",
    arguments: [false, true])
  func lasts(isHidden: Bool) async throws {
    try await withPhone { world, phone in
      _ = try await phone.clockIn(reporting: .whenInUse)
      _ = try await phone.ping([fix(at: world.now)])
      world.wait(.seconds(60))
      let rest = IncomingPing.Rest(until: world.now + .minutes(25))
      let sign = IncomingPing(
        recordedAt: world.now, fix: nil, isHidden: isHidden, rest: isHidden ? nil : rest)
      _ = try await phone.ping([sign])
      try await world.operations.background.rollUpPings()
      world.wait(.minutes(20))
      let state = try await phone.present.trackingState
      #expect(state.reason == (isHidden ? .pageHidden : nil))
      #expect(state.value == (isHidden ? .notTracked : .atRisk))
    }
  }

  @Test(
    "costs the 500th report of a shift what it costs the second",
    .disabled(if: isOnCitus, "a transaction's statistics are those of the coordinator only"))
  func costs() async throws {
    try await withDatabase(size: 1) { pool in
      let world = OperationsWorld(pool: pool)
      let phone = try await world.addTeam(of: 1).phones[0]
      try await phone.clockIn(reporting: .always)
      func report(_ number: Int64) async throws -> (rows: Int64, roundTrips: Int) {
        world.wait(.seconds(1))
        let before = try await rowsRead(in: world)
        let roundTrips = pool.roundTrips
        let outcome = try await phone.report(.always, sequence: number)
        #expect(outcome.disposition == .inForce)
        let made = pool.roundTrips - roundTrips
        return (try await rowsRead(in: world) - before, made)
      }
      let second = try await report(2)
      try await world.write(
        """
        INSERT INTO permission_report (
          employee_id, device_no, report_id, shift_no, effective_at, received_at, sequence,
          authorization_code, grant_path, accuracy, services, notifications, battery_optimisation,
          background_refresh, power_save, foreground_service, background_fix)
        SELECT employee_id, device_no, report_id + n, shift_no, effective_at, received_at, n,
          authorization_code, grant_path, accuracy, services, notifications, battery_optimisation,
          background_refresh, power_save, foreground_service, background_fix
        FROM permission_report, generate_series(3, 499) AS n WHERE sequence = 2
        """)
      let last = try await report(500)
      // A table may be read in another way now, but none as a whole.
      #expect(second.rows > 0 && last.rows < second.rows + 50)
      #expect(last.roundTrips == second.roundTrips)
    }
  }

  /// How many rows were read so far.
  private func rowsRead(in world: OperationsWorld) async throws -> Int64 {
    // At the end of this transaction, the only connection reports what it has counted.
    _ = try await world.count("SELECT 1::bigint FROM pg_stat_force_next_flush()")
    return try await world.count(
      """
      SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint
      FROM pg_stat_user_tables
      """)
  }
}
