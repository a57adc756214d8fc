import NotificationOperations
import NotificationQueue
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("The health of channels") struct ChannelHealthTests {
  /// A world in the present: the database's clock says what the last seven days are.
  private func withPresent(_ body: (OperationsWorld) async throws -> Void) async throws {
    try await withWorld { world in
      let now = try await world.pool.read { (session) throws(PostgresError) in
        try outboxTime(at: nil, on: &session)
      }
      world.clock.now = now
      try await body(world)
    }
  }

  /// Stores attempts that began `seconds` ago.
  private func plant(
    _ world: OperationsWorld, _ channel: Channel?, _ step: EscalationStep,
    _ outcome: DeliveryOutcome?, _ reason: String? = nil, ago seconds: Int64, subject: Int32,
    topic: NotificationTopic = .incident
  ) async throws {
    try await world.write(
      """
      INSERT INTO delivery_attempt (
        started_at, employee_id, subject, topic, ordinal, attempt_no, step, recipient, channel,
        outcome, reason)
      VALUES (
        \(world.now - .seconds(seconds)), 7, \(subject), \(Int16(topic.rawValue)), 1,
        \(Int16(clamping: 1_000 - seconds / 600)), \(Int16(step.rawValue)), 0::smallint,
        \(channel.map { Int16($0.rawValue) }), \(outcome.map { Int16($0.rawValue) }), \(reason))
      """)
  }

  private func health(_ world: OperationsWorld, setUp: Set<Channel>? = nil) async throws
    -> [String: ChannelHealth]
  {
    let health = try await world.operations.notifications.deliveryHealth(setUp: setUp)
    return Dictionary(uniqueKeysWithValues: health.channels.map { ($0.code, $0) })
  }

  @Test("names the last success and the last failure of each, of the last seven days")
  func lasts() async throws {
    try await withPresent { world in
      let day = Int64(86_400)
      try await plant(world, .fcm, .push, .accepted, ago: 600, subject: 1)
      try await plant(world, .fcm, .push, .refused, "status 400", ago: 1_200, subject: 2)
      try await plant(world, .fcm, .push, .retry, "status 503", ago: 60, subject: 3)
      try await plant(world, .apns, .push, .accepted, ago: 8 * day, subject: 4)
      try await plant(world, .webhook, .managers, .addressGone, "status 410", ago: 9, subject: 5)
      try await plant(world, nil, .inApp, .accepted, ago: 30, subject: 6)
      // Stored before attempts had a channel.
      try await plant(world, nil, .email, .accepted, ago: 40, subject: 7)
      try await plant(world, nil, .push, .refused, "unknown channel", ago: 5, subject: 8)
      let health = try await health(world, setUp: [.email])
      let fcm = try #require(health["fcm"])
      #expect(fcm.lastSuccessAt == world.now - .seconds(600))
      #expect(
        fcm.lastFailure
          == .init(at: world.now - .seconds(60), outcome: .retry, reason: "status 503"))
      #expect(health["apns"]?.lastSuccessAt == nil && health["apns"]?.lastFailure == nil)
      #expect(health["webhook"]?.lastFailure?.outcome == .addressGone)
      #expect(health["in_app"]?.lastSuccessAt == world.now - .seconds(30))
      #expect(health["email"]?.lastSuccessAt == nil)
      #expect(health.values.allSatisfy { $0.lastFailure?.reason != "unknown channel" })
      #expect(health["email"]?.isSetUp == true && health["fcm"]?.isSetUp == false)
      #expect(health["webhook"]?.isSetUp == true && health["in_app"]?.isSetUp == true)
      #expect(try await self.health(world)["email"]?.isSetUp == nil)
      #expect(health.count == Channel.allCases.count + 1)
    }
  }

  @Test("counts what waits after a failure for the channel that was tried last")
  func waiting() async throws {
    try await withPresent { world in
      for (subject, age) in [(Int32(1), Int64(900)), (2, 300), (3, 200)] {
        try await world.write(
          """
          INSERT INTO notification (
            employee_id, subject, queued_at, due_at, topic, ordinal, urgent)
          VALUES (
            7, \(subject), \(world.now - .seconds(age)), \(world.now + .seconds(60)), 0, 1, true)
          """)
      }
      try await plant(world, .fcm, .push, .retry, "status 503", ago: 800, subject: 1)
      try await plant(world, .email, .email, .misconfigured, "not set up", ago: 100, subject: 1)
      try await plant(world, .email, .email, .retry, "status 421", ago: 100, subject: 2)
      try await plant(world, .fcm, .push, .retry, "status 503", ago: 150, subject: 3)
      try await plant(world, .fcm, .push, .accepted, ago: 100, subject: 3)
      // It has left the outbox.
      try await plant(world, .fcm, .push, .refused, "status 400", ago: 90, subject: 4)
      let all = try await world.operations.notifications.deliveryHealth(setUp: nil)
      #expect(all.load.waiting == 3 && all.waitingSince == world.now - .seconds(900))
      let email = try #require(all.channels.first { $0.channel == .email })
      #expect(email.waiting == 2 && email.waitingSince == world.now - .seconds(900))
      let others = all.channels.filter { $0.channel != .email }
      #expect(others.allSatisfy { $0.waiting == 0 && $0.waitingSince == nil })
    }
  }

  @Test("counts dead letters by cause, for the channel that was tried last")
  func deadLetters() async throws {
    try await withPresent { world in
      for (subject, reason, outcome, days) in [
        (Int32(1), "status 550", Int16(7), Int64(0)), (2, "status 550", 7, 1),
        (3, "status 410", 7, 2), (4, "an internal error", 8, 3), (5, "status 550", 7, 8),
        (6, "delivered", 0, 1),
      ] {
        let at = world.now - .hours(24 * days)
        try await world.write(
          """
          INSERT INTO notification_history (
            finished_at, queued_at, due_at, employee_id, subject, topic, ordinal, attempts, outcome,
            urgent, reason)
          VALUES (
            \(at), \(at), \(at), 7, \(subject), 0, 1, 1, \(outcome), true, \(reason))
          """)
      }
      try await plant(world, .fcm, .push, .refused, "status 400", ago: 900, subject: 1)
      try await plant(world, .email, .email, .refused, "status 550", ago: 100, subject: 1)
      try await plant(world, .email, .email, .refused, "status 550", ago: 86_500, subject: 2)
      try await plant(world, .webhook, .managers, .refused, "status 410", ago: 190_000, subject: 3)
      let all = try await world.operations.notifications.deliveryHealth(setUp: nil)
      #expect(all.load.dead == 4)
      let causes = Dictionary(
        uniqueKeysWithValues: all.channels.map { ($0.code, $0.deadLetters) })
      #expect(causes["email"] == [DeadLetterCause(reason: "status 550", count: 2)])
      #expect(causes["webhook"] == [DeadLetterCause(reason: "status 410", count: 1)])
      #expect(causes["fcm"] == [])
      #expect(
        all.deadLettersWithoutAttempt == [DeadLetterCause(reason: "an internal error", count: 1)])
    }
  }
}
