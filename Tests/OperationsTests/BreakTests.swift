import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import OperationCore
import Postgres
import ShiftDomain
import Testing

@Suite("A break") struct BreakTests {
  private let always = PermissionState(authorization: .always, accuracy: .full, services: .on)

  // R: W5
  @Test("stops tracking, takes no position and counts as none; then work goes on")
  func dayWithBreak() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      world.wait(.minutes(1))
      let began = world.now
      #expect(try await phone.startBreak("pause") == .done(shift))
      let resting = try await phone.present
      #expect(!resting.isTracking && resting.shift?.latestBreak?.startedAt == began)
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.onBreak)])
      world.wait(.minutes(9))
      #expect(try await phone.endBreak("resume") == .done(shift))
      #expect(try await phone.present.isTracking)
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      world.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
      let coverage = try await world.operations.insight.coverage(of: shift)
      let rests = coverage.segments.filter { $0.reason == .onBreak }
      #expect(rests.map(\.interval) == [Interval(from: began, to: began + .minutes(10))])
      #expect(coverage.trackingPermille == 666, "the first minute of three waits for a fix")
    }
  }

  // R: W5, A11
  @Test("opens no incident; what still impairs when it ends is one from then")
  func incidents() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      _ = try await phone.startBreak("pause")
      world.wait(.minutes(1))
      try await phone.report(.denied)
      #expect(try await phone.present.incidents.isEmpty)
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).isEmpty)
      world.wait(.minutes(1))
      _ = try await phone.endBreak("resume")
      let incident = try await world.operations.insight.incident(
        IncidentID(employee: EmployeeID(7), number: 1))
      #expect(incident.kind == .denied && incident.openedAt == world.now)
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).count == 1)
    }
  }

  // R: W5
  @Test("that begins or ends with a report is judged on it, and not on the one before")
  func reportAlong() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      _ = try await phone.startBreak("pause") {
        $0.report = IncomingReport(.state(PermissionState(authorization: .denied, services: .on)))
      }
      #expect(try await phone.present.incidents.isEmpty, "it was found on the break")
      world.wait(.minutes(1))
      _ = try await phone.endBreak("resume") { $0.report = IncomingReport(.state(always)) }
      #expect(try await world.count("SELECT count(*) FROM incident") == 0)
    }
  }

  // R: W5
  @Test("is begun and ended by any of the employee's phones, each request once")
  func anyPhone() async throws {
    try await withWorld { world in
      let phones = [
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world),
      ]
      let shift = try await phones[0].beginShift()
      world.wait(.minutes(1))
      #expect(try await phones[1].startBreak("pause") == .done(shift))
      world.wait(.minutes(1))
      #expect(try await phones[0].startBreak("again") == .done(shift), "a break in a break")
      #expect(try await phones[1].startBreak("pause") == .done(shift), "a repeat")
      #expect(try await world.count("SELECT count(*) FROM shift_break") == 1)
      #expect(try await phones[1].endBreak("resume") == .done(shift))
      #expect(try await phones[0].endBreak("again-2") == .notOnBreak(shift))
      #expect(try await phones[1].endBreak("resume") == .done(shift))
    }
  }

  // R: W2, W5
  @Test("under an id that another clock action had is refused")
  func reused() async throws {
    try await withPhone { world, phone in
      try await phone.beginShift("a")
      world.wait(.minutes(1))
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.startBreak("a") }
      _ = try await phone.startBreak("b")
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.endBreak("b") }
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.takeOver("b") }
      await #expect(throws: OperationError.actionIDReused) { _ = try await phone.clockOut("b") }
    }
  }

  // R: W5, W7
  @Test("that is reported late seals what was stored in it, and deletes it at its end")
  func late() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      let begin = world.now
      world.wait(.minutes(10))
      let uploaded = try await phone.ping(
        (1...9).map { fix(at: begin + .minutes($0)) }, sentAt: world.now)
      #expect(uploaded.allSatisfy { $0 == .stored })
      let told = try await phone.startBreak("pause") {
        $0.happened(at: begin + .minutes(5), sentAt: world.now)
      }
      #expect(told == .done(shift))
      #expect(try await world.storedPings == 9)
      #expect(try await world.track() == [1, 2, 3, 4])
      // What lies behind the end comes back, and is not asked for again.
      let ended = try await phone.endBreak("resume") {
        $0.happened(at: begin + .minutes(8), sentAt: world.now)
      }
      #expect(ended == .done(shift))
      #expect(try await world.storedPings == 6)
      #expect(try await world.track() == [1, 2, 3, 4, 8, 9])
      let again = try await phone.ping(
        (1...9).map { fix(at: begin + .minutes($0)) }, sentAt: world.now)
      #expect(
        again == Array(repeating: .duplicate, count: 4)
          + Array(repeating: .refused(.onBreak), count: 3) + [.duplicate, .duplicate])
    }
  }

  // R: W2, W4, W5
  @Test("that arrives out of order is kept for a manager if it was made offline")
  func contradictions() async throws {
    try await withPhone { world, phone in
      #expect(try await phone.startBreak("none") == .noOpenShift)
      #expect(try await phone.endBreak("none-2") == .noOpenShift)
      let before = world.now
      world.wait(.minutes(5))
      let shift = try await phone.beginShift()
      world.wait(.minutes(5))
      #expect(try await phone.endBreak("early") == .notOnBreak(shift))
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 0)
      let outcome = try await phone.startBreak("past") {
        $0.happened(at: before, sentAt: world.now)
      }
      guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
      #expect(action.reason == .noOpenShift && action.shift == shift)
      #expect(
        try await phone.startBreak("past") { $0.happened(at: before, sentAt: world.now) }
          == outcome, "a repeat gets the same answer")
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
      let notifications = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(notifications.map(\.notification.topic) == [.clockActionForReview])
      #expect(
        try await world.count("SELECT action_no::bigint FROM clock_action WHERE needs_review")
          == Int64(notifications[0].notification.subject))
    }
  }
}
