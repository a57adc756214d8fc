import BackgroundOperations
import NotificationQueue
import Postgres
import ShiftDomain
import Testing

@Suite("The notification tables") struct CareTests {
  @Test("get weekly partitions in advance, and lose those older than a year")
  func weeks() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      // Rows from before there were partitions prevent that of their own week, which is harmless.
      let care = try await world.operations.background.maintainNotifications()
      #expect(care.weeksMade == 19 && care.weeksDropped == 0)
      #expect(!(try await world.operations.background.maintainNotifications().isSomething))
      world.move(to: .hours(24 * 7))
      #expect(try await world.operations.background.maintainNotifications().weeksMade == 2)
      world.move(to: .hours(24 * (365 + 15)))
      let later = try await world.operations.background.maintainNotifications()
      #expect(later.weeksDropped == 5 && later.weeksMade == 20)
      #expect(try await world.count("SELECT count(*) FROM delivery_attempt") == 0)
    }
  }

  @Test("keep the newest entry of each inbox, so that its numbering continues")
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
      _ = try await world.operations.background.maintainNotifications()
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
