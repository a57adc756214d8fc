import BackgroundOperations
import DeviceOperations
import GuardRules
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import NotificationDelivery

/// As when a certificate expires, or a proxy fails: no phone can reach the service, which works.
@Suite("When most phones fall silent") struct MassSilenceTests {
  // R: W26
  @Test("operators hear first; who is back within ten minutes is not notified")
  func comesBack() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      #expect(try await world.operations.background.watchMassSilence() == nil)
      try await world.passSilence(at: 182)
      // Before any notification was due.
      #expect(try await world.operations.background.watchMassSilence() != nil)
      for second in [184, 300, 600, 779] as [Int64] {
        try await world.deliver(at: .seconds(second))
        #expect(world.post.collect() == [])
      }
      for phone in world.phones {
        _ = try await phone.ping([.fix(at: world.now)], sentAt: world.now)
      }
      try await world.passSilence(at: 781)
      #expect(try await world.operations.background.watchMassSilence() == nil)
      try await world.deliver(at: .seconds(2_000))
      #expect(world.post.collect() == [])
      let history = try await world.history()
      let ends = Dictionary(grouping: history) { $0 }.mapValues(\.count)
      #expect(ends == ["incident restored": 20, "restored not_needed": 20])
    }
  }

  // R: W26
  @Test("everybody is notified after ten minutes, once, and managers after their step")
  func lasts() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      try await world.passSilence(at: 182)
      try await world.deliver(at: .seconds(779))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(781))
      let pushed = world.post.sent.filter { $0.address.channel == .fcm }
      #expect(pushed.count == 20 && Set(pushed.map(\.address)).count == 20)
    }
  }

  // R: W26
  @Test("nobody is notified though phones send in turn, and so fall silent over a minute")
  func inTurn() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      for (place, phone) in world.phones.enumerated() {
        world.move(to: .seconds(30 + 3 * Int64(place)))
        _ = try await phone.ping([.fix(at: world.now)], sentAt: world.now)
      }
      for second in stride(from: 205, through: 280, by: 3) as StrideThrough<Int64> {
        try await world.passSilence(at: second)
        try await world.deliver(at: .seconds(second))
      }
      #expect(world.post.collect() == [])
      #expect(try await world.operations.background.watchMassSilence() != nil)
    }
  }

  @Test("of phones at rest the silence of one is an ordinary one")
  func atRest() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      world.move(to: .seconds(30))
      for phone in world.phones.dropFirst() {
        let rest = IncomingPing(
          recordedAt: world.now, fix: nil, isStationary: true,
          rest: .init(until: world.now + .minutes(30)))
        _ = try await phone.ping([rest], sentAt: world.now)
      }
      try await world.passSilence(at: 182)
      try await world.deliver(at: .seconds(184))
      #expect(world.post.collect().count == 1)
    }
  }

  // R: W26
  @Test("the open app shows it at once")
  func openApp() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      try await world.passSilence(at: 182)
      try await world.open()
      try await world.deliver(at: .seconds(184))
      #expect(try await world.attempts() == ["in_app 1 accepted"])
      #expect(world.post.collect() == [])
    }
  }

  @Test("nothing waits when few phones are silent, nor where the policy says so")
  func noWait() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      // Half of the phones are heard again.
      world.move(to: .seconds(120))
      for phone in world.phones.prefix(10) {
        _ = try await phone.ping([.fix(at: world.now)], sentAt: world.now)
      }
      try await world.passSilence(at: 182)
      try await world.deliver(at: .seconds(184))
      #expect(world.post.collect().count == 10)
    }
    try await DeliveryWorld.run(20) { world in
      _ = try await world.operations.policies.setPolicy(
        of: world.team, PolicyChanges(spans: [.massSilenceWait: .zero]))
      try await world.clockIn()
      try await world.passSilence(at: 182)
      try await world.deliver(at: .seconds(184))
      #expect(world.post.collect().count == 20)
    }
  }

  @Test("who is left when the others are back is notified within half a minute")
  func othersAreBack() async throws {
    try await DeliveryWorld.run(20) { world in
      try await world.clockIn()
      try await world.passSilence(at: 182)
      try await world.deliver(at: .seconds(184))
      world.move(to: .seconds(240))
      for phone in world.phones.dropFirst() {
        _ = try await phone.ping([.fix(at: world.now)], sentAt: world.now)
      }
      try await world.passSilence(at: 243)
      try await world.operations.background.watchMassSilence()
      try await world.deliver(at: .seconds(273))
      #expect(world.post.collect().count == 1)
    }
  }
}

extension DeliveryWorld {
  /// The service keeps running until this second after the morning, and checks everybody then.
  fileprivate func passSilence(at second: Int64) async throws {
    while now < morning + .seconds(second) {
      clock.now = min(morning + .seconds(second), now + .seconds(5))
      try await operations.background.beat(as: 1)
    }
    try await operations.background.processSilence(
      of: try await operations.background.silent(limit: 100).map(\.employee))
  }
}
