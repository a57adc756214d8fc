import Dispatch
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@Suite("Pings around a clock-out") struct ShiftEdgePingTests {
  private let outside: SQL = """
    SELECT count(*) FROM ping
    JOIN shift USING (employee_id, shift_no)
    WHERE ping.effective_at < shift.started_at OR ping.effective_at >= shift.ended_at
    """

  // R: W7
  @Test("that lie after it go, when they came ahead of it")
  func ahead() async throws {
    try await withCompany { company in
      let phone = try await onShift(company)
      company.wait(.minutes(1))
      // Without `sentAt` a clock may run a minute ahead.
      _ = try await phone.ping([fix(at: company.now + .seconds(30))])
      _ = try await phone.clockOut("out")
      #expect(try await company.count(outside) == 0)
    }
  }

  // R: W7
  @Test("that cross it are kept only within the shift")
  func crossing() async throws {
    try await withCompany { company in
      let phone = try await onShift(company)
      let second = try await Phone.enrolled(in: company)
      try await second.report(.always)
      let begin = company.now
      company.wait(.minutes(10))
      // Holds an upload between its pings and its COMMIT.
      let (taken, take) = AsyncStream<Never>.makeStream()
      let release = DispatchSemaphore(value: 0)
      async let holder: Int = company.pool.transaction { (session) throws(PostgresError) in
        let rows = try session.execute("SELECT 1 FROM device_pulse WHERE device_no = 1 FOR UPDATE")
        take.finish()
        release.wait()
        return rows
      }
      for await _ in taken {}
      async let pinged = phone.ping([fix(at: begin + .minutes(9))], sentAt: company.now)
      try await settle(company) { $0 == 1 }
      async let ended = second.clockOut("out") {
        $0.occurredAt = begin + .minutes(5)
        $0.sentAt = company.now
      }
      // Either it waits for the upload, or it is done without having seen it.
      try await settle(company) { $0 == 2 }
      release.signal()
      _ = (try await holder, try await pinged, try await ended)
      #expect(try await company.count(outside) == 0)
    }
  }

  /// Returns when `isSettled` holds for how many sessions wait for a lock, or have clocked out.
  private func settle(_ company: Company, _ isSettled: (Int64) -> Bool) async throws {
    while !isSettled(
      try await company.count(
        """
        SELECT (SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock')
          + (SELECT count(*) FROM attempt WHERE outcome = 5)
        """))
    {}
  }

  private func onShift(_ company: Company) async throws -> Phone {
    let phone = try await Phone.enrolled(in: company)
    try await phone.report(.always)
    _ = try await phone.clockIn("in")
    return phone
  }
}
