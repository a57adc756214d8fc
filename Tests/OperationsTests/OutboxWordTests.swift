import BackgroundOperations
import Lifecycle
import ManagerCore
import NotificationOperations
import Postgres
import ReviewOperations
import ShiftDomain
import Testing

@Suite("Word of what is due at once") struct OutboxWordTests {
  @Test("goes out after the COMMIT that queued it, and for nothing else")
  func words() async throws {
    try await withWorld { world in
      let words = Lock(0)
      func listener() -> Int {
        words.withLock { words in
          defer { words = 0 }
          return words
        }
      }
      let told = world.notifying { words.withLock { $0 += 1 } }
      let phone = try await Phone.enrolled(in: told)
      try await phone.report(.denied)
      #expect(listener() == 0, "off shift nobody is told")
      _ = try await phone.clockIn("blocked")
      #expect(listener() == 1, "the managers of a refused clock-in")
      _ = try await phone.clockIn("blocked")
      #expect(listener() == 0, "a tap that was answered before")
      try await phone.report(.always)
      try await phone.beginShift()
      #expect(listener() == 0, "nobody is told of a shift that begins")
      told.wait(.minutes(1))
      try await phone.report(.denied)
      #expect(listener() == 0, "due in two seconds")
      told.wait(.minutes(1))
      try await phone.report(.always)
      #expect(listener() == 0, "its end is due in two seconds, too")
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      let input = CorrectionRequest(startedAt: morning - .minutes(1), reason: "came early")
      _ = try await told.operations.reviews.correct(shift, input, by: AuditActor(name: "Mira"))
      #expect(listener() == 1, "a correction")
      #expect(try await told.operations.notifications.retryNotifications(of: EmployeeID(7)) > 0)
      #expect(listener() == 1, "an operator who asks for it")
      #expect(try await told.operations.notifications.retryDeadLetters(of: nil) == 0)
      #expect(listener() == 0, "there was none")
      told.wait(.hours(10))
      try await told.operations.background.processDueTime(of: EmployeeID(7))
      #expect(listener() == 1, "whether clocking out was forgotten")
    }
  }
}
