import BackgroundOperations
import DeviceOperations
import GuardRules
import NotificationQueue
import OperationCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

@Suite("The notification of a time away") struct AwayDeliveryTests {
  // R: G7
  @Test("is pushed once, without a place in it, and never goes by e-mail or to managers")
  func pushed() async throws {
    try await DeliveryWorld.run { world in
      try await world.begin()
      try await world.positions(1...11, away: true)
      try await world.deliver()
      let sent = world.post.sent
      #expect(sent.count == 1)
      let text = try #require(sent.first?.outgoing)
      #expect(text.title == "You are away from your place of work")
      let words = ([text.title, text.body] + text.steps).joined(separator: " ")
      #expect(!words.contains("Depot") && !words.contains("45."), "\(words)")
      try await world.positions(12...30, away: true)
      try await world.deliver(at: .hours(2))
      #expect(world.post.sent.count == 1)
      #expect(try await world.attempts() == ["push 1 accepted"])
    }
  }

  // R: G7
  @Test("is shown in the open app, and pushed to nobody then")
  func shown() async throws {
    try await DeliveryWorld.run { world in
      try await world.begin()
      let app = try await world.phones[0].openStream()
      try await world.positions(1...11, away: true)
      #expect(try await world.look(after: app).shown == ["away"])
      try await world.deliver(at: .minutes(20))
      #expect(world.post.sent.isEmpty)
      #expect(try await world.present().awaySince == morning + .minutes(1))
      try await world.positions(21...21, away: false)
      #expect(try await world.present().awaySince == nil)
    }
  }

  // R: G7
  @Test("is not sent any more when the time away or the shift is over")
  func over() async throws {
    for ending in ["back", "break", "clock-out"] {
      try await DeliveryWorld.run(hasPush: false) { world in
        try await world.begin()
        try await world.positions(1...11, away: true)
        try await world.deliver()
        #expect(try await world.waiting().map(\.notification.topic) == [.away])
        world.move(to: .minutes(12))
        switch ending {
        case "back": try await world.positions(12...12, away: false)
        case "break": _ = try await world.phones[0].startBreak("pause")
        default: try await world.clockOut()
        }
        // It waits for a phone.
        try await world.register(world.phones[0].device)
        try await world.deliver(at: .minutes(60))
        #expect(world.post.sent.isEmpty, "\(ending)")
        let expected = ending == "clock-out" ? "away shift_ended" : "away resolved"
        #expect(try await world.history().contains(expected), "\(ending)")
      }
    }
  }

  @Test("under advisory goes to the open app alone")
  func advisory() async throws {
    try await DeliveryWorld.run { world in
      _ = try await world.operations.policies.setPolicy(
        of: world.team, PolicyChanges(preset: .advisory))
      try await world.begin()
      try await world.positions(1...11, away: true)
      try await world.deliver(at: .minutes(30))
      #expect(world.post.sent.isEmpty)
    }
  }
}

extension DeliveryWorld {
  /// Clocks in, in a team with a site whose policy asks for times away of ten minutes.
  fileprivate func begin() async throws {
    _ = try await operations.people.addSite(
      name: "Depot", center: try place(0), radiusMeters: 200, to: team, by: .arranger)
    _ = try await operations.policies.setPolicy(
      of: team, PolicyChanges(spans: [.awayAfter: .minutes(10)]))
    try await clockIn()
  }

  private func place(_ metersNorth: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 45.3 + metersNorth / 111_195, longitude: 13.7))
  }

  /// A position each minute, and then the watch's look.
  fileprivate func positions(_ minutes: ClosedRange<Int64>, away: Bool) async throws {
    for minute in minutes {
      move(to: .minutes(minute))
      let ping = IncomingPing(
        recordedAt: now, fix: Fix(coordinate: try place(away ? 900 : 0), accuracyMeters: 10))
      _ = try await phones[0].ping([ping], sentAt: now)
    }
    try await operations.background.beat(as: 1)
    for due in try await operations.background.awayDue(limit: 10) {
      try await operations.background.findAway(of: due.employee)
    }
  }

  fileprivate func present() async throws -> Snapshot { try await phones[0].present }
}
