import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import NotificationOperations
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

private let first = ShiftID(employee: EmployeeID(7), number: 1)

/// In hours after the beginning of the test.
private func hours(_ from: Int64, _ to: Int64) -> Interval {
  Interval(from: morning + .hours(from), to: morning + .hours(to))
}

extension OperationsWorld {
  fileprivate func add(
    _ span: Interval, breaks: [ShiftSpan] = [], reason: String = "forgot her phone",
    by principal: Principal? = nil
  ) async throws -> AdditionOutcome {
    try await operations.reviews.addShift(
      for: EmployeeID(7), AddedShift(span, breaks: breaks, reason: reason),
      by: principal ?? self.principal)
  }

  /// A phone, and a shift of yesterday that nobody had recorded.
  fileprivate func forgotten() async throws -> Phone {
    let phone = try await Phone.enrolled(in: self)
    wait(.hours(24))
    let noon = ShiftSpan(from: morning + .hours(4), to: morning + .hours(5))
    #expect(try await add(hours(0, 8), breaks: [noon]) == .added(first))
    return phone
  }

  /// The newest notification about the shift reaches the employee's phone now.
  fileprivate func deliver() async throws {
    try await write(
      """
      INSERT INTO delivery_attempt (
        employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at, outcome)
      SELECT employee_id, topic, subject, ordinal, 1, \(EscalationStep.push.column), 1, \(now),
        \(DeliveryOutcome.accepted.column)
      FROM notification WHERE employee_id = 7 ORDER BY queued_at DESC, ordinal DESC LIMIT 1
      """)
  }

  fileprivate func confirm(_ phone: Phone) async throws -> TimesConfirmation {
    try await operations.device.confirmTimes(
      ofShift: 1, seen: times().revision, from: phone.credential, receipt: receipt)
  }

  fileprivate func object(_ phone: Phone) async throws {
    let outcome = try await operations.device.objectToTimes(
      ofShift: 1, seen: times().revision, because: "I was ill", from: phone.credential,
      receipt: receipt)
    guard case .objected = outcome else { throw Unexpected("\(outcome)") }
  }
}

// R: W21
@Suite("A past shift that a manager adds") struct AddedShiftTests {
  @Test("is not taken for the employee's latest shift, though its number is the highest")
  func older() async throws {
    try await withWorld { world in
      let phone = try await Phone.enrolled(in: world)
      _ = try await world.operations.people.planShift(
        EmployeeID(7), hours(1, 9), by: world.principal)
      world.wait(.hours(2))
      try await phone.beginShift()
      world.wait(.minutes(1))
      try await phone.report(.always)
      _ = try await phone.clockOut("out")
      #expect(
        try await world.add(hours(-24, -16))
          == .added(ShiftID(employee: EmployeeID(7), number: 2)))
      // The planned shift was begun: the employee is awaited no more.
      let board = try await world.operations.insight.board(for: world.principal)
      #expect(board.lines.map(\.state) == [.off])
      // What the report leaves unknown is as the one of a minute before says.
      world.wait(.minutes(1))
      try await phone.report(.unknown)
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("again") else {
        throw Unexpected("refused a minute after always")
      }
      #expect(shift.number == 3 && decision.verdict == .allow)
    }
  }

  @Test("is told, tracked by nobody, and counts once the employee has confirmed it")
  func confirmed() async throws {
    try await withWorld { world in
      let phone = try await world.forgotten()
      let times = try await world.times()
      #expect(times.state == .unconfirmed && times.worked == .hours(7))
      #expect(try await world.timeSheet().totals.worked == .zero)
      let details = try await world.operations.insight.shiftDetails(of: first)
      #expect(details.row.isAdded && details.wasAdded)
      #expect(
        details.coverage.segments.map(\.reason) == [.notAsked, .onBreak, .notAsked]
          && details.coverage.trackingPermille == nil)
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 9)
      #expect(notifications.map(\.notification.topic) == [.shiftAdded])
      #expect(try await phone.ping([fix(at: morning + .hours(2))]) == [.refused(.noShift)])
      #expect(try await world.approve(times) == .unconfirmed)
      guard case .confirmed = try await world.confirm(phone) else { throw Unexpected("refused") }
      #expect(try await world.timeSheet().totals.worked == .hours(7))
      #expect(try await world.approve(world.times()).code == "approved")
    }
  }

  @Test("is approved without the employee a week after they were told its present times")
  func silent() async throws {
    try await withWorld { world in
      _ = try await world.forgotten()
      world.wait(.hours(8 * 24))
      // Nothing has reached the employee.
      #expect(try await world.approve(world.times()) == .unconfirmed)
      try await world.deliver()
      world.wait(.hours(7 * 24) - .milliseconds(1))
      #expect(try await world.approve(world.times()) == .unconfirmed)
      world.wait(.milliseconds(1))
      // Other times are news.
      try await world.corrected(1, nil, morning + .hours(7))
      #expect(try await world.approve(world.times()) == .unconfirmed)
      try await world.deliver()
      world.wait(.hours(7 * 24))
      #expect(try await world.approve(world.times()).code == "approved")
    }
  }

  @Test("and objected to needs a correction, or an administrator with a reason")
  func objected() async throws {
    try await withWorld { world in
      let phone = try await world.forgotten()
      let mate = Principal(
        actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])
      try await world.object(phone)
      #expect(try await world.times().state == .inReview)
      let reviews = world.operations.reviews
      #expect(
        try await reviews.acceptTimes(of: first, reason: "was there", by: mate)
          == .needsAdministrator)
      await #expect(throws: OperationError.self) {
        try await reviews.acceptTimes(of: first, by: world.principal)
      }
      // The answer may be a correction, which the employee is asked to confirm again.
      try await world.corrected(1, nil, morning + .hours(7))
      #expect(try await world.times().state == .unconfirmed)
      try await world.object(phone)
      #expect(
        try await reviews.acceptTimes(of: first, reason: "was there", by: world.principal)
          == .accepted)
      #expect(try await world.times().state == .ready)
      let entries = try await world.operations.installation.auditEntries(
        about: EmployeeID(7), limit: 9)
      #expect(entries.first { $0.action == .timesAccepted }?.reason == "was there")
    }
  }

  @Test("is refused in the future, too long, too old or over another shift, and repeated once")
  func refused() async throws {
    try await withWorld { world in
      let phone = try await world.forgotten()
      let noon = ShiftSpan(from: morning + .hours(4), to: morning + .hours(5))
      #expect(try await world.add(hours(0, 8), breaks: [noon]) == .unchanged(first))
      for (span, outcome) in [
        (hours(0, 8), .overlaps(first)), (hours(7, 9), .overlaps(first)),
        (hours(20, 25), .impossible(.inFuture)), (hours(10, 10), .impossible(.endsBeforeStart)),
        (hours(-30, -5), .impossible(.tooLong)),
        (hours(-60 * 24 + 23, -60 * 24 + 26), .impossible(.tooOld)),
      ] as [(Interval, AdditionOutcome)] {
        #expect(try await world.add(span, reason: "other") == outcome, "\(span)")
      }
      let outside = ShiftSpan(from: morning + .hours(9), to: morning + .hours(11))
      #expect(
        try await world.add(hours(10, 12), breaks: [outside])
          == .impossible(.breakOutsideShift))
      // Beside an open shift it is an ended one with a number of its own.
      try await phone.beginShift()
      #expect(
        try await world.add(hours(10, 12))
          == .added(ShiftID(employee: EmployeeID(7), number: 3)))
      #expect(try await phone.present.shift?.number == 2)
      // At the oldest.
      #expect(
        try await world.add(hours(-59 * 24, -59 * 24 + 1))
          == .added(ShiftID(employee: EmployeeID(7), number: 4)))
    }
  }

  @Test("ends what clock actions claim within it")
  func claims() async throws {
    try await withPhone { world, phone in
      world.wait(.hours(30))
      // Sent over a day later, it is kept for review.
      let kept = try await phone.clockIn("late") {
        $0.happened(at: morning + .hours(2), sentAt: world.now)
      }
      guard case .kept = kept else { throw Unexpected("\(kept)") }
      func claimed() async throws -> [ShiftSpan?] {
        try await world.timeSheet().lines.flatMap(\.unreviewed).map(\.claimed)
      }
      #expect(try await claimed().compactMap(\.self).count == 1)
      #expect(try await world.add(hours(0, 8)) == .added(first))
      #expect(try await claimed() == [nil])
    }
  }

  @Test("is not confirmed by an employee who has not seen that its break was moved")
  func movedBreak() async throws {
    try await withWorld { world in
      let phone = try await world.forgotten()
      let seen = try await world.times()
      world.wait(.minutes(1))
      let later = ShiftSpan(from: morning + .hours(6), to: morning + .hours(7))
      _ = try await world.operations.reviews.correct(
        first, CorrectionRequest(breaks: [later], reason: "was later"), by: world.principal
      ).get()
      let now = try await world.times()
      #expect(now.worked == seen.worked)
      let outcome = try await world.operations.device.confirmTimes(
        ofShift: 1, seen: seen.revision, from: phone.credential, receipt: world.receipt)
      #expect(outcome == .changed(now))
      #expect(try await world.times().state == .unconfirmed)
      try await world.deliver()
      world.wait(.hours(7 * 24))
      #expect(try await world.approve(seen) == .changed)
      guard case .confirmed = try await world.confirm(phone) else { throw Unexpected("refused") }
    }
  }

  @Test("stays unconfirmed when only its times are kept")
  func past() async throws {
    try await withWorld { world in
      _ = try await world.forgotten()
      try await world.write(deleteCoverage(of: [first]))
      let times = try await world.times()
      #expect(times.isPast && times.state == .unconfirmed)
      #expect(try await world.approve(times) == .unconfirmed)
      // Nor can it be added a second time.
      #expect(try await world.add(hours(0, 8)) == .overlaps(first))
    }
  }

  @Test("and objected to stays in review when only its times are kept")
  func pastObjected() async throws {
    try await withWorld { world in
      let phone = try await world.forgotten()
      try await world.deliver()
      try await world.object(phone)
      world.wait(.hours(8 * 24))
      try await world.write(deleteCoverage(of: [first]))
      let times = try await world.times()
      #expect(times.isPast && times.state == .inReview)
      #expect(try await world.approve(times) == .inReview)
    }
  }

  @Test("is what a shift becomes that a manager opened and ended without its employee")
  func trick() async throws {
    try await withWorld { world in
      _ = try await Phone.enrolled(in: world)
      _ = try await world.operations.reviews.openShift(
        for: EmployeeID(7), OpeningRequest(reason: "forgot"), by: world.principal
      ).get()
      world.wait(.hours(1))
      try await world.corrected(1, nil, world.now)
      #expect(try await world.times().state == .unconfirmed)
    }
  }
}
