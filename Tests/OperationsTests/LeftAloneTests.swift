import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

/// Employees who do nothing about a missing permission, by choice or because they cannot.
@Suite("A permission that is left alone") struct LeftAloneTests {
  // R: B2, B4
  @Test("keeps no employee from a whole working day where location is optional")
  func optional() async throws {
    try await withWorld(.advisory) { world in
      let (phone, other) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      try await phone.report(.denied, services: .off)
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("in") else {
        throw Unexpected("something waited for a permission")
      }
      #expect(decision.verdict == .allow)
      world.wait(.minutes(1))
      let sign = IncomingPing(recordedAt: world.now, fix: nil)
      #expect(try await phone.ping([sign]) == [.stored], "a sign of life without a position")
      #expect(try await phone.startBreak("pause") == .done(shift))
      world.wait(.minutes(1))
      #expect(try await phone.endBreak("resume") == .done(shift))
      #expect(try await other.takeOver("take") == .done(shift))
      world.wait(.minutes(1))
      #expect(try await other.clockOut("out") == .done(shift))
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).isEmpty)
    }
  }

  // R: B5
  @Test("or taken away and given back in the middle is only noted, and refreshed by itself")
  func changes() async throws {
    try await withPhone(.advisory) { world, phone in
      try await phone.beginShift()
      world.wait(.minutes(1))
      let denied = try await phone.report(.denied)
      #expect(denied.snapshot.incidents.map(\.kind) == [.denied] && denied.snapshot.isTracking)
      world.wait(.minutes(1))
      let restored = try await phone.report(.always)
      #expect(restored.snapshot.incidents.isEmpty && restored.wantsFixNow)
      let queued = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(
        queued.map(\.notification.topic) == [.incident, .restored],
        "for the open app: see `EscalationPolicy`")
    }
  }

  // R: A15
  @Test("stays as it is: asking again, or reporting the same, neither notifies nor blocks again")
  func dismissed() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      world.wait(.minutes(1))
      try await phone.report(.denied)
      for _ in 0..<3 {
        world.wait(.minutes(1))
        let before = try await phone.present
        #expect(try await phone.present == before, "asking changes nothing")
        let again = try await phone.report(.denied)
        #expect(again.snapshot.incidents == before.incidents && again.detection == nil)
      }
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).count == 1)
      #expect(try await world.count("SELECT count(*) FROM incident") == 1)
      #expect(try await phone.startBreak("pause") == .done(shift))
      world.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
    }
  }

  // R: B6, W2, W4
  @Test("after the clock-in does not change it: it is decided on the state in which it was made")
  func afterTheClockAction() async throws {
    try await withPhone { world, phone in
      let acted = world.now
      // Made offline: what is younger is judged on the newest report.
      world.wait(.seconds(61))
      try await phone.report(.denied, sequence: 2)
      let outcome = try await phone.clockIn("in") {
        $0.happened(at: acted, sentAt: world.now)
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .always, accuracy: .full, services: .on)),
          sequence: 1)
      }
      guard case .clockedIn(let shift, let decision) = outcome else {
        throw Unexpected("\(outcome)")
      }
      #expect(decision.verdict == .allow)
      let incidents = try await world.operations.insight.incidents(
        of: shift.employee, openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.denied] && incidents[0].origin == .midShift)
    }
  }
}
