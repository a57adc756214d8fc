import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

extension OperationsWorld {
  /// Expects that phone, check and the details of the shift agree; returns what they say.
  @discardableResult
  fileprivate func agreedState(_ phone: Phone, _ what: String) async throws -> TrackingState {
    let shift = ShiftID(employee: EmployeeID(7), number: 1)
    let whole = try await operations.insight.shiftDetails(of: shift).trackingState
    #expect(try await phone.present.trackingState == whole, "\(what)")
    let check = try await operations.insight.check(
      employee: shift.employee, device: nil, preset: nil)
    #expect(check.trackingState == whole, "\(what)")
    return whole
  }

  func openKinds() async throws -> [IncidentKind] {
    try await operations.insight.incidents(of: EmployeeID(7), openOnly: true, limit: 10)
      .map(\.kind)
  }

  fileprivate func endAndUndo() async throws {
    try await corrected(1, nil, now - .seconds(5))
    wait(.seconds(60))
    let outcome = try await operations.reviews.undo(
      correction: 1, of: ShiftID(employee: EmployeeID(7), number: 1), reason: "mistake", by: actor)
    guard case .undone = outcome else { throw Unexpected("\(outcome)") }
  }
}

// R: M6
@Suite("The tracking state after unusual sequences") struct PresentSequenceTests {
  @Test("after a fix from a clock that is ahead goes on by the fix before, while the phone rests")
  func ahead() async throws {
    try await withPhoneOnShift { world, phone in
      _ = try await phone.ping([.fix(at: world.now)])
      for _ in 0..<80 {
        world.wait(.seconds(60))
        _ = try await phone.ping([
          IncomingPing(recordedAt: world.now, fix: nil, isStationary: true)
        ])
      }
      _ = try await phone.ping([.fix(at: world.now + .seconds(45))])
      #expect(try await world.agreedState(phone, "ahead").value == .tracked)
    }
  }

  @Test("of a phone that sends many pings is that of all")
  func manyPings() async throws {
    try await withPhoneOnShift { world, phone in
      func sendMany(_ ping: (Instant) -> IncomingPing) async throws {
        _ = try await phone.ping((0..<30).map { ping(world.now - .seconds($0)) })
      }
      world.wait(.minutes(1))
      try await sendMany { .fix(at: $0) }
      #expect(try await world.agreedState(phone, "positions").value == .tracked)
      world.wait(.minutes(1))
      try await sendMany { IncomingPing(recordedAt: $0, fix: nil) }
      let state = try await world.agreedState(phone, "signs of life after a position")
      #expect(state.value == .tracked)
      world.wait(.minutes(10))
      try await sendMany { IncomingPing(recordedAt: $0, fix: nil, isStationary: true) }
      #expect(try await world.agreedState(phone, "at rest").value == .tracked)
      world.wait(.minutes(10))
      try await sendMany { IncomingPing(recordedAt: $0, fix: nil) }
      #expect(try await world.agreedState(phone, "signs of life alone").reason == .noFix)
      var mocked = IncomingPing.fix(at: world.now)
      mocked.isMock = true
      _ = try await phone.ping([mocked])
      world.wait(.minutes(1))
      try await sendMany { IncomingPing(recordedAt: $0, fix: nil) }
      let unproven = try await world.agreedState(phone, "signs of life after a mock location")
      #expect(unproven.reason == .mockLocation)
    }
  }

  @Test("of a clock-in includes the report sent with it, which a newer one had overtaken")
  func overtaken() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always, services: .unknown, sequence: 12)
      let outcome = try await phone.clockIn("in") {
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .always, accuracy: .full, services: .off)),
          sequence: 11)
      }
      guard case .clockedIn = outcome else { throw Unexpected("\(outcome)") }
      let state = try await world.agreedState(phone, "overtaken")
      #expect(state.reason == .servicesOff)
      #expect(try await world.openKinds() == [.servicesOff])
    }
  }

  @Test("of a shift whose end a manager took back goes on with all reports, and is counted again")
  func undone() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always, sequence: 1)
      _ = try await phone.clockIn("in")
      world.wait(.seconds(60))
      _ = try await phone.ping([.fix(at: world.now)])
      try await phone.report(.always, services: .off, sequence: 2)
      try await phone.report(.always, services: .unknown, sequence: 3)
      #expect(try await world.openKinds() == [.servicesOff])
      world.wait(.seconds(30))
      let ended = world.now
      try await world.endAndUndo()
      let undone = world.now
      #expect(try await world.openKinds() == [.servicesOff])
      #expect(try await world.agreedState(phone, "undone").reason == .servicesOff)
      world.wait(.seconds(60))
      #expect(try await world.agreedState(phone, "later").reason == .servicesOff)
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      let notAsked = coverage.segments.filter { $0.reason == .notAsked }.map(\.interval)
      #expect(notAsked == [Interval(from: ended, to: undone)])
    }
  }

  @Test("of a shift whose end was undone resumes as before it")
  func undoneRestored() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always, sequence: 1)
      _ = try await phone.clockIn("in")
      _ = try await phone.ping([.fix(at: world.now)])
      world.wait(.seconds(20))
      try await phone.report(.denied, sequence: 2)
      world.wait(.seconds(20))
      try await phone.report(.always, sequence: 3)
      try await world.agreedState(phone, "restored")
      world.wait(.seconds(10))
      try await world.endAndUndo()
      #expect(try await world.agreedState(phone, "undone").reason == .resuming)
    }
  }
}
