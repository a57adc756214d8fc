import DeviceOperations
import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A clock action that is kept") struct KeptClockActionTests {
  private let always = PermissionState(authorization: .always, accuracy: .full, services: .on)

  private func kept(_ outcome: ClockInOutcome) throws -> KeptAction {
    guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
    return action
  }

  private func kept(_ outcome: ClockActionOutcome) throws -> KeptAction {
    guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
    return action
  }

  // R: W2, W4, W14
  @Test("an answer is found again whatever its age")
  func oldRepeat() async throws {
    try await withPhone { world, phone in
      let then = world.now
      world.wait(.hours(24) - .seconds(8))
      let send = { (clockAction: inout ClockAction) in
        clockAction.happened(at: then, sentAt: world.now)
        clockAction.report = IncomingReport(.state(always))
      }
      let first = try await phone.clockIn("x", send)
      guard case .clockedIn = first else { throw Unexpected("\(first)") }
      world.wait(.seconds(10))
      #expect(try await phone.clockIn("x", send) == first)
      world.wait(.hours(30 * 24))
      #expect(try await phone.clockIn("x", send) == first)
    }
  }

  // R: W3, W4, W14
  @Test("over 24 hours: is 202 with its review as it stands, and its shift can be accepted")
  func tooOld() async throws {
    try await withPhone { world, phone in
      let then = world.now
      world.wait(.hours(30))
      let send = { (clockAction: inout ClockAction) in
        clockAction.happened(at: then, sentAt: world.now)
        clockAction.report = IncomingReport(.state(PermissionState(authorization: .denied)))
      }
      let action = try kept(try await phone.clockIn("old", send))
      #expect(action.reason == .tooOld && action.review == nil)
      let out = try kept(
        try await phone.clockOut("out") {
          $0.happened(at: then + .hours(8), sentAt: world.now)
        })
      #expect(out.reason == .outOfOrder, "22 hours old, it follows a clock-in that is kept")
      let rows = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 10)
      #expect(rows.map(\.kept) == [.outOfOrder, .tooOld])
      #expect(rows.last?.claimed == ShiftSpan(from: then, to: then + .hours(8)))
      let shift = try await world.accepted(action.clockAction, endedAt: then + .hours(8))
      #expect(try await world.shift(shift).startedAt == then)
      let again = try kept(try await phone.clockIn("old", send))
      #expect(again.review == .accepted && again.shift?.number == shift)
      // The clock-out is the end of that shift, so it was accepted with it.
      let end = try await world.operations.reviews.clockActionRow(
        out.clockAction, of: EmployeeID(7))
      #expect(end.review?.decision == .accepted && end.review?.shift == shift)
      #expect(
        try await world.operations.reviews.clockActions(of: nil, awaitingOnly: true, limit: 10)
          .isEmpty)
      let outAgain = try kept(
        try await phone.clockOut("out") {
          $0.happened(at: then + .hours(8), sentAt: world.now)
        })
      #expect(outAgain.review == .accepted && outAgain.shift?.number == shift)
    }
  }

  // R: W14
  @Test("at most a hundred of an employee, clock-ins blocked at once among them")
  func blockedBounded() async throws {
    try await withPhone { world, phone in
      func tap(_ name: String) async throws -> ClockInOutcome {
        try await phone.clockIn(name) { $0.report = .saying(.denied) }
      }
      func waiting() async throws -> Int {
        try await world.operations.reviews.clockActions(of: nil, awaitingOnly: true, limit: 200)
          .count
      }
      for second in 1...100 {
        guard case .blocked = try await tap("\(second)") else { throw Unexpected("\(second)") }
        world.wait(.seconds(1))
      }
      await #expect(throws: OperationError.tooManyWaiting) { try await tap("one more") }
      #expect(try await waiting() == 100)
      // They are out of the queue when the shift would be over.
      world.wait(.hours(48))
      guard case .blocked = try await tap("days later") else { throw Unexpected("not blocked") }
      #expect(try await waiting() == 1)
    }
  }

  // R: W14
  @Test("at most a hundred of an employee: the next is not taken until one is reviewed")
  func bounded() async throws {
    try await withPhone { world, phone in
      let then = world.now
      world.wait(.hours(30))
      for second in 1...100 as ClosedRange<Int64> {
        _ = try kept(
          try await phone.clockOut("\(second)") {
            $0.happened(at: then + .seconds(second), sentAt: world.now)
          })
      }
      func isRefused(_ act: () async throws -> Void) async -> Bool {
        await #expect(throws: OperationError.tooManyWaiting) { try await act() } != nil
      }
      let version = try await world.count("SELECT version FROM guard_state")
      let late = { (action: inout ClockAction) in
        action.happened(at: then + .hours(1), sentAt: world.now)
      }
      #expect(await isRefused { _ = try await phone.clockOut("one more", late) })
      #expect(await isRefused { _ = try await phone.clockIn("and in", late) })
      #expect(try await world.count("SELECT count(*) FROM clock_action") == 100)
      #expect(try await world.count("SELECT version FROM guard_state") == version)
      // A repeat has its answer, and a clock-in of now asks for no review.
      _ = try kept(
        try await phone.clockOut("100") {
          $0.happened(at: then + .seconds(100), sentAt: world.now)
        })
      let now = try await phone.clockIn("now") { $0.report = IncomingReport(.state(always)) }
      guard case .clockedIn = now else { throw Unexpected("\(now)") }
      _ = try await world.operations.reviews.dismiss(
        clockAction: 1, of: EmployeeID(7), reason: nil, by: world.principal)
      _ = try kept(try await phone.clockOut("one more", late))
    }
  }

  // R: W3, W14
  @Test("a clock-out that a shift is accepted without: it waits on")
  func otherEnd() async throws {
    try await withPhone { world, phone in
      let then = world.now
      world.wait(.hours(30))
      let action = try kept(
        try await phone.clockIn("old") { $0.happened(at: then, sentAt: world.now) })
      let out = try kept(
        try await phone.clockOut("out") { $0.happened(at: then + .hours(8), sentAt: world.now) })
      _ = try await world.accepted(action.clockAction, endedAt: then + .hours(7))
      let rows = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 10)
      #expect(rows.map(\.number) == [out.clockAction])
    }
  }

  // R: W4
  @Test("each reason: only what was made offline is kept, the same made now is refused")
  func reasons() async throws {
    try await withPhone { world, phone in
      let denied = IncomingReport(.state(PermissionState(authorization: .denied, services: .on)))
      world.wait(.hours(2))
      let (then, now) = (world.now - .hours(1), world.now)
      guard case .blocked = try await phone.clockIn("n", { $0.report = denied }) else {
        throw Unexpected("let in")
      }
      // 60 seconds are not offline yet.
      guard
        case .blocked = try await phone.clockIn(
          "m",
          {
            $0.happened(at: now - .seconds(60), sentAt: now)
            $0.report = denied
          })
      else { throw Unexpected("kept") }
      #expect(try await phone.clockOut("o1") == .noOpenShift)
      #expect(
        try kept(try await phone.clockOut("o2") { $0.happened(at: then, sentAt: now) }).reason
          == .noOpenShift)
      #expect(
        try kept(try await phone.takeOver("t1") { $0.happened(at: then, sentAt: now) }).reason
          == .noOpenShift)
      let blocked = try kept(
        try await phone.clockIn("i") {
          $0.happened(at: then, sentAt: now)
          $0.report = denied
        })
      #expect(blocked.reason == .blocked)
      #expect(
        try kept(
          try await phone.startBreak("b") { $0.happened(at: then + .minutes(1), sentAt: now) }
        ).reason == .outOfOrder, "it follows a clock-in that is kept")
    }
  }

  // R: W4
  @Test("each reason in a shift, which a kept clock-in does not keep from beginning")
  func reasonsInShift() async throws {
    try await withPhone { world, phone in
      world.wait(.hours(2))
      let (then, now) = (world.now - .hours(1), world.now)
      _ = try kept(
        try await phone.clockIn("i") {
          $0.happened(at: then, sentAt: now)
          $0.report = IncomingReport(
            .state(PermissionState(authorization: .denied, services: .on)))
        })
      try await phone.report(.always)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("live") else {
        throw Unexpected("a kept clock-in was in the way")
      }
      // The clock-in that follows decides nothing about the one that is kept.
      let waiting = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 9)
      #expect(waiting.count == 1 && waiting.first?.outcome.asksForShift == true)
      world.wait(.minutes(10))
      #expect(
        try kept(
          try await phone.clockOut("o3") {
            $0.happened(at: then - .minutes(1), sentAt: world.now)
          }
        ).reason == .noOpenShift, "before the shift")
      #expect(try await phone.endBreak("e1") == .notOnBreak(shift))
      #expect(
        try kept(
          try await phone.endBreak("e2") {
            $0.happened(at: world.now - .minutes(5), sentAt: world.now)
          }
        ).reason == .outOfOrder)
      #expect(try await phone.clockOut("o4") == .done(shift))
      let overlapping = try kept(
        try await phone.clockIn("again") {
          $0.happened(at: world.now - .minutes(5), sentAt: world.now)
          $0.report = IncomingReport(.state(always))
        })
      #expect(overlapping.reason == .overlaps && overlapping.shift == shift)
    }
  }

  // R: W4, W7
  @Test("what follows a kept clock-in of its phone does not end the shift of another")
  func followsKept() async throws {
    try await withWorld { world in
      let (a, b) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      let then = world.now
      world.wait(.minutes(30))
      try await b.beginShift()
      world.wait(.hours(2))
      let now = world.now
      _ = try kept(
        try await a.clockIn("a1") {
          $0.happened(at: then, sentAt: now)
          $0.report = IncomingReport(.state(always))
        })
      let out = try kept(
        try await a.clockOut("a2") { $0.happened(at: now - .hours(1), sentAt: now) })
      #expect(out.reason == .outOfOrder)
      #expect(try await b.present.isTracking)
    }
  }

  // R: W3, A11
  @Test(
    "accepted late, its incidents begin at the acceptance, and none had healed before",
    arguments: [false, true])
  func incidentsFromAcceptance(hasHealed: Bool) async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(20))
      if hasHealed { try await phone.report(.always) }
      _ = try await world.accepted(number)
      guard !hasHealed else {
        return #expect(try await world.count("SELECT count(*) FROM incident") == 0)
      }
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.denied])
      #expect(incidents.map(\.openedAt) == [world.now])
    }
  }

  // R: W3
  @Test("refused: claims working time, leaves the queue by a later clock-in, and stays claimed")
  func claims() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(5))
      func row() async throws -> ClockActionRow {
        try await world.operations.reviews.clockActionRow(number, of: EmployeeID(7))
      }
      #expect(try await row().claimed == ShiftSpan(from: morning, to: world.now))
      world.wait(.minutes(5))
      try await phone.beginShift("two")
      world.wait(.hours(1))
      let waiting = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 10)
      #expect(waiting.isEmpty)
      let overtaken = try await row()
      #expect(overtaken.isOvertaken && overtaken.awaitsManager)
      #expect(overtaken.claimed == ShiftSpan(from: morning, to: morning + .minutes(10)))
      _ = try await world.operations.reviews.dismiss(
        clockAction: number, of: EmployeeID(7), reason: nil, by: actor)
      #expect(try await row().claimed == nil)
    }
    // Nobody clocks in: to the planned end, and without a plan to the longest shift.
    for isPlanned in [true, false] {
      try await withWorld { world in
        if isPlanned {
          _ = try await world.operations.people.planShift(
            EmployeeID(7), Interval(from: morning, to: morning + .hours(4)),
            by: Principal(actor: actor, role: .administrator))
        }
        let phone = try await Phone.enrolled(in: world)
        let number = try await phone.refused("one")
        world.wait(.hours(20))
        let row = try await world.operations.reviews.clockActionRow(number, of: EmployeeID(7))
        #expect(row.claimed == ShiftSpan(from: morning, to: morning + .hours(isPlanned ? 4 : 16)))
        #expect(
          try await world.operations.reviews.clockActions(of: nil, awaitingOnly: true, limit: 10)
            .isEmpty)
      }
    }
  }

  // R: W3
  @Test("an override asked for many times at once is one")
  func oneOverride() async throws {
    try await withWorld { world in
      for round in 1...10 {
        let numbers = try await withThrowingTaskGroup(of: Int32.self) { group in
          for _ in 0..<12 {
            // A clock that goes on between two tries, as it does.
            group.addTask {
              world.wait(.milliseconds(1))
              for _ in 0..<100 {
                do {
                  return try await world.override(.denied, reason: "round \(round)").number
                } catch OperationError.unavailable {}
              }
              throw Unexpected("lost a hundred times")
            }
          }
          return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
        }
        #expect(numbers == [Int32(round)])
      }
    }
  }

  // R: W7
  @Test("a take-over without a report begins with an old one as with none")
  func oldEvidence() async throws {
    for (age, isKnown) in [(299, true), (301, false)] as [(Int64, Bool)] {
      try await withWorld { world in
        let (a, b) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
        try await b.report(.denied)
        world.wait(.seconds(age - 1))
        let shift = try await a.beginShift()
        world.wait(.seconds(1))
        #expect(try await b.takeOver("b1") == .done(shift))
        let present = try await b.present
        #expect(present.incidents.map(\.kind) == (isKnown ? [.denied] : []), "\(age)")
      }
    }
  }

  // R: W6
  @Test("a shift belongs to the planned one whose start is nearest")
  func nearestPlannedShift() async throws {
    try await withWorld { world in
      let principal = Principal(actor: actor, role: .administrator)
      for (from, to) in [(-9, -1), (-1, 7)] as [(Int64, Int64)] {
        let span = Interval(from: morning + .hours(from), to: morning + .hours(to))
        _ = try await world.operations.people.planShift(EmployeeID(7), span, by: principal)
      }
      let phone = try await Phone.enrolled(in: world)
      let now = world.now
      _ = try await phone.clockIn("in") {
        $0.happened(at: now - .minutes(65), sentAt: now)
        $0.report = IncomingReport(.state(always))
      }
      #expect(try await phone.present.shift?.plannedEnd == morning + .hours(7))
    }
  }
}
