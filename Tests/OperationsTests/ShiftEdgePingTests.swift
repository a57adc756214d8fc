import DeviceOperations
import Dispatch
import Postgres
import ShiftDomain
import TestKit
import Testing

@Suite("Pings around a clock action") struct ShiftEdgePingTests {
  private let outside: SQL = """
    SELECT count(*) FROM ping
    JOIN shift USING (employee_id, shift_no)
    WHERE ping.effective_at < shift.started_at OR ping.effective_at >= shift.ended_at
    """

  // R: W7
  @Test("on clock-out that lie after it are sealed, when they came ahead of it")
  func ahead() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      // Without `sentAt` a clock may run a minute ahead.
      _ = try await phone.ping([fix(at: world.now + .seconds(30))])
      _ = try await phone.clockOut("out")
      #expect(try await world.track() == [])
      try await world.deleteSealed()
      #expect(try await world.count(outside) == 0)
    }
  }

  // R: W7
  @Test("on clock-out that cross it count only within the shift")
  func crossingClockOut() async throws {
    try await crossing(counting: "SELECT count(*) FROM shift WHERE ended_at IS NOT NULL") {
      phone, edit in
      _ = try await phone.clockOut("tap", edit)
    }
  }

  // R: W5, W7
  @Test("on a break's beginning that cross it do not count within the break")
  func crossingBreak() async throws {
    try await crossing(counting: "SELECT count(*) FROM shift_break") { phone, edit in
      _ = try await phone.startBreak("tap", edit)
    }
  }

  // R: W7
  @Test("on take-over that cross it count only from before")
  func crossingTakeOver() async throws {
    try await crossing(counting: "SELECT count(*) FROM take_over") { phone, edit in
      _ = try await phone.takeOver("tap", edit)
    }
  }

  /// The first phone uploads a fix of minute 4 and one of minute 9, and before that is committed
  /// the second phone's tap of minute 5 arrives.
  /// - Parameter facts: Counts what the tap leaves behind: one.
  private func crossing(
    counting facts: SQL,
    clockAction: @Sendable @escaping (Phone, (inout ClockAction) -> Void) async throws -> Void
  ) async throws {
    try await withPhoneOnShift { world, phone in
      let second = try await Phone.enrolled(in: world)
      try await second.report(.always)
      let begin = world.now
      world.wait(.minutes(10))
      // Holds an upload among its pings: whether the last one is new, this one's end decides.
      let (taken, take) = AsyncStream<Never>.makeStream()
      let release = DispatchSemaphore(value: 0)
      let last = begin + .minutes(9)
      async let holder: Int = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        let rows = try session.execute(
          """
          INSERT INTO ping (
            employee_id, device_no, recorded_at, effective_at, shift_no, arrived_ms, accuracy_m,
            speed_cm_s, heading_deg, altitude_m, flags)
          VALUES (7, 1, \(last), \(last), 1, 0, 0, 0, 0, 0, 0)
          """)
        take.finish()
        release.wait()
        session.rollbackOnly()
        return rows
      }
      for await _ in taken {}
      async let pinged = phone.ping(
        [fix(at: begin + .minutes(4)), fix(at: begin + .minutes(9))], sentAt: world.now)
      try await waitFor(world) { $0 == 1 }
      async let acted: Void = clockAction(second) {
        $0.happened(at: begin + .minutes(5), sentAt: world.now)
      }
      // Either it waits for the upload, or it is done without having seen it.
      try await waitFor(world) { $0 == 2 }
      release.signal()
      _ = (try await holder, try await acted)
      #expect(try await pinged == [.stored, .stored])
      #expect(try await world.count(facts) == 1)
      #expect(try await world.track() == [4])
    }
  }

  // R: W5, W7
  @Test("on a break's beginning wait for it, and are then sealed or refused")
  func waitForBreak() async throws {
    try await withPhoneOnShift { world, phone in
      let begin = world.now
      world.wait(.minutes(10))
      // Holds a break's beginning before its COMMIT, by the id that it is to be kept under.
      let (taken, take) = AsyncStream<Never>.makeStream()
      let release = DispatchSemaphore(value: 0)
      async let holder: Int = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        let rows = try session.execute(
          """
          INSERT INTO clock_action (
            employee_id, device_no, action_id, body_hash, at, received_at, outcome, policy_version,
            blocking, warning, informing, needs_review)
          SELECT employee_id, device_no, 'pause', body_hash, at, received_at, outcome,
            policy_version, blocking, warning, informing, needs_review
          FROM clock_action
          """)
        take.finish()
        release.wait()
        session.rollbackOnly()
        return rows
      }
      for await _ in taken {}
      async let rested = phone.startBreak("pause") {
        $0.happened(at: begin + .minutes(5), sentAt: world.now)
      }
      try await waitFor(world) { $0 == 1 }
      async let pinged = phone.ping(
        [4, 9, 10].map { fix(at: begin + .minutes($0)) }, sentAt: world.now)
      try await waitFor(world) { $0 == 2 }
      release.signal()
      _ = (try await holder, try await rested)
      // From the receipt of the break's beginning on nothing is stored.
      #expect(try await pinged == [.stored, .stored, .refused(.onBreak)])
      #expect(try await world.track() == [4])
    }
  }

  /// Returns when `isReached` holds for how many sessions wait for a lock, or have tapped. Or after
  /// a while: what waits for nothing shall fail, not hang.
  private func waitFor(_ world: OperationsWorld, _ isReached: (Int64) -> Bool) async throws {
    let deadline = ContinuousClock.now + TestDatabase.patience
    while !isReached(
      try await world.count(sessionsWaitingForLocks)
        + world.count("SELECT count(*) FROM clock_action WHERE outcome IN (5, 8, 15)"))
    {
      guard ContinuousClock.now < deadline else {
        Issue.record("nobody waits")
        return
      }
    }
  }
}
