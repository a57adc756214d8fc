import DeviceOperations
import GuardRules
import InsightOperations
import ManagerCore
import NotificationOperations
import OperationCore
import Postgres
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

extension TestWorld {
  /// The number of the tap `id`.
  func clockAction(_ id: String) async throws -> Int32 {
    Int32(try await count("SELECT action_no::bigint FROM clock_action WHERE action_id = \(id)"))
  }
}

extension OperationsWorld {
  func accept(_ number: Int32, endedAt: Instant? = nil, reason: String = "was there")
    async throws -> ReviewOutcome
  {
    try await operations.reviews.accept(
      clockAction: number, of: EmployeeID(7), endedAt: endedAt, reason: reason, by: actor)
  }

  /// The shift that comes of it; fails when none does.
  func accepted(_ number: Int32, endedAt: Instant? = nil) async throws -> Int32 {
    let outcome = try await accept(number, endedAt: endedAt)
    guard case .reviewed(let row) = outcome, let shift = row.review?.shift else {
      throw Unexpected("\(outcome)")
    }
    return shift
  }
}

extension Phone {
  /// A refused clock-in of this moment; its number.
  func refused(_ id: String) async throws -> Int32 {
    try await report(.denied)
    guard case .blocked = try await clockIn(id) else { throw Unexpected("let in while denied") }
    return try await operations.clockAction(id)
  }
}

@Suite("A clock action that waits for a manager") struct ReviewTests {
  // R: W3
  @Test("refused and then accepted is a shift from the clock-in on, by an override that names who")
  func accepts() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(20))
      try await phone.report(.always)
      let waiting = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 10)
      #expect(waiting.map(\.number) == [number])
      #expect(waiting.map(\.decision.blocking.ranked) == [[.denied]])
      #expect(try await world.accepted(number) == 1)
      let open = try await world.operations.device.snapshot(for: phone.credential)
      #expect(open.shift?.startedAt == morning && open.isTracking && open.incidents.isEmpty)
      #expect(open.shift?.report?.state.authorization == .always)
      let given = try #require(try await world.overrides().first)
      #expect(given.usedShift == 1 && given.findings.ranked == [.denied])
      #expect(given.givenBy == "Mira" && given.reason == "was there")
      let row = try await world.operations.reviews.clockActionRow(number, of: EmployeeID(7))
      #expect(row.review?.decision == .accepted && row.review?.by == "Mira")
      #expect(row.review?.shift == 1 && row.shift == nil)
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10
      )
      .filter { $0.notification.topic == .shiftOpened }
      #expect(notifications.map(\.notification.subject) == [1])
      #expect(
        try await world.operations.reviews.clockActions(of: nil, awaitingOnly: true, limit: 10)
          .isEmpty)
      // The phone's repeat gets its first answer, and yet learns that it is to track.
      guard case .blocked = try await phone.clockIn("one") else { throw Unexpected("changed") }
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
    }
  }

  // R: W3, A11
  @Test("accepted while still denied, has its incident from then and its coverage says why")
  func acceptsDenied() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(20))
      let shift = try await world.accepted(number)
      world.wait(.minutes(1))
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.denied] && incidents.map(\.origin) == [.atClockIn])
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: shift))
      #expect(coverage.segments.map(\.reason) == [.notAsked, .denied])
      #expect(coverage.segments.map(\.interval.length) == [.minutes(20), .minutes(1)])
    }
  }

  @Test("accepted with an end is a closed shift, also before one that is open")
  func acceptsClosed() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.hours(1))
      try await phone.report(.whenInUse)
      guard case .clockedIn(let open, _) = try await phone.clockIn("two") else {
        throw Unexpected("refused")
      }
      world.wait(.hours(1))
      #expect(try await world.accept(number) == .laterShiftOpen(open))
      let late = morning + .minutes(61)
      #expect(try await world.accept(number, endedAt: late) == .laterShiftOpen(open))
      #expect(try await world.accepted(number, endedAt: morning + .hours(1)) == 2)
      let closed = try await world.shift(2)
      #expect(closed.startedAt == morning && closed.endedAt == morning + .hours(1))
      let present = try await world.operations.device.snapshot(for: phone.credential)
      #expect(present.shift?.number == 1 && present.incidents.map(\.kind) == [.whenInUse])
      _ = try await phone.clockOut("out")
      try await phone.report(.always)
      guard case .clockedIn(let next, _) = try await phone.clockIn("three") else {
        throw Unexpected("refused")
      }
      #expect(next.number == 3)
    }
  }

  @Test("over another shift is refused and says which; without an end that is due, too")
  func inTheWay() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(10))
      try await phone.report(.always)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("two") else {
        throw Unexpected("refused")
      }
      world.wait(.minutes(10))
      _ = try await phone.clockOut("out")
      #expect(try await world.accept(number) == .overlaps(shift))
      world.wait(.hours(20))
      #expect(try await world.accept(number) == .impossible(.tooLong))
      #expect(
        try await world.accept(number, endedAt: morning) == .impossible(.endsBeforeStart))
      #expect(
        try await world.accept(number, endedAt: world.now + .hours(1))
          == .impossible(.inFuture))
      #expect(try await world.accepted(number, endedAt: morning + .minutes(10)) == 2)
    }
  }

  @Test("made offline and kept because it overlaps, is reviewed by correcting what it overlaps")
  func reviewedByCorrection() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      let outcome = try await phone.clockIn("offline") {
        $0.occurredAt = morning + .minutes(30)
        $0.sentAt = world.now
        $0.bodyHash = Array(repeating: 2, count: 32)
        $0.report = IncomingReport(.state(PermissionState(authorization: .always)))
      }
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
      #expect(action.reason == .overlaps && action.shift == shift)
      let number = try await world.clockAction("offline")
      #expect(try await world.accept(number) == .overlaps(shift))
      world.wait(.minutes(1))
      let input = CorrectionRequest(
        startedAt: morning + .minutes(30), reason: "she began at half past", clockAction: number)
      let corrected = try await world.operations.reviews.correct(shift, input, by: actor)
      guard case .corrected(let row) = corrected else { throw Unexpected("\(corrected)") }
      let reviewed = try await world.operations.reviews.clockActionRow(number, of: EmployeeID(7))
        .review
      #expect(reviewed?.decision == .accepted && reviewed?.reason == "she began at half past")
      #expect(
        try await world.operations.reviews.correct(shift, input, by: actor) == .unchanged(row))
      let other = CorrectionRequest(startedAt: morning, reason: "no", clockAction: number)
      guard
        case .clockActionNotWaiting = try await world.operations.reviews.correct(
          shift, other, by: actor)
      else { throw Unexpected("settled twice") }
      let unknown = CorrectionRequest(startedAt: morning, reason: "no", clockAction: 99)
      await #expect(throws: OperationError.notFound("clock action 99 of employee 7")) {
        _ = try await world.operations.reviews.correct(shift, unknown, by: actor)
      }
    }
  }

  // R: W3
  @Test("is reviewed once: the same again changes nothing, and another is refused")
  func once() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      let first = try await phone.refused("one")
      let second = try await phone.refused("two")
      func dismiss(_ reason: String?) async throws -> ReviewOutcome {
        try await operations.reviews.dismiss(
          clockAction: first, of: EmployeeID(7), reason: reason, by: actor)
      }
      world.wait(.minutes(1))
      let dismissed = try await dismiss(nil)
      guard case .reviewed(let row) = dismissed else { throw Unexpected("\(dismissed)") }
      #expect(row.review?.decision == .dismissed && row.review?.reason == nil)
      #expect(try await dismiss(nil) == dismissed)
      #expect(try await dismiss("other") == .alreadyReviewed(row))
      #expect(try await world.accept(first) == .alreadyReviewed(row))
      #expect(try await world.accepted(second) == 1)
      #expect(try await world.accepted(second) == 1)
      #expect(try await world.count("SELECT count(*) FROM guard_override") == 1)
      guard case .alreadyReviewed = try await world.accept(second, reason: "other") else {
        throw Unexpected("accepted twice")
      }
    }
  }

  @Test("accepted by several at once opens one shift")
  func crossed() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(1))
      let shifts = try await withThrowingTaskGroup(of: ReviewOutcome.self) { group in
        for _ in 0..<4 { group.addTask { try await world.accept(number) } }
        return try await group.reduce(into: [ReviewOutcome]()) { $0.append($1) }
      }
      #expect(Set(shifts).count == 1)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
      #expect(try await world.count("SELECT count(*) FROM guard_override") == 1)
    }
  }

  @Test("that is none, was let in, or ended nothing has an answer of its own")
  func refusals() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      for (employee, number) in [(Int32(7), Int32(99)), (7, 0), (8, 1)] {
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.dismiss(
            clockAction: number, of: EmployeeID(employee), reason: nil, by: actor)
        }
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.accept(
            clockAction: number, of: EmployeeID(employee), reason: "why", by: actor)
        }
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.clockActionRow(number, of: EmployeeID(employee))
        }
      }
      _ = try await phone.clockOut("nothing")
      let nothing = try await world.clockAction("nothing")
      #expect(try await world.accept(nothing) == .nothingToReview)
      try await world.write("UPDATE clock_action SET needs_review = true")
      #expect(try await world.accept(nothing) == .needsCorrection)
      world.wait(.seconds(1))
      try await phone.report(.always)
      _ = try await phone.clockIn("in")
      let begun = try await world.clockAction("in")
      #expect(try await world.accept(begun) == .nothingToReview)
      for reason in ["", " \t", String(repeating: "r", count: 501)] {
        await #expect(throws: OperationError.self) {
          _ = try await world.accept(nothing, reason: reason)
        }
      }
      let own = try await operations.reviews.accept(
        clockAction: nothing, of: EmployeeID(7), reason: "why",
        by: AuditActor(name: "Ada", employee: EmployeeID(7)))
      #expect(own == .selfOverrideForbidden)
    }
  }
}
