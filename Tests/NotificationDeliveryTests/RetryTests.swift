import BackgroundOperations
import Lifecycle
import NotificationOperations
import NotificationQueue
import NotificationSending
import ShiftDomain
import Telemetry
import Testing

@testable import NotificationDelivery

@Suite("A retry") struct RetryTests {
  private static let ada = EmployeeID(1)

  /// A notification that push and e-mail refuse for now: it waits for a back-off.
  private func fail(
    in world: DeliveryWorld, by clerk: DeliveryClerk? = nil, _ outcome: SendOutcome
  ) async throws {
    world.post.answers { _ in outcome }
    try await world.lose()
    world.move(to: .seconds(12))
    try await world.deliver(clerk ?? world.clerk)
    _ = world.post.collect()
    world.post.answers { _ in .accepted(reference: "ok") }
  }

  @Test(
    "by an operator is one attempt at once, in spite of back-off and circuit breaker",
    arguments: [
      SendOutcome.retry(reason: "busy", after: .seconds(600)), .misconfigured(reason: "bad key"),
    ])
  func byOperator(_ outcome: SendOutcome) async throws {
    try await DeliveryWorld.run { world in
      try await fail(in: world, outcome)
      try await world.deliver(at: .seconds(14))
      #expect(world.post.collect() == [], "it waits")
      _ = try await world.operations.notifications.retryNotifications(of: Self.ada)
      try await world.deliver(at: .seconds(15))
      #expect(world.post.collect().count == 1)
    }
  }

  @Test("that fails too waits for its back-off like any other")
  func failsAgain() async throws {
    try await DeliveryWorld.run { world in
      try await fail(in: world, .retry(reason: "busy", after: .seconds(600)))
      world.post.answers { _ in .retry(reason: "still busy", after: .seconds(600)) }
      _ = try await world.operations.notifications.retryNotifications(of: Self.ada)
      try await world.deliver(at: .seconds(15))
      _ = world.post.collect()
      try await world.deliver(at: .seconds(17))
      #expect(world.post.collect() == [])
    }
  }

  @Test("of everything follows a change of the channels")
  func everything() async throws {
    try await DeliveryWorld.run { world in
      let delivery = NotificationDelivery(
        operations: world.operations.background, channels: world.post.channels, monitor: .unread)
      try await fail(in: world, by: delivery.clerk, .misconfigured(reason: "bad key"))
      #expect(delivery.clerk.breakers.held()[.fcm] != nil)
      try await delivery.retryEverything()
      #expect(delivery.clerk.breakers.held().isEmpty)
      world.move(to: .seconds(14))
      try await world.deliver(delivery.clerk)
      #expect(world.post.collect().count == 1)
    }
  }

  @Test("is not needed by a test notification: no circuit breaker holds it back")
  func test() async throws {
    try await DeliveryWorld.run { world in
      try await fail(in: world, .misconfigured(reason: "bad key"))
      #expect(world.clerk.breakers.held()[.fcm] != nil)
      let test = try await world.operations.notifications.sendTest(to: Self.ada, at: [.push])
      try await world.deliver(at: .seconds(13))
      #expect(world.post.sent.last?.outgoing.event == "test")
      #expect(
        try await world.operations.notifications.answers(to: test).first?.outcome == .accepted)
    }
  }

  @Test("a channel that fails is logged once, and so is its end")
  func changes() {
    let breakers = Breakers()
    let outcomes: [(SendOutcome, ChannelChange?)] = [
      (.accepted(reference: nil), nil), (.retry(reason: "a", after: nil), .failing),
      (.misconfigured(reason: "b"), nil), (.refused(reason: "c"), .working),
      (.unknown(reason: "d"), .failing),
    ]
    for (outcome, change) in outcomes { #expect(breakers.note(outcome, on: .email) == change) }
    breakers.release()
    #expect(breakers.note(.unknown(reason: "e"), on: .email) == nil, "it still fails")
    #expect(breakers.note(.accepted(reference: nil), on: .email) == .working)
    // Each webhook has a receiver of its own.
    #expect(breakers.note(.retry(reason: "a", after: nil), on: .webhook) == nil)
  }

  @Test("is logged once when a channel begins to fail, without addresses")
  func logged() async throws {
    let lines = Lock("")
    let writer = LogWriter(.logfmt, now: { 0 }) { bytes in
      lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    let log = Log(least: .info, to: writer)
    try await DeliveryWorld.run { world in
      let clerk = DeliveryClerk(
        operations: world.operations.background, channels: world.post.channels,
        meter: DeliveryMeter(Monitor(metrics: Metrics(), log: log)))
      world.post.answers { _ in .retry(reason: "<ada@example.com> is busy", after: nil) }
      try await world.lose()
      world.move(to: .seconds(12))
      try await world.deliver(clerk)
      world.move(to: .seconds(60))
      try await world.deliver(clerk)
    }
    await log.flush()
    let text = lines.withLock { $0 }
    #expect(
      text.matches(of: /event="channel failing" channel=fcm outcome=retry/).count == 1, "\(text)")
    #expect(text.contains("… is busy") && !text.contains("ada@"), "\(text)")
  }
}
