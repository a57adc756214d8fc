import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import OperationCore
import PolicyOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A shift that a manager opens") struct OpenedShiftTests {
  private let shift = ShiftID(employee: EmployeeID(7), number: 1)

  // R: W7, W9, W17
  @Test("waits without a phone, for the employee, the manager and the operator alike")
  func waits() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      #expect(try await world.open() == .opened(shift))
      #expect(try await world.open() == .unchanged(shift), "a repeat")
      world.wait(.minutes(10))
      try await phone.report(.denied)
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.noShift)])
      #expect(try await world.silences() == 0)
      let present = try await phone.present
      #expect(present.shift?.waitsForConfirmation == true && present.shift?.openedBy == .manager)
      #expect(!present.isTracking && present.incidents.isEmpty)
      let states = [
        present.trackingState, try await world.boardLine.trackingState,
        try await world.operations.insight.shiftDetails(of: shift).trackingState,
        try await world.check.trackingState,
      ]
      #expect(states.map(\.value) == Array(repeating: .notTracked, count: 4))
      #expect(states.map(\.reason) == Array(repeating: .notAsked, count: 4))
      #expect(try await world.boardLine.record.waitsForConfirmation)
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.notAsked] && coverage.trackingPermille == nil)
      let details = try await world.operations.insight.shiftDetails(of: shift).row
      #expect(details.openedBecause == OpeningReason(by: "Mira", reason: "no phone at hand"))
      let count = "SELECT count(*) FROM permission_report WHERE shift_no IS NOT NULL" as SQL
      #expect(try await world.count(count) == 0)
      #expect(try await world.topics == [.shiftOpened])
    }
  }

  // R: A8, W2, W9
  @Test("is tracked from the clock-in that confirms it, under the policy of that time")
  func confirmed() async throws {
    try await withPhone { world, phone in
      _ = try await world.open()
      world.wait(.minutes(10))
      guard case .blocked = try await phone.clockIn("no", reporting: .denied)
      else { throw Unexpected("let in") }
      #expect(try await phone.present.shift?.waitsForConfirmation == true)
      _ = try await world.operations.policies.setPolicy(
        of: TeamID(1), PolicyChanges(spans: [.pingInterval: .seconds(90)]))
      world.wait(.seconds(10))
      let confirmation = world.now
      let early = fix(at: confirmation - .seconds(30))
      let answer = try await phone.clockIn("yes") {
        $0.report = .saying(.whenInUse)
        $0.fix = early
      }
      guard case .clockedIn(shift, let decision) = answer else { throw Unexpected("\(answer)") }
      #expect(decision.verdict == .warn)
      #expect(
        try await phone.clockIn("yes") {
          $0.report = .saying(.whenInUse)
          $0.fix = early
        } == answer, "a repeat")
      let present = try await phone.present
      #expect(present.isTracking && present.shift?.startedAt == morning)
      #expect(present.shift?.waitsForConfirmation == false && present.shift?.openedBy == .manager)
      #expect(present.tracking.pingInterval == .seconds(90))
      #expect(present.tracking.fixAgeMax == .seconds(270))
      #expect(present.incidents.map(\.openedAt) == [confirmation])
      world.wait(.minutes(1))
      #expect(
        try await phone.ping([fix(at: world.now), fix(at: morning + .minutes(5))])
          == [.stored, .refused(.noShift)])
      #expect(try await world.silences() == 0)
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.notAsked, .tracked])
      #expect(coverage.segments.first?.interval.end == confirmation)
      #expect(coverage.trackingPermille == 1_000)
      let details = try await world.operations.insight.shiftDetails(of: shift)
      #expect(details.row.confirmedAt == confirmation && details.row.device == 1)
      #expect(details.history.takeOvers.isEmpty, "a confirmation is no take-over")
      #expect(try await !world.boardLine.record.waitsForConfirmation)
      try await phone.clockOut()
      #expect(try await world.shift(1).ending == .employee)
    }
  }

  // R: W9
  @Test("waits for its first position after the confirmation, and is silent only from then on")
  func silence() async throws {
    try await withPhone { world, phone in
      _ = try await world.open()
      world.wait(.minutes(30))
      try await phone.clockIn(reporting: .always)
      world.wait(.seconds(179))
      #expect(try await world.silences() == 0)
      #expect(try await phone.present.trackingState.reason == .waitingFirstFix)
      // Positions may be five seconds late, and a heartbeat is a second behind.
      world.wait(.seconds(5))
      #expect(try await world.silences() == 0)
      world.wait(.seconds(2))
      #expect(try await world.silences() == 1)
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: true, limit: 10)
      #expect(incidents.map(\.openedAt) == [morning + .minutes(33)])
    }
  }

  // R: W4, W14
  @Test("is confirmed by an offline clock-in at its time, but not by one from before it was opened")
  func offline() async throws {
    try await withPhone { world, phone in
      world.wait(.hours(1))
      _ = try await world.open()
      world.wait(.hours(1))
      func clockIn(_ id: String, at instant: Instant) async throws -> ClockInOutcome {
        try await phone.clockIn(id) {
          $0.happened(at: instant, sentAt: world.now)
          $0.report = .saying(.always)
        }
      }
      let early = try await clockIn("early", at: morning + .minutes(59))
      guard case .kept(let action) = early else { throw Unexpected("\(early)") }
      #expect(action.reason == .overlaps && action.shift == shift)
      #expect(try await phone.present.shift?.waitsForConfirmation == true)
      let then = morning + .minutes(90)
      guard case .clockedIn(shift, _) = try await clockIn("then", at: then)
      else { throw Unexpected("kept") }
      #expect(
        try await phone.ping([fix(at: then), fix(at: then - .seconds(2))])
          == [.stored, .refused(.noShift)])
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.notAsked, .tracked, .noContact])
      #expect(coverage.segments.first?.interval.end == then)
    }
  }

  // R: W10
  @Test("ends when it is declined, for its manager to review, and stays not asked")
  func declined() async throws {
    try await withPhone { world, phone in
      #expect(try await phone.decline("none") == .noWaitingShift)
      _ = try await world.open()
      world.wait(.minutes(10))
      #expect(try await phone.takeOver("take") == .noOpenShift)
      #expect(try await phone.startBreak("rest") == .noOpenShift)
      // However late it arrives, and however the phone's clock stood.
      let decline = { (action: inout ClockAction) in
        action.happened(at: morning + .minutes(5), sentAt: morning + .minutes(10))
        action.fix = fix(at: morning + .minutes(5))
      }
      #expect(try await phone.decline("no", decline) == .done(shift))
      #expect(try await phone.decline("no", decline) == .done(shift), "a repeat")
      #expect(try await phone.decline("again", decline) == .noWaitingShift)
      let row = try await world.shift(1)
      #expect(row.ending == .declined && row.needsReview && row.device == nil)
      #expect(row.endedAt == morning + .minutes(5))
      #expect(try await phone.present.shift == nil)
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.notAsked] && coverage.trackingPermille == nil)
      _ = try await world.operations.reviews.correct(
        shift, CorrectionRequest(endedAt: morning + .minutes(8), reason: "worked"), by: actor)
      #expect(try await !world.shift(1).needsReview)
      let longer = try await world.operations.insight.coverage(of: shift)
      #expect(longer.segments.map(\.reason) == [.notAsked])
      #expect(longer.segments.map(\.interval.end) == [morning + .minutes(8)])
      guard case .clockedIn(let next, _) = try await phone.clockIn(reporting: .always)
      else { throw Unexpected("refused") }
      #expect(next.number == 2)
    }
  }

  @Test("is ended by a clock-out too, without a position of a phone that tracked nothing")
  func clockedOut() async throws {
    try await withPhone { world, phone in
      _ = try await world.open()
      world.wait(.minutes(10))
      let at = world.now
      #expect(try await phone.clockOut { $0.fix = fix(at: at) } == .done(shift))
      let row = try await world.shift(1)
      #expect(row.ending == .employee && !row.needsReview && row.endFix == nil)
    }
  }

  // R: W15
  @Test("waits again when the end that a manager gave it is undone")
  func undone() async throws {
    try await withPhone { world, phone in
      _ = try await world.open()
      world.wait(.minutes(10))
      let corrected = try await world.operations.reviews.correct(
        shift, CorrectionRequest(endedAt: morning + .minutes(9), reason: "over"), by: actor)
      guard case .corrected(let row) = corrected else { throw Unexpected("\(corrected)") }
      #expect(try await phone.present.shift == nil)
      let undone = try await world.operations.reviews.undo(
        correction: row.number, of: shift, reason: "not over", by: actor)
      guard case .undone = undone else { throw Unexpected("\(undone)") }
      #expect(try await phone.present.shift?.waitsForConfirmation == true)
      guard case .clockedIn(shift, _) = try await phone.clockIn(reporting: .always)
      else { throw Unexpected("refused") }
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
    }
  }

  @Test("is not opened in the future, beyond its length, beside another, or for nobody")
  func refused() async throws {
    try await withPhone { world, phone in
      world.wait(.hours(20))
      #expect(try await world.open(at: world.now + .milliseconds(1)) == .inFuture)
      #expect(try await world.open(at: world.now - .hours(16)) == .tooLong)
      try await phone.beginShift()
      #expect(try await world.open() == .overlaps(shift))
      world.wait(.minutes(1))
      try await phone.clockOut()
      #expect(try await world.open(at: world.now - .seconds(1)) == .overlaps(shift))
      let back = try await world.open(at: world.now)
      #expect(back == .opened(ShiftID(employee: EmployeeID(7), number: 2)))
      await #expect(throws: OperationError.self) {
        _ = try await world.operations.reviews.openShift(
          for: EmployeeID(99), OpeningRequest(reason: "who?"), by: world.principal)
      }
    }
  }

  // R: W2
  @Test("has one end of a race between opening, confirming and declining")
  func race() async throws {
    try await withPhone { world, phone in
      for round in 1...12 as ClosedRange<Int32> {
        world.wait(.minutes(1))
        try await phone.report(.always)
        async let one = world.open()
        async let two = world.another().open("another reason")
        let outcomes = try await [one, two]
        let shift = ShiftID(employee: EmployeeID(7), number: round)
        #expect(outcomes.contains(.opened(shift)) && outcomes.contains(.overlaps(shift)))
        world.wait(.seconds(1))
        async let confirmation = phone.clockIn("in \(round)")
        async let decline = phone.decline("no \(round)")
        let isDeclined = try await decline == .done(shift)
        guard case .clockedIn(let begun, _) = try await confirmation
        else { throw Unexpected("refused") }
        // Declined first, the clock-in opened a shift of its own.
        #expect(begun.number == (isDeclined ? round + 1 : round))
        world.wait(.seconds(1))
        try await phone.clockOut("out \(round)")
        if isDeclined { return }
      }
    }
  }
}

extension OperationsWorld {
  fileprivate func open(_ reason: String = "no phone at hand", at start: Instant? = nil)
    async throws -> OpeningOutcome
  {
    try await operations.reviews.openShift(
      for: EmployeeID(7), OpeningRequest(startedAt: start, reason: reason), by: principal)
  }

  fileprivate var boardLine: BoardLine {
    get async throws {
      let lines = try await operations.insight.board(for: principal).lines
      guard let line = lines.first else { throw Unexpected("no line") }
      return line
    }
  }

  fileprivate var check: EmployeeCheck {
    get async throws {
      try await operations.insight.check(employee: EmployeeID(7), device: nil, preset: nil)
    }
  }

  fileprivate var topics: [NotificationTopic] {
    get async throws {
      try await operations.notifications.notifications(of: EmployeeID(7), limit: 10)
        .map(\.notification.topic)
    }
  }
}
