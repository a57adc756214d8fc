import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Clock-in") struct ClockInTests {
  // R: M2, A8
  @Test("is refused without location permission, with every finding")
  func blocks() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied, services: .off)
      guard case .blocked(let decision) = try await phone.clockIn("a") else {
        throw Unexpected("clocked in without permission")
      }
      #expect(decision.blocking.ranked == [.servicesOff, .denied])
      #expect(try await world.count("SELECT count(*) FROM shift") == 0)
      // R: W3
      #expect(
        try await world.count(
          "SELECT count(*) FROM clock_action WHERE outcome = 3 AND blocking <> 0")
          == 1)
    }
  }

  // R: M2, A9
  @Test("warns while in use, and records the incident from the start without a message")
  func warns() async throws {
    try await withPhone { world, phone in
      try await phone.report(.whenInUse)
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("a") else {
        throw Unexpected("refused while in use")
      }
      #expect(decision.verdict == .warn && decision.warning.ranked == [.whenInUse])
      let incidents = try await world.operations.insight.incidents(
        of: shift.employee, openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.whenInUse] && incidents[0].origin == .atClockIn)
      #expect(try await world.count("SELECT count(*) FROM notification") == 0)
    }
  }

  // R: M2
  @Test("passes with always, and the shift carries the decision")
  func allows() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("a") else {
        throw Unexpected("refused with always")
      }
      #expect(decision.verdict == .allow)
      let row = try await world.operations.insight.shift(shift)
      #expect(row.verdict == .allow && row.startedAt == world.now && row.endedAt == nil)
    }
  }

  // R: B1
  @Test("is never refused where location is optional")
  func advisory() async throws {
    try await withPhone(.advisory) { _, phone in
      guard case .clockedIn(_, let decision) = try await phone.clockIn("a") else {
        throw Unexpected("refused without a report")
      }
      #expect(decision.verdict == .allow)
    }
  }

  // R: C3, C6
  @Test("needs always where that is the policy")
  func strict() async throws {
    try await withPhone(.strict) { _, phone in
      try await phone.report(.whenInUse)
      guard case .blocked(let refusal) = try await phone.clockIn("a") else {
        throw Unexpected("while in use was enough")
      }
      #expect(refusal.blocking.ranked == [.whenInUse])
      try await phone.report(.always)
      guard case .clockedIn(_, let decision) = try await phone.clockIn("b") else {
        throw Unexpected("always was not enough")
      }
      #expect(decision.verdict == .allow)
    }
  }

  // R: W2
  @Test("gives the same clock-in the same answer, and another body under its id none")
  func replays() async throws {
    try await withPhone { _, phone in
      try await phone.report(.denied)
      let first = try await phone.clockIn("a")
      try await phone.report(.always)
      #expect(try await phone.clockIn("a") == first)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("b") else {
        throw Unexpected("a new attempt was not judged by itself")
      }
      guard case .clockedIn(let again, _) = try await phone.clockIn("b") else {
        throw Unexpected("the repeat got another answer")
      }
      #expect(shift == again)
      await #expect(throws: OperationError.actionIDReused) {
        _ = try await phone.clockIn("b") { $0.bodyHash = Array(repeating: 2, count: 32) }
      }
      #expect(try await phone.clockIn("c") == .alreadyOpen(shift))
    }
  }

  // R: W2, W7
  @Test("lets one of two phones win when both clock in at once")
  func twoPhones() async throws {
    try await withWorld { world in
      let phones = [
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world),
      ]
      for phone in phones { try await phone.report(.always) }
      for round in 0..<20 {
        async let left = phones[0].clockIn("in-\(round)")
        async let right = phones[1].clockIn("in-\(round)")
        let outcomes = [try await left, try await right]
        let begun = outcomes.filter { if case .clockedIn = $0 { true } else { false } }
        let elsewhere = outcomes.filter { if case .openElsewhere = $0 { true } else { false } }
        #expect(begun.count == 1 && elsewhere.count == 1, "round \(round): \(outcomes)")
        world.wait(.seconds(1))
        _ = try await phones[0].clockOut("out-\(round)")
        world.wait(.seconds(1))
      }
    }
  }

  // R: M2, M3, W2
  @Test("never leaves a denial unseen that crosses it")
  func crossing() async throws {
    try await withPhone { world, phone in
      var (began, refused) = (0, 0)
      for round in 0..<100 {
        try await phone.report(.always)
        async let acted = phone.clockIn("in-\(round)")
        async let denied = phone.report(.denied)
        let (outcome, _) = (try await acted, try await denied)
        switch outcome {
        case .clockedIn(let shift, _):
          began += 1
          let open = try await world.operations.insight.incidents(
            of: shift.employee, openOnly: true, limit: 10)
          #expect(open.map(\.kind) == [.denied], "round \(round): the denial went unseen")
        case .blocked(let decision):
          refused += 1
          #expect(decision.blocking.contains(.denied))
        default:
          Issue.record("round \(round): \(outcome)")
        }
        world.wait(.seconds(1))
        _ = try await phone.clockOut("out-\(round)")
        world.wait(.seconds(1))
      }
      #expect(began + refused == 100)
    }
  }

  // R: W4
  @Test("is accepted up to 24 hours late, judged on the report sent with it")
  func offline() async throws {
    try await withPhone { world, phone in
      let begin = world.now
      world.wait(.hours(8))
      let state = PermissionState(authorization: .always, accuracy: .full, services: .on)
      guard
        case .clockedIn(let shift, _) = try await phone.clockIn(
          "in",
          {
            $0.occurredAt = begin
            $0.sentAt = world.now
            $0.report = IncomingReport(.state(state), recordedAt: begin)
          })
      else { throw Unexpected("an offline clock-in was refused") }
      let results = try await phone.ping(
        (0..<100).map { fix(at: begin + .minutes($0)) }, sentAt: world.now)
      #expect(results.allSatisfy { $0 == .stored })
      _ = try await phone.clockOut("out") {
        $0.occurredAt = begin + .hours(2)
        $0.sentAt = world.now
      }
      let row = try await world.operations.insight.shift(shift)
      #expect(row.startedAt == begin && row.endedAt == begin + .hours(2))
      guard
        case .kept(let action) = try await phone.clockIn(
          "again",
          {
            $0.occurredAt = begin + .hours(1)
            $0.sentAt = world.now
            $0.report = IncomingReport(.state(state), recordedAt: begin + .hours(1))
          })
      else { throw Unexpected("an overlapping clock-in was accepted") }
      #expect(action.reason == .overlaps && action.shift == shift)
      #expect(
        try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1,
        "an overlapping clock-in is kept for review")
      let old = try await phone.clockIn("old") {
        $0.occurredAt = world.now - .hours(25)
        $0.sentAt = world.now
      }
      guard case .kept(let late) = old else { throw Unexpected("\(old)") }
      #expect(late.reason == .tooOld && late.shift == shift)
    }
  }

  @Test("cannot be ended before it began, or when nothing is open")
  func clockOutRefusals() async throws {
    try await withPhone { world, phone in
      #expect(try await phone.clockOut("none") == .noOpenShift)
      try await phone.report(.always)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("in") else {
        throw Unexpected("refused with always")
      }
      let early = try await phone.clockOut("early") {
        $0.occurredAt = world.now - .hours(1)
        $0.sentAt = world.now
      }
      guard case .kept(let action) = early else { throw Unexpected("\(early)") }
      #expect(action.reason == .noOpenShift && action.shift == shift)
      world.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
      #expect(try await phone.clockOut("out") == .done(shift))
    }
  }

  // R: W1
  @Test("at an instance whose clock is ahead opens a shift that every other instance sees as open")
  func begunAhead() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      let ahead = world.now + .seconds(1)
      let (outcome, _) = try await TestOperations(pool: world.pool, now: { ahead }).device.clockIn(
        ClockAction("in"), from: phone.credential, receipt: Receipt(at: ahead, monotonic: .now))
      guard case .clockedIn = outcome else { throw Unexpected("\(outcome)") }
      let present = try await phone.present.trackingState
      #expect(present.value == .notTracked && present.reason == .waitingFirstFix)
      let board = try await world.operations.insight.board(for: world.principal)
      #expect(board.lines.map(\.trackingState) == [present])
    }
  }

  // R: W2
  @Test("takes a report that was posted before as the one it is")
  func reportTwice() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always, sequence: 1)
      let outcome = try await phone.clockIn("in") {
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .always, accuracy: .full, services: .on)),
          sequence: 1)
      }
      guard case .clockedIn = outcome else { throw Unexpected("\(outcome)") }
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 1)
      #expect(
        try await world.count("SELECT count(*) FROM permission_report WHERE shift_no = 1") == 1)
    }
  }
}
