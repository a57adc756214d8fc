import NotificationQueue
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@Suite("The tables of messages") struct CareTests {
  @Test("have their weeks made ahead, and lose those of over a year ago")
  func weeks() async throws {
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      // What was written before there were weeks keeps its own from being made, and costs nothing.
      let care = try await crew.operations.careForMessages()
      #expect(care.weeksMade == 19 && care.weeksDropped == 0)
      #expect(!(try await crew.operations.careForMessages().isSomething))
      crew.move(to: .hours(24 * 7))
      #expect(try await crew.operations.careForMessages().weeksMade == 2)
      crew.move(to: .hours(24 * (365 + 15)))
      let later = try await crew.operations.careForMessages()
      #expect(later.weeksDropped == 5 && later.weeksMade == 20)
      #expect(try await crew.count("SELECT count(*) FROM notification_attempt") == 0)
    }
  }

  @Test("keep the newest of each inbox, whose number the next one follows")
  func inbox() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let ada = EmployeeID(1)
      for subject in 1...3 as ClosedRange<Int32> {
        try await crew.write([
          deliver(Notice(.shiftOpened, subject: subject, dueAt: morning), to: ada, at: morning),
          deliver(Notice(.shiftOpened, subject: subject, dueAt: morning), to: ada, at: morning),
        ])
      }
      crew.move(to: .hours(24 * 400))
      _ = try await crew.operations.careForMessages()
      try await crew.write([
        deliver(Notice(.shiftOpened, subject: 4, dueAt: crew.now), to: ada, at: crew.now)
      ])
      let numbers = try await crew.pool.read { (session) throws(PostgresError) in
        try inboxMessages(of: ada, after: 0, limit: 10, on: &session).map(\.number)
      }
      #expect(numbers == [3, 4])
    }
  }
}
