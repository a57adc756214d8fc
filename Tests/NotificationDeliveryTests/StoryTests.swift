import DeviceOperations
import GuardRules
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The story of a shift") struct StoryTests {
  @Test("tells a notification with its ways, and none that was sent to nobody")
  func notified() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      world.move(to: .seconds(60))
      _ = try await world.phones[0].startBreak("pause")
      try await world.deliver()
      world.move(to: .seconds(120))
      _ = try await world.phones[0].endBreak("resume")
      try await world.deliver(at: .minutes(30))
      let told = try await world.notified()
      #expect(told.first == "incident break_started: push", "\(told)")
      #expect(told.allSatisfy { !$0.hasSuffix(": ") }, "\(told)")
      let all = try await world.history()
      #expect(told.count < all.count, "\(told) of \(all)")
    }
  }

  @Test("says of what a phone did and recorded offline when that was received")
  func offline() async throws {
    try await DeliveryWorld.run { world in
      let phone = world.phones[0]
      func happened(_ minute: Int64, _ action: inout ClockAction) {
        (action.occurredAt, action.sentAt) = (morning + .minutes(minute), world.now)
      }
      try await world.clockIn()
      try await world.watch(until: .minutes(4))
      world.move(to: .minutes(30))
      for (minute, authorization) in [(10, Authorization.denied), (12, .always)] {
        try await phone.report(
          authorization, sequence: Int64(minute), recordedAt: morning + .minutes(Int64(minute)),
          sentAt: world.now)
      }
      world.move(to: .minutes(31))
      _ = try await phone.ping(
        [5, 15].map { .fix(at: morning + .minutes($0)) }, sentAt: world.now)
      world.move(to: .minutes(32))
      _ = try await phone.startBreak("pause") { happened(20, &$0) }
      world.move(to: .minutes(33))
      _ = try await phone.endBreak("resume") { happened(25, &$0) }
      world.move(to: .minutes(34))
      _ = try await phone.clockOut("out") { happened(28, &$0) }
      #expect(
        try await world.known() == [
          "3 offline 31", "10 denied 30", "12 resuming 30", "20 on_break 32",
          "25 waiting_first_fix 33", "28 ended 34",
        ])
    }
  }
}

extension DeliveryWorld {
  private var details: ShiftDetails {
    get async throws {
      try await operations.insight.shiftDetails(of: ShiftID(employee: EmployeeID(1), number: 1))
    }
  }

  /// The notifications of the story, with the ways by which each was sent.
  fileprivate func notified() async throws -> [String] {
    let details = try await details
    return details.story(visits: []).compactMap { entry in
      guard case .notified(let place) = entry.content else { return nil }
      let notification = details.notifications[place]
      let ending = notification.row.ending.map { " \($0.code)" } ?? ""
      let ways = notification.attempts.map(\.step.code).joined(separator: ", ")
      return "\(notification.row.notification.topic.code)\(ending): \(ways)"
    }
  }

  /// What was known later: the minute, what it was, and the minute in which it was known.
  fileprivate func known() async throws -> [String] {
    try await details.story(visits: []).compactMap { entry in
      guard let known = entry.knownAt else { return nil }
      let what =
        switch entry.content {
        case .spent(let segment, _): segment.reason.code
        case .offline: "offline"
        case .ended: "ended"
        default: "other"
        }
      let minutes = [entry.at, known].map { ($0 - morning).milliseconds / 60_000 }
      return "\(minutes[0]) \(what) \(minutes[1])"
    }
  }
}
