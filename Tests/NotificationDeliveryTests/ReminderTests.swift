import GuardRules
import InstallationOperations
import ManagerCore
import NotificationOperations
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

@Suite("A manager's reminder") struct ReminderTests {
  private static let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

  private func remind(_ world: DeliveryWorld) async throws -> ReminderOutcome {
    try await world.operations.notifications.remind(EmployeeID(1), by: Self.mira)
  }

  // R: A11, M4
  @Test("is pushed at once, ten minutes after the employee was last notified, and once")
  func sent() async throws {
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      #expect(try await remind(world) == .nothingToRestore)
      try await world.lose()
      for second: Int64 in [12, 312, 612] { try await world.deliver(at: .seconds(second)) }
      #expect(world.post.collect().count == 3)
      guard case .tooSoon(let until, let wait) = try await remind(world) else {
        Issue.record("two notifications within ten minutes")
        return
      }
      #expect(until == morning + .seconds(912) && wait == .seconds(300))
      world.move(to: .seconds(912))
      guard case .queued(let reminder) = try await remind(world) else {
        Issue.record("not queued")
        return
      }
      #expect(reminder.incident == 1 && reminder.kind == .denied)
      guard case .tooSoon = try await remind(world) else {
        Issue.record("two reminders at once")
        return
      }
      var keys: Set<String> = []
      for second: Int64 in [912, 1_812] {
        world.move(to: .seconds(second))
        if second > 912 { _ = try await remind(world) }
        try await world.deliver()
        keys.formUnion(world.post.sent.map(\.outgoing.key))
        #expect(world.post.collect() == ["fcm: Location access is off"])
        // Five minutes later by e-mail, as the first notification.
        try await world.deliver(at: .seconds(second + 300))
        #expect(world.post.collect() == ["email: Location access is off"])
      }
      #expect(keys.count == 2, "\(keys)")
      let entries = try await world.operations.installation.auditEntries(
        about: EmployeeID(1), limit: 9)
      #expect(entries.filter { $0.action == .reminderSent }.map(\.target) == [1, 1])
    }
  }

  @Test("is queued once by several managers at the same time")
  func crossed() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(612))
      let outcomes = try await withThrowingTaskGroup(of: ReminderOutcome.self) { group in
        for _ in 0..<4 { group.addTask { try await remind(world) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let queued = outcomes.filter { if case .queued = $0 { true } else { false } }
      #expect(queued.count == 1, "\(outcomes)")
      #expect(try await world.waiting().count == 2)
    }
  }

  @Test("is refused on a break and after the shift")
  func nothing() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.clockOut()
      #expect(try await remind(world) == .nothingToRestore)
    }
  }
}
