import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing

@Suite("Clock actions") struct ClockActionTests {
  private let always = PermissionState(authorization: .always, accuracy: .full, services: .on)

  // R: W3
  @Test("are numbered, and a blocked one notifies the managers in the same transaction")
  func blocked() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      _ = try await phone.clockIn("a")
      _ = try await phone.clockIn("a")
      _ = try await phone.clockOut("b")
      _ = try await phone.clockIn("c")
      #expect(
        try await world.count(
          "SELECT string_agg(action_no::text, '' ORDER BY action_no)::bigint FROM clock_action")
          == 123)
      let notifications = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(notifications.map(\.notification.topic) == [.clockInBlocked, .clockInBlocked])
      #expect(notifications.map(\.notification.subject) == [1, 3])
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 0)
    }
  }

  // R: W4, W3
  @Test("made offline that the rules refuse are for review, and notify only of that")
  func blockedOffline() async throws {
    try await withPhone { world, phone in
      let acted = world.now
      world.wait(.hours(1))
      let outcome = try await phone.clockIn("late") {
        $0.happened(at: acted, sentAt: world.now)
        $0.report = IncomingReport(.state(PermissionState(authorization: .denied)))
      }
      guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
      #expect(action.reason == .blocked && action.review == nil && action.shift == nil)
      let notifications = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(notifications.map(\.notification.topic) == [.clockActionForReview])
    }
  }

  // R: W2, W4
  @Test("of a clock-out before its clock-in, made offline, are kept and answered truthfully")
  func clockOutFirst() async throws {
    try await withPhone { world, phone in
      let day = world.now
      world.wait(.hours(9))
      let out = try await phone.clockOut("out") {
        $0.happened(at: day + .hours(8), sentAt: world.now)
      }
      guard case .kept(let first) = out else { throw Unexpected("\(out)") }
      #expect(first.reason == .noOpenShift && first.shift == nil)
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
      let shift = try await clockIn(phone, "in", at: day)
      let early = try await phone.clockOut("early") {
        $0.happened(at: day - .hours(1), sentAt: world.now)
      }
      guard case .kept(let second) = early else { throw Unexpected("\(early)") }
      #expect(second.reason == .noOpenShift && second.shift == shift)
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 2)
    }
  }

  // R: W2, W4
  @Test("to clock in twice offline open one shift, and the one in the way is named")
  func overlapping() async throws {
    try await withWorld { world in
      let (phone, other) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      let day = world.now
      world.wait(.hours(9))
      let shift = try await clockIn(phone, "in", at: day)
      for (name, device) in [("same", phone), ("other", other)] {
        let outcome = try await device.clockIn(name) {
          $0.happened(at: day + .hours(1), sentAt: world.now)
          $0.report = IncomingReport(.state(always))
        }
        if device.credential == phone.credential {
          #expect(outcome == .alreadyOpen(shift))
        } else {
          guard case .kept(let action) = outcome else { throw Unexpected("\(outcome)") }
          #expect(action.reason == .overlaps && action.shift == shift)
        }
      }
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
    }
  }

  // R: W4
  @Test("from before the shift that is open are kept, because they overlap it")
  func earlierBeginning() async throws {
    for (minutes, isKept) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
      try await withPhone { world, phone in
        world.wait(.hours(1))
        let shift = try await phone.beginShift()
        let begin = world.now
        world.wait(.hours(1))
        let outcome = try await phone.clockIn("queued") {
          $0.happened(at: begin + .minutes(minutes), sentAt: world.now)
          $0.report = IncomingReport(.state(always))
        }
        if isKept {
          guard case .kept(let kept) = outcome else { throw Unexpected("\(outcome)") }
          #expect(kept.reason == .overlaps)
        } else {
          #expect(outcome == .alreadyOpen(shift))
        }
        let notifications = try await world.operations.notifications.notifications(
          of: nil, limit: 10)
        #expect(notifications.map(\.notification.topic) == (isKept ? [.clockActionForReview] : []))
        let number = try await world.operations.reviews.clockActions(
          of: EmployeeID(7), awaitingOnly: true, limit: 10
        ).first?.number
        #expect((number != nil) == isKept)
        guard let number else { return }
        let corrected = try await world.operations.reviews.correct(
          shift,
          CorrectionRequest(
            startedAt: begin + .minutes(minutes), reason: "she began then", clockAction: number),
          by: actor)
        guard case .corrected = corrected else { throw Unexpected("\(corrected)") }
      }
    }
  }

  // R: W4, W5, W7
  @Test("of a whole day offline, in the order they were queued, give that day")
  func backlog() async throws {
    try await withPhone { world, phone in
      let day = world.now
      world.wait(.hours(10))
      let shift = try await clockIn(phone, "in", at: day)
      func at(_ minutes: Int64) -> (inout ClockAction) -> Void {
        { $0.happened(at: day + .minutes(minutes), sentAt: world.now) }
      }
      func send(_ minutes: ClosedRange<Int64>) async throws -> [PingResult] {
        try await phone.ping(minutes.map { fix(at: day + .minutes($0)) }, sentAt: world.now)
      }
      #expect(try await send(0...239).allSatisfy { $0 == .stored })
      #expect(try await phone.startBreak("pause", at(240)) == .done(shift))
      #expect(try await phone.endBreak("resume", at(270)) == .done(shift))
      #expect(try await send(270...479).allSatisfy { $0 == .stored })
      #expect(try await phone.clockOut("out", at(480)) == .done(shift))
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.trackingPermille == 1_000)
      #expect(coverage.segments.map(\.reason) == [.tracked, .onBreak, .tracked])
    }
  }

  private func clockIn(_ phone: Phone, _ id: String, at instant: Instant) async throws -> ShiftID {
    let outcome = try await phone.clockIn(id) {
      $0.happened(at: instant, sentAt: phone.receipt.at)
      $0.report = IncomingReport(.state(always))
    }
    guard case .clockedIn(let shift, _) = outcome else { throw Unexpected("\(outcome)") }
    return shift
  }
}
