import DeviceOperations
import GuardRules
import OperationCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A phone for support") struct DeviceSupportTests {
  @Test("shows reports, clock actions and pings of its shift, by receipt")
  func history() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      #expect(try await phone.clockIn("a").isBlocked)
      world.wait(.minutes(1))
      try await phone.clockIn("b", reporting: .whenInUse)
      for minute in Int64(0)..<3 {
        world.wait(.minutes(1))
        let now = world.clock.now
        let pings =
          minute == 2
          ? [IncomingPing(recordedAt: now, fix: nil)]
          : [fix(at: now), fix(at: now - .seconds(20))]
        #expect(try await phone.ping(pings).allSatisfy { $0 == .stored })
      }
      let support = try await world.operations.people.support(of: phone.device)
      let history = support.history
      #expect(history.shift?.number == 1 && history.shift?.endedAt == nil)
      // The report of a blocked clock-in is kept until that is reviewed.
      #expect(history.reports.map(\.report.state.authorization) == [.whenInUse, .denied])
      #expect(history.clockActions.map(\.outcome) == [.clockedIn, .blocked])
      #expect(history.clockActions.map(\.decision.verdict) == [.warn, .block])
      #expect(history.pingCount == 5 && history.pingUploadCount == 3)
      #expect(history.pingUploads.map(\.pings) == [1, 2, 2])
      #expect(history.pingUploads.map(\.positions) == [0, 2, 2])
      let last = try #require(history.pingUploads.last)
      #expect(last.last == last.receivedAt && last.last - last.first == .seconds(20))
      #expect(support.clockIn == .alreadyOpen(shift: 1))
      #expect(support.push == nil)
    }
  }

  @Test("lists at most 200 notifications to it, the newest, and says that there are more")
  func deliveries() async throws {
    try await withWorld { world in
      let (phone, other) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      let (start, manager) = (world.now, world.operations.manager)
      func send(_ count: Int32, from first: Int32) async throws {
        try await world.write([
          """
          INSERT INTO delivery_attempt (
            employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at)
          SELECT 7, 0, number, 1, attempt, step, recipient, \(start) + number * interval '1 second'
          FROM generate_series(\(first)::int, \(first + count - 1)::int) AS number
          CROSS JOIN (VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 3, 1))
            AS way (attempt, step, recipient)
          """
        ])
      }
      try await send(200, from: 1)
      let all = try await manager.people.support(of: phone.device)
      #expect(all.deliveries.map(\.id.subject) == (1...200).reversed())
      #expect(!all.hasMoreDeliveries && all.deliveries.allSatisfy { $0.step == .push })
      try await send(1, from: 201)
      let newest = try await manager.people.support(of: phone.device)
      #expect(newest.deliveries.map(\.id.subject) == (2...201).reversed())
      #expect(newest.hasMoreDeliveries)
      #expect(try await manager.people.support(of: other.device).hasMoreDeliveries)
    }
  }

  @Test("stays with the last shift in which the phone took part, and has none before the first")
  func lastShift() async throws {
    try await withWorld { world in
      let (old, new) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      let manager = world.operations.manager
      #expect(try await manager.people.support(of: old.device).history.shift == nil)
      try await old.clockIn("a", reporting: .always)
      world.wait(.hours(1))
      try await old.clockOut("b")
      world.wait(.hours(1))
      try await new.clockIn("c", reporting: .always)
      #expect(try await manager.people.support(of: old.device).history.shift?.number == 1)
      #expect(try await manager.people.support(of: new.device).history.shift?.number == 2)
      #expect(
        try await manager.people.support(of: old.device).clockIn
          == .openElsewhere(shift: 2, device: 2))
      try await old.takeOver("d") { $0.report = .saying(.always) }
      #expect(try await manager.people.support(of: old.device).history.shift?.number == 2)
      await #expect(throws: OperationError.self) {
        _ = try await manager.people.support(of: DeviceID(employee: EmployeeID(7), number: 3))
      }
    }
  }

  @Test("stays with the open shift when an earlier clock-in is accepted as another")
  func earlierShift() async throws {
    try await withWorld { world in
      let (first, second) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      world.wait(.minutes(10))
      try await first.beginShift()
      world.wait(.minutes(10))
      _ = try await second.clockIn("early") {
        $0.happened(at: morning, sentAt: world.now)
        $0.report = .saying(.always)
      }
      let number = try await world.clockAction("early")
      #expect(try await world.accepted(number, endedAt: morning + .minutes(10)) == 2)
      try await second.takeOver("mine") { $0.report = .saying(.always) }
      let support = try await world.operations.manager.people.support(of: second.device)
      #expect(support.history.shift?.number == 1)
    }
  }

  static let grants: [Authorization] = Authorization.allCases

  // R: A8
  @Test("foretells what a clock-in is answered", arguments: Preset.allCases, grants)
  func foretells(_ preset: Preset, _ authorization: Authorization) async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      _ = try await manager.policies.setPolicy(of: TeamID(1), PolicyChanges(preset: preset))
      for (round, age) in [Int64(0), 400].enumerated() {
        let phone = try await Phone.enrolled(in: world)
        try await phone.report(authorization)
        world.wait(.seconds(age))
        let preview = try await manager.people.support(of: phone.device).clockIn
        guard case .decided(let foretold, let guidance, let version, _) = preview else {
          Issue.record("\(preview)")
          return
        }
        #expect(guidance.remedies.map(\.finding) == foretold.findings.ranked && version > 0)
        switch try await phone.clockIn("a") {
        case .clockedIn(_, let decision), .blocked(let decision): #expect(decision == foretold)
        case let other: Issue.record("\(round): \(other)")
        }
        world.wait(.minutes(1))
        _ = try await phone.clockOut("b")
      }
    }
  }

  @Test("says that a revoked phone is refused, and takes an override into account")
  func overrides() async throws {
    try await withPhone { world, phone in
      let manager = world.operations.manager
      try await phone.report(.denied)
      _ = try await manager.reviews.giveOverride(
        to: EmployeeID(7), FindingSet(.denied), reason: "trusted", by: world.principal)
      guard
        case .decided(let decision, _, _, let override) = try await manager.people.support(
          of: phone.device
        ).clockIn
      else {
        Issue.record("not decided")
        return
      }
      #expect(decision.verdict == .warn && override?.reason == "trusted")
      try await manager.people.revoke(device: phone.device)
      #expect(try await manager.people.support(of: phone.device).clockIn == .revoked)
    }
  }
}

extension ClockInOutcome {
  fileprivate var isBlocked: Bool {
    if case .blocked = self { true } else { false }
  }
}
