import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@Suite("What coverage knows of a shift") struct CoverageFactsTests {
  // R: M6
  @Test("includes the report it began on, though that belongs to the shift before")
  func evidenceOfEarlierShift() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.report(.whenInUse)
      _ = try await phone.clockIn("in")
      company.wait(.minutes(1))
      _ = try await phone.clockOut("out")
      company.wait(.minutes(1))
      guard case .clockedIn(let shift, _) = try await phone.clockIn("next") else {
        throw Unexpected("refused while in use")
      }
      _ = try await phone.ping([fix(at: company.now)])
      company.wait(.minutes(1))
      let coverage = try await company.operations.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.tracked])
      #expect(coverage.segments.allSatisfy { $0.isAtRisk })
    }
  }

  // R: M6, W4
  @Test("includes the report of an offline clock-in from the tap on, though it tells no time")
  func offlineReport() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      let begin = company.now
      company.wait(.minutes(3))
      let outcome = try await phone.clockIn("in") {
        $0.occurredAt = begin
        $0.sentAt = company.now
        $0.report = IncomingReport(state: PermissionState(authorization: .whenInUse))
      }
      guard case .clockedIn(let shift, _) = outcome else { throw Unexpected("\(outcome)") }
      _ = try await phone.ping([fix(at: begin)], sentAt: company.now)
      let coverage = try await company.operations.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.tracked])
      #expect(coverage.segments.allSatisfy { $0.isAtRisk })
    }
  }

  // R: M6, A11
  @Test("includes a denial from just before the clock-in that arrived after it")
  func reportFromBefore() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.report(.always, sequence: 1)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("in") else {
        throw Unexpected("refused with always")
      }
      company.wait(.seconds(5))
      let denied = try await phone.report(
        .denied, sequence: 2, recordedAt: company.now - .seconds(6), sentAt: company.now)
      #expect(denied.disposition == .inForce && denied.snapshot.incidents.map(\.kind) == [.denied])
      company.wait(.minutes(10))
      let coverage = try await company.operations.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.denied])
    }
  }
}
