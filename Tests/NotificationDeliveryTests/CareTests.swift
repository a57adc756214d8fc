import NotificationQueue
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@Suite("The tables of messages") struct CareTests {
  @Test("have their weeks made ahead, and lose those of over a year ago")
  func weeks() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      // What was written before there were weeks keeps its own from being made, and costs nothing.
      let care = try await world.operations.maintainNotifications()
      #expect(care.weeksMade == 19 && care.weeksDropped == 0)
      #expect(!(try await world.operations.maintainNotifications().isSomething))
      world.move(to: .hours(24 * 7))
      #expect(try await world.operations.maintainNotifications().weeksMade == 2)
      world.move(to: .hours(24 * (365 + 15)))
      let later = try await world.operations.maintainNotifications()
      #expect(later.weeksDropped == 5 && later.weeksMade == 20)
      #expect(try await world.count("SELECT count(*) FROM delivery_attempt") == 0)
    }
  }

  @Test("keep the newest of each inbox, whose number the next one follows")
  func inbox() async throws {
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      let ada = EmployeeID(1)
      for subject in 1...3 as ClosedRange<Int32> {
        let opened = ShiftNotification(.shiftOpened, subject: subject, dueAt: morning)
        try await world.write([
          deliver(opened, to: ada, at: morning), deliver(opened, to: ada, at: morning),
        ])
      }
      world.move(to: .hours(24 * 400))
      _ = try await world.operations.maintainNotifications()
      try await world.write([
        deliver(
          ShiftNotification(.shiftOpened, subject: 4, dueAt: world.now), to: ada, at: world.now)
      ])
      let numbers = try await world.pool.read { (session) throws(PostgresError) in
        try inboxEntries(of: ada, after: 0, limit: 10, on: &session).map(\.number)
      }
      #expect(numbers == [3, 4])
    }
  }
}
