import DeviceOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("What apps report about themselves") struct AppEventTests {
  @Test("is stored once, however often and in whatever order it is sent")
  func replays() async throws {
    try await withPhone { (world, phone) async throws in
      world.wait(.hours(1))
      let (late, early) = (
        event(.restored, ago: .seconds(5), in: world), event(ago: .seconds(9), in: world)
      )
      #expect(try await phone.tell([late]) == [.stored])
      #expect(try await phone.tell([early, late, early]) == [.stored, .duplicate, .duplicate])
      #expect(try await phone.tell([early], sentAt: world.now + .hours(1)) == [.duplicate])
      var other = early
      other.appSession = "s2"
      #expect(try await phone.tell([other]) == [.stored])
      #expect(
        try await Phone.enrolled(in: world).tell([early]) == [.stored], "another device's own")
      #expect(try await world.count("SELECT count(*) FROM app_event") == 4)
    }
  }

  @Test("counts by the server's clock, is refused after a week, and is never in the future")
  func times() async throws {
    try await withPhone { (world, phone) async throws in
      func stored(_ recordedAt: Instant, sentAt: Instant?) async throws -> TimeSpan? {
        let given = IncomingAppEvent(.settingsOpened, in: "s", recordedAt: recordedAt)
        let before = try await world.count("SELECT count(*) FROM app_event")
        let result = try await phone.tell([given], sentAt: sentAt)
        guard result == [.stored] else {
          #expect(result == [.refused(.tooLate)])
          return nil
        }
        #expect(try await world.count("SELECT count(*) FROM app_event") == before + 1)
        let at = try await world.count(
          """
          SELECT (extract(epoch FROM effective_at) * 1000)::bigint FROM app_event
          WHERE recorded_at = \(recordedAt)
          """)
        return world.now - Instant(milliseconds: at)
      }
      let (now, year) = (world.now, TimeSpan.hours(24 * 365))
      #expect(try await stored(now - .seconds(3), sentAt: now) == .seconds(3))
      #expect(try await stored(now + year - .seconds(3), sentAt: now + year) == .seconds(3))
      #expect(try await stored(now + .hours(2), sentAt: now) == .zero)
      #expect(try await stored(now + .hours(3), sentAt: nil) == .zero)
      #expect(try await stored(now + .seconds(50), sentAt: nil) == .zero)
      #expect(try await stored(now - .hours(168), sentAt: now) == .hours(168))
      #expect(try await stored(now - .hours(168) - .milliseconds(1), sentAt: now) == nil)
    }
  }

  @Test("has a limit per device and day, which uploads at the same time keep too")
  func limit() async throws {
    try await withWorld { world in
      let (phone, other) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      func many(_ count: Int64, from first: Int64) -> [IncomingAppEvent] {
        (first..<first + count).map { event(ago: .milliseconds($0), in: world) }
      }
      for first in 0..<9 { _ = try await phone.tell(many(100, from: Int64(first) * 100)) }
      let results = try await withThrowingTaskGroup(of: [AppEventResult].self) { group in
        for first: Int64 in 0..<4 {
          group.addTask { try await phone.tell(many(60, from: 1_000 + first * 60)) }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(results.filter { $0 == .stored }.count == 100)
      #expect(results.filter { $0 == .refused(.tooMany) }.count == 140)
      #expect(try await phone.tell([event(ago: .seconds(7), in: world)]) == [.refused(.tooMany)])
      #expect(try await other.tell([event(ago: .seconds(7), in: world)]) == [.stored])
      world.wait(.hours(24))
      #expect(try await phone.tell([event(ago: .seconds(7), in: world)]) == [.stored])
    }
  }

  // R: W11
  @Test("is kept for 31 days, where coverage is kept for longer, and goes with its employee")
  func retention() async throws {
    try await withPhone { world, phone in
      _ = try await phone.tell([event(ago: .zero, in: world)])
      world.wait(.hours(31 * 24))
      _ = try await world.operations.background.deleteOldData()
      #expect(try await world.count("SELECT count(*) FROM app_event") == 1)
      world.wait(.seconds(1))
      _ = try await world.operations.background.deleteOldData()
      #expect(try await world.count("SELECT count(*) FROM app_event") == 0)
      _ = try await world.operations.people.erase(
        EmployeeID(7), endsShift: false, by: world.principal)
      await #expect(throws: OperationError.unauthorized) {
        try await phone.tell([event(ago: .zero, in: world)])
      }
    }
  }
}

/// An explanation shown `ago` before now, or what else is said.
private func event(
  _ kind: AppEventKind = .explanationShown, ago: TimeSpan, in world: OperationsWorld
) -> IncomingAppEvent {
  IncomingAppEvent(
    kind, in: "s", recordedAt: world.now - ago, authorization: kind == .restored ? .always : nil)
}

extension TestPhone {
  @discardableResult
  func tell(_ events: [IncomingAppEvent]) async throws -> [AppEventResult] {
    try await tell(events, sentAt: receipt.at)
  }

  func tell(_ events: [IncomingAppEvent], sentAt: Instant?) async throws -> [AppEventResult] {
    try await operations.device.note(
      events, sentAt: sentAt, from: credential, receipt: receipt)
  }
}
