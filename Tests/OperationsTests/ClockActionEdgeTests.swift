import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Clock actions at the limits") struct ClockActionEdgeTests {
  private let always = PermissionState(authorization: .always, accuracy: .full, services: .on)

  // R: W1
  @Test("from a clock that runs ahead count as made when they arrive")
  func ahead() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      guard
        case .clockedIn(let shift, _) = try await phone.clockIn(
          "in", { $0.occurredAt = world.now + .seconds(30) })
      else { throw Unexpected("refused with always") }
      #expect(try await world.operations.insight.shift(shift).startedAt == world.now)
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out") { $0.occurredAt = world.now + .seconds(30) }
      #expect(try await world.operations.insight.shift(shift).endedAt == world.now)
      world.wait(.seconds(1))
      guard case .clockedIn = try await phone.clockIn("next") else {
        throw Unexpected("an end in the future was in the way")
      }
    }
  }

  // R: W1, W7
  @Test("that meet the end of a shift that another instance's clock put ahead are refused as such")
  func instancesDisagree() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      _ = try await phone.clockOut("out")
      world.wait(.milliseconds(-200))
      #expect(try await phone.clockIn("next") == .overlaps)
    }
  }

  // R: W4
  @Test("over 24 hours old are kept for review, whichever clock shows their age")
  func old() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      for hours: Int64 in [25, 8 * 24, 25 * 365 * 24] {
        let outcome = try await phone.clockIn("in-\(hours)") {
          $0.occurredAt = world.now - .hours(hours)
        }
        guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
        #expect(action.reason == .tooOld && action.review == nil && action.shift == nil)
      }
    }
  }

  // R: W2
  @Test("of one kind do not answer for the other under the same id")
  func otherKind() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      _ = try await phone.clockIn("a")
      world.wait(.minutes(1))
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.clockOut("a") }
      _ = try await phone.clockOut("b")
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.clockIn("b") }
    }
  }

  // R: M2, M3
  @Test("made now are judged on what holds now, not on an older report sent along")
  func olderReportAlong() async throws {
    try await withPhone { _, phone in
      try await phone.report(.denied, sequence: 5)
      let outcome = try await phone.clockIn("in") {
        $0.report = IncomingReport(.state(always), sequence: 4)
      }
      guard case .blocked(let decision) = outcome else { throw Unexpected("\(outcome)") }
      #expect(decision.blocking.contains(.denied))
    }
  }

  // R: W4
  @Test("made offline while another phone worked are kept for review")
  func openElsewhere() async throws {
    try await withWorld { world in
      let phones = [
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world),
      ]
      let begin = world.now
      world.wait(.hours(1))
      try await phones[0].report(.always)
      _ = try await phones[0].clockIn("in")
      world.wait(.hours(1))
      let outcome = try await phones[1].clockIn("late") {
        $0.occurredAt = begin
        $0.sentAt = world.now
        $0.report = IncomingReport(.state(always), recordedAt: begin)
      }
      guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
      #expect(action.reason == .overlaps && action.shift?.number == 1)
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
    }
  }

  // R: W2, M3
  @Test("of a clock-out: a report from before it is of the shift, one from then on is not")
  func reportAtTheEnd() async throws {
    // Seconds from the clock-in to what the report tells; the tap was after 60.
    for (told, isOfTheShift) in [(30, true), (59, true), (60, false), (90, false)]
      as [(Int64, Bool)]
    {
      try await withPhone { world, phone in
        let shift = try await phone.beginShift()
        let begin = world.now
        world.wait(.minutes(2))
        let outcome = try await phone.clockOut("out") {
          $0.happened(at: begin + .seconds(60), sentAt: world.now)
          $0.report = IncomingReport(
            .state(PermissionState(authorization: .denied)), recordedAt: begin + .seconds(told))
        }
        #expect(outcome == .done(shift))
        let incidents = try await world.operations.insight.incidents(
          of: shift.employee, openOnly: false, limit: 10)
        #expect(incidents.map(\.kind) == (isOfTheShift ? [.denied] : []), "\(told)")
        #expect(
          try await world.count(
            "SELECT count(shift_no) FROM permission_report WHERE authorization_code = 3")
            == (isOfTheShift ? 1 : 0), "\(told)")
        #expect(try await phone.present.report?.state.authorization == .denied)
      }
    }
  }
}
