import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

/// Employees who do nothing about a missing permission, by choice or because they cannot.
@Suite("A permission that is left alone") struct LeftAloneTests {
  // R: B2, B4
  @Test("keeps nobody from a whole working day where location is optional")
  func optional() async throws {
    try await withCompany(.advisory) { company in
      let (phone, other) = (
        try await Phone.enrolled(in: company), try await Phone.enrolled(in: company)
      )
      try await phone.report(.denied, services: .off)
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("in") else {
        throw Unexpected("something waited for a permission")
      }
      #expect(decision.verdict == .allow)
      company.wait(.minutes(1))
      let sign = IncomingPing(recordedAt: company.now, fix: nil)
      #expect(try await phone.ping([sign]) == [.stored], "a sign of life without a position")
      #expect(try await phone.startBreak("pause") == .done(shift))
      company.wait(.minutes(1))
      #expect(try await phone.endBreak("resume") == .done(shift))
      #expect(try await other.takeOver("take") == .done(shift))
      company.wait(.minutes(1))
      #expect(try await other.clockOut("out") == .done(shift))
      #expect(try await company.operations.notifications(of: nil, limit: 10).isEmpty)
    }
  }

  // R: B5
  @Test("or taken away and given back in the middle is only noted, and refreshed by itself")
  func changes() async throws {
    try await withCompany(.advisory) { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.minutes(1))
      let denied = try await phone.report(.denied)
      #expect(denied.snapshot.incidents.map(\.kind) == [.denied] && denied.snapshot.isTracking)
      company.wait(.minutes(1))
      let restored = try await phone.report(.always)
      #expect(restored.snapshot.incidents.isEmpty && restored.wantsFixNow)
      let queued = try await company.operations.notifications(of: nil, limit: 10)
      #expect(queued.map(\.topic) == [.incident, .restored], "for the open app: see `Ladder`")
    }
  }

  // R: A15
  @Test("stays as it is: asking again, or reporting the same, neither tells nor blocks anew")
  func dismissed() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      let shift = try await phone.beginShift()
      company.wait(.minutes(1))
      try await phone.report(.denied)
      for _ in 0..<3 {
        company.wait(.minutes(1))
        let before = try await phone.present
        #expect(try await phone.present == before, "asking changes nothing")
        let again = try await phone.report(.denied)
        #expect(again.snapshot.incidents == before.incidents && again.detection == nil)
      }
      #expect(try await company.operations.notifications(of: nil, limit: 10).count == 1)
      #expect(try await company.count("SELECT count(*) FROM incident") == 1)
      #expect(try await phone.startBreak("pause") == .done(shift))
      company.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
    }
  }

  // R: B6, W2, W4
  @Test("after the tap does not change the tap, which is decided on the state it was made in")
  func afterTheTap() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      let tapped = company.now
      // Made offline: what is younger is judged on the newest report.
      company.wait(.seconds(61))
      try await phone.report(.denied, sequence: 2)
      let outcome = try await phone.clockIn("in") {
        $0.happened(at: tapped, sentAt: company.now)
        $0.report = IncomingReport(
          state: PermissionState(authorization: .always, accuracy: .full, services: .on),
          sequence: 1)
      }
      guard case .clockedIn(let shift, let decision) = outcome else {
        throw Unexpected("\(outcome)")
      }
      #expect(decision.verdict == .allow)
      let incidents = try await company.operations.incidents(
        of: shift.employee, openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.denied] && incidents[0].origin == .midShift)
    }
  }
}
