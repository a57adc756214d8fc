import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import PolicyOperations
import Postgres
import ReviewOperations
import ShiftDomain
import Testing

@Suite("A shift that nobody ends") struct ShiftLimitTests {
  // R: W6
  @Test("has ended at its limit for every reader, although that is not stored yet")
  func everybodySeesIt() async throws {
    try await withPhoneOnShift { world, phone in
      let begin = world.now
      world.wait(.hours(17))
      let pings = try await phone.ping(
        [fix(at: begin + .hours(16) - .seconds(1)), fix(at: begin + .hours(16))],
        sentAt: world.now)
      #expect(pings == [.stored, .refused(.noShift)])
      let present = try await phone.present
      #expect(present.shift == nil && !present.isTracking)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }

  // R: W6, W2
  @Test("is ended there by the clock-out that comes too late, and by one made before")
  func clockOut() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(15))
      _ = try await phone.ping([fix(at: world.now)])
      world.wait(.hours(2))
      #expect(try await phone.clockOut("late") == .noOpenShift)
      let atLimit = try await world.operations.insight.shift(shift)
      #expect(atLimit.endedAt == begin + .hours(16))
      #expect(
        try await world.operations.notifications.notifications(of: nil, limit: 10)
          .map(\.notification.topic)
          == [.endedAtLimit])
      let told = try await phone.clockOut("queued") {
        $0.happened(at: begin + .hours(9), sentAt: world.now)
      }
      #expect(told == .done(shift))
      #expect(try await world.operations.insight.shift(shift).endedAt == begin + .hours(9))
      #expect(try await world.count("SELECT count(*) FROM shift WHERE needs_review") == 0)
      #expect(try await world.count("SELECT count(*) FROM ping") == 0, "the fix lay behind it")
    }
  }

  // R: W6
  @Test("gets its true end from the employee, however late, and once")
  func confirmed() async throws {
    for isWrittenDown in [true, false] {
      try await withPhone { world, phone in
        let shift = try await phone.beginShift()
        let begin = world.now
        world.wait(.hours(11))
        _ = try await phone.ping([fix(at: begin + .hours(2)), fix(at: world.now)])
        world.wait(.hours(50))
        if isWrittenDown { _ = try await phone.clockOut("late") }
        func confirm(_ hours: Int64) async throws -> EndConfirmation {
          try await phone.confirm(shift.number, at: begin + .hours(hours))
        }
        #expect(try await confirm(17) == .endsAfterLimit(shift))
        #expect(try await confirm(0) == .endsBeforeStart(shift))
        #expect(try await confirm(9) == .confirmed(shift))
        #expect(try await confirm(9) == .confirmed(shift), "the same answer again")
        #expect(try await confirm(8) == .notAsked(shift))
        #expect(try await phone.confirm(99, at: begin) == .unknownShift)
        #expect(try await world.operations.insight.shift(shift).endedAt == begin + .hours(9))
        #expect(try await world.count("SELECT count(*) FROM ping") == 1)
        #expect(try await world.count("SELECT count(*) FROM shift WHERE needs_review") == 0)
      }
    }
  }

  // R: W6, W2
  @Test("does not stand in the way of the next clock-in, nor is an open one confirmed away")
  func nextDay() async throws {
    try await withPhone { world, phone in
      let first = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(1))
      #expect(try await phone.confirm(first.number, at: begin + .minutes(5)) == .notAsked(first))
      world.wait(.hours(23))
      let second = try await phone.beginShift("next")
      #expect(second.number == 2)
      #expect(try await world.operations.insight.shift(first).endedAt == begin + .hours(16))
      #expect(try await phone.confirm(first.number, at: begin + .hours(8)) == .confirmed(first))
      #expect(try await phone.present.shift?.number == 2)
    }
  }

  // R: W6
  @Test("is asked about after another reached its limit, and both ends may be corrected")
  func twoDays() async throws {
    try await withPhone { world, phone in
      let first = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(24))
      let second = try await phone.beginShift("next")
      world.wait(.hours(24))
      _ = try await phone.beginShift("third")
      #expect(try await phone.confirm(first.number, at: begin + .hours(8)) == .confirmed(first))
      #expect(
        try await phone.confirm(second.number, at: begin + .hours(33)) == .confirmed(second))
      #expect(try await world.operations.insight.shift(first).endedAt == begin + .hours(8))
      #expect(try await world.operations.insight.shift(second).endedAt == begin + .hours(33))
      #expect(try await world.count("SELECT count(*) FROM shift WHERE needs_review") == 0)
    }
  }

  // R: W6
  @Test("whose end the first to notice it corrects is not asked about")
  func notAsked() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(50))
      #expect(try await phone.confirm(shift.number, at: begin + .hours(9)) == .confirmed(shift))
      #expect(try await world.count("SELECT count(*) FROM notification") == 0)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE needs_review") == 0)
    }
  }

  // R: W6, W2
  @Test("takes the end of a clock-out whose report says what held after it, and is not asked about")
  func reportAfterwards() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(17))
      let told = try await phone.clockOut("out") {
        $0.happened(at: begin + .hours(9), sentAt: world.now)
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .denied)), recordedAt: world.now)
      }
      #expect(told == .done(shift))
      #expect(try await world.operations.insight.shift(shift).endedAt == begin + .hours(9))
      #expect(try await world.count("SELECT count(*) FROM notification") == 0)
      #expect(
        try await world.count(
          "SELECT count(*) FROM permission_report WHERE authorization_code = 3 AND shift_no IS NULL"
        ) == 1)
    }
  }

  // R: W6, M1
  @Test("keeps no report from behind its limit")
  func reportBehind() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      try await phone.report(.denied)
      #expect(
        try await world.count(
          "SELECT count(*) FROM permission_report WHERE shift_no IS NOT NULL") == 1)
      #expect(
        try await world.count("SELECT count(*) FROM permission_report WHERE shift_no IS NULL")
          == 1)
      #expect(try await world.count("SELECT count(*) FROM incident") == 0)
    }
  }

  // R: W6
  @Test("keeps the limit that it began under, and what was recorded, under a shorter policy")
  func shorterPolicy() async throws {
    try await withPhone { world, phone in
      let shift = try await phone.beginShift()
      let begin = world.now
      world.wait(.hours(9))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      let changes = PolicyChanges(spans: [.shiftMax: .hours(4)])
      _ = try await world.operations.policies.setPolicy(of: TeamID(1), changes)
      world.wait(.hours(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      try await phone.report(.denied)
      let reports = "SELECT count(*) FROM permission_report WHERE shift_no = 1" as SQL
      #expect(try await world.count(reports) == 2)
      let corrected = try await world.operations.reviews.correct(
        shift, CorrectionRequest(startedAt: begin + .hours(1), reason: "began later"),
        by: actor)
      guard case .corrected = corrected else { return #expect(Bool(false), "\(corrected)") }
      world.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
      #expect(try await world.operations.insight.shift(shift).endedAt == world.now)
      #expect(try await world.count("SELECT count(*) FROM ping") == 2)
      try await phone.report(.always)
      try await phone.beginShift("next")
      let next = world.now
      world.wait(.hours(5))
      let pings = [fix(at: next + .hours(4) - .seconds(1)), fix(at: next + .hours(4))]
      #expect(
        try await phone.ping(pings, sentAt: world.now) == [.stored, .refused(.noShift)])
    }
  }
}

extension Phone {
  fileprivate func confirm(_ shift: Int32, at instant: Instant) async throws -> EndConfirmation {
    try await operations.device.confirmEnd(
      ofShift: shift, at: instant, from: credential, receipt: receipt
    ).0
  }
}
