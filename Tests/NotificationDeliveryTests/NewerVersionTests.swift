import NotificationQueue
import ShiftDomain
import Testing

@testable import NotificationDelivery

/// During an upgrade, and after a return to the version before, this one meets rows with numbers
/// that it does not know.
@Suite("Notifications of a newer version") struct NewerVersionTests {
  private func addNewer(to world: DeliveryWorld) async throws {
    let now = world.now
    try await world.write([
      """
      INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
      VALUES (1, 200, 1, 1, true, \(now))
      """,
      """
      INSERT INTO notification_history (employee_id, topic, subject, ordinal, urgent, queued_at,
        attempts, due_at, finished_at, outcome)
      VALUES (1, 200, 2, 1, false, \(now), 1, \(now), \(now), 99)
      """,
      """
      INSERT INTO delivery_attempt (
        employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at, outcome)
      VALUES (1, 200, 2, 1, 1, 1, 1, \(now), 99)
      """,
      """
      INSERT INTO inbox (
        employee_id, notification_no, topic, subject, ordinal, urgent, created_at)
      VALUES (1, 1, 200, 2, 1, false, \(now))
      """,
    ])
  }

  // R: A11
  @Test("are left to it, are listed, and keep no other notification of the employee")
  func left() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await addNewer(to: world)
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect().count == 1)
      let waiting = try await world.waiting()
      #expect(Set(waiting.map(\.notification.topic)) == [.incident, .newer])
      #expect(waiting.first { $0.notification.topic == .newer }?.attempts == 0)
      #expect(
        try await world.count("SELECT count(*) FROM notification WHERE topic = 200 AND lease = 0")
          == 1)
      #expect(try await world.history() == ["newer_version newer_version"])
      #expect(try await world.attempts().contains("push 1 unknown"))
    }
  }

  @Test("are shown in the open app with a text that fits all")
  func shown() async throws {
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      try await addNewer(to: world)
      #expect(try await world.look() == ["newer_version"])
    }
  }
}
