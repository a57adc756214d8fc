import DeviceOperations
import Dispatch
import GuardRules
import Lifecycle
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

// R: W2
@Suite("Reports that share a transaction") struct SharedReportTests {
  @Test("are decided each for itself, in far fewer round trips")
  func together() async throws {
    try await withCrowd(of: 44) { crowd in
      let others = Array(crowd.phones[4...])
      let (answers, roundTrips) = try await crowd.report(from: others) { phone in
        let isDenied = phone.device.employee.rawValue % 2 == 0
        return try await phone.report(isDenied ? .denied : .always, sequence: 1)
      }
      #expect(roundTrips < 3 * others.count / 2, "alone they take three each")
      for (phone, answer) in zip(others, answers) {
        let outcome = try answer.get()
        let isDenied = phone.device.employee.rawValue % 2 == 0
        #expect(outcome.disposition == .inForce)
        #expect(outcome.snapshot.device == phone.device)
        #expect(outcome.snapshot.report?.state.authorization == (isDenied ? .denied : .always))
        #expect(outcome.snapshot.incidents.map(\.kind) == (isDenied ? [.denied] : []))
        #expect((outcome.detection != nil) == isDenied)
        #expect(try await phone.present == outcome.snapshot)
      }
      #expect(try await crowd.world.count("SELECT count(*) FROM incident") == 20)
      #expect(
        try await crowd.world.count("SELECT count(DISTINCT employee_id) FROM notification") == 20)
      #expect(
        try await crowd.world.count("SELECT count(*) FROM permission_report WHERE sequence = 1")
          == 40)
    }
  }

  @Test("and a repeated, a refused and an impossible one change nothing for the others")
  func odd() async throws {
    try await withCrowd(of: 10) { crowd in
      let world = crowd.world
      let revoked = crowd.phones[5].device
      try await world.operations.people.revoke(device: revoked)
      try await world.write(
        "ALTER TABLE permission_report ADD CONSTRAINT odd CHECK (sequence <> 13)")
      let senders = Array(crowd.phones[4...]) + [crowd.phones[9]]
      let (answers, _) = try await crowd.report(from: senders) { phone in
        let isOdd = phone.device.employee == EmployeeID(7)
        return try await phone.report(.always, sequence: isOdd ? 13 : 1)
      }
      for (phone, answer) in zip(senders, answers) {
        switch phone.device.employee.rawValue {
        case 6: #expect(throws: OperationError.unauthorized) { try answer.get() }
        case 7: #expect(throws: OperationError.conflict("odd")) { try answer.get() }
        case 10: break
        default: #expect(try answer.get().disposition == .inForce)
        }
      }
      let twice = try answers.suffix(2).map { try $0.get().disposition }
      #expect(Set(twice) == [.inForce, .duplicate])
      #expect(
        try await world.count("SELECT count(*) FROM permission_report WHERE sequence IS NOT NULL")
          == 4)
    }
  }

  @Test("are answered although the rows of one employee among them stay locked")
  func locked() async throws {
    // Longer than a slow machine takes until all have been sent.
    try await withCrowd(of: 8, within: .seconds(10)) { crowd in
      let senders = Array(crowd.phones[4...])
      let (answers, _) = try await crowd.holding(5...5) { release in
        let answered = Lock(0)
        return try await crowd.report(from: senders) { phone in
          let outcome = try await phone.report(.denied)
          // The first cannot be answered before all others are.
          if answered.withLock({
            $0 += 1; return $0
          }) == 3 {
            release.signal()
          }
          return outcome
        }
      }
      for answer in answers { #expect(try answer.get().disposition == .inForce) }
      #expect(try await crowd.world.count("SELECT count(*) FROM incident") == 4)
    }
  }
}

/// Runs `body` with `count` employees on shift.
private func withCrowd(
  of count: Int32, within deadline: Duration = TestDatabase.patience,
  _ body: (Crowd) async throws -> Void
) async throws {
  try await withDatabase(size: 7) { pool in
    let world = OperationsWorld(pool: pool, reportsTogetherWithin: deadline)
    let phones = try await world.addTeam(of: count).phones
    for phone in phones { try await phone.clockIn(reporting: .always) }
    world.wait(.minutes(1))
    try await body(Crowd(world: world, phones: phones))
  }
}

/// Employees from 1 on, each with a phone on shift.
private struct Crowd {
  let world: OperationsWorld
  let phones: [Phone]

  typealias Answer = Result<ReportOutcome, OperationError>

  /// What `send` answers for each of `phones`, all of which wait until the first four are done, and
  /// how many round trips these answers took, with the last of the first four.
  func report(
    from phones: [Phone], _ send: @Sendable @escaping (Phone) async throws -> ReportOutcome
  ) async throws -> ([Answer], roundTrips: Int) {
    try await holding(1...4) { release in
      try await withThrowingTaskGroup(of: (Int, Answer)?.self) { group in
        let answered = Lock(0)
        let hasEnded = Lock(false)
        // As many as are written at the same time; each begins before the next one comes.
        for (index, phone) in self.phones[..<4].enumerated() {
          group.addTask { @Sendable in
            try await phone.report(.always)
            hasEnded.withLock { $0 = true }
            return nil
          }
          while try await world.count(sessionsWaitingForLocks) <= index {
            if hasEnded.withLock({ $0 }) { break }
          }
        }
        for (index, phone) in phones.enumerated() {
          group.addTask { @Sendable in
            let answer = try await answer(of: phone, send)
            answered.withLock { $0 += 1 }
            return (index, answer)
          }
        }
        // On a slow machine, some may be answered before the last comes.
        while world.operations.device.reportsWaiting + answered.withLock({ $0 }) < phones.count {
          await Task.yield()
        }
        let before = world.pool.roundTrips
        release.signal()
        var answers: [Int: Answer] = [:]
        for try await case (let index, let answer)? in group { answers[index] = answer }
        return (
          phones.indices.compactMap { answers[$0] }, world.pool.roundTrips - before
        )
      }
    }
  }

  private func answer(
    of phone: Phone, _ send: (Phone) async throws -> ReportOutcome
  ) async throws -> Answer {
    do { return .success(try await send(phone)) } catch let error as OperationError {
      return .failure(error)
    }
  }

  /// Locks the states of these employees until `body` signals or returns.
  func holding<Answer: Sendable>(
    _ employees: ClosedRange<Int32>, _ body: (DispatchSemaphore) async throws -> Answer
  ) async throws -> Answer {
    try await world.pool.holding { (session) throws(PostgresError) in
      for employee in employees {
        try session.execute(
          "SELECT FROM guard_state WHERE employee_id = \(employee) FOR NO KEY UPDATE")
      }
    } during: {
      try await body($0)
    }
  }
}
