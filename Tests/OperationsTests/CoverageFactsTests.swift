import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import Testing

@Suite("What coverage knows of a shift") struct CoverageFactsTests {
  // R: M6
  @Test("includes the report it began on, though that belongs to the shift before")
  func evidenceOfEarlierShift() async throws {
    try await withPhone { world, phone in
      try await phone.report(.whenInUse)
      _ = try await phone.clockIn("in")
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out")
      world.wait(.minutes(1))
      guard case .clockedIn(let shift, _) = try await phone.clockIn("next") else {
        throw Unexpected("refused while in use")
      }
      _ = try await phone.ping([fix(at: world.now)])
      world.wait(.minutes(1))
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.tracked])
      #expect(coverage.segments.allSatisfy { $0.isAtRisk })
    }
  }

  // R: M6, W4
  @Test("includes the report of an offline clock-in from that clock-in on, although it has no time")
  func offlineReport() async throws {
    try await withPhone { world, phone in
      let begin = world.now
      world.wait(.minutes(3))
      let outcome = try await phone.clockIn("in") {
        $0.occurredAt = begin
        $0.sentAt = world.now
        $0.report = IncomingReport(.state(PermissionState(authorization: .whenInUse)))
      }
      guard case .clockedIn(let shift, _) = outcome else { throw Unexpected("\(outcome)") }
      _ = try await phone.ping([fix(at: begin)], sentAt: world.now)
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.tracked])
      #expect(coverage.segments.allSatisfy { $0.isAtRisk })
    }
  }

  // R: M6, A11
  @Test("includes a denial from just before the clock-in that arrived after it")
  func reportFromBefore() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always, sequence: 1)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("in") else {
        throw Unexpected("refused with always")
      }
      world.wait(.seconds(5))
      let denied = try await phone.report(
        .denied, sequence: 2, recordedAt: world.now - .seconds(6), sentAt: world.now)
      #expect(denied.disposition == .inForce && denied.snapshot.incidents.map(\.kind) == [.denied])
      world.wait(.minutes(10))
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.denied])
    }
  }
}
