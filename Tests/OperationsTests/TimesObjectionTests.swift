import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import NotificationOperations
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

private let first = ShiftID(employee: EmployeeID(7), number: 1)

extension TestPhone {
  fileprivate func object(
    _ reason: String = "Until nine", seen times: RecordedTimes, shift: Int32 = 1
  ) async throws -> TimesObjection {
    try await operations.device.objectToTimes(
      ofShift: shift, seen: times.revision, because: reason, from: credential, receipt: receipt)
  }
}

// R: W10
@Suite("An employee's objection to times") struct TimesObjectionTests {
  @Test("waits for a manager, takes the confirmation back, and is decided by accepting the times")
  func accepted() async throws {
    try await withWorld { world in
      let (manager, phone) = (world.operations.manager, try await world.workAnHour())
      let times = try await world.times()
      _ = try await world.operations.device.confirmTimes(
        ofShift: 1, seen: times.revision, from: phone.credential, receipt: world.receipt)
      let objection = Objection(at: world.now, reason: "Until nine")
      guard case .objected(let waiting) = try await phone.object(seen: times) else {
        throw Unexpected("refused")
      }
      #expect(waiting.state == .inReview && waiting.confirmedAt == nil)
      #expect(try await world.times() == waiting)
      #expect(try await world.shift(1).objection == objection)
      #expect(try await manager.reviews.reviewCount(for: world.principal) == 1)
      let queue = try await manager.reviews.reviewQueue(for: world.principal, limit: 9)
      #expect(queue.shifts.rows.map(\.objection) == [objection])
      world.wait(.minutes(1))
      // The same again changes nothing; another waits until this one is decided.
      #expect(try await phone.object(seen: times) == .objected(waiting))
      #expect(try await phone.object("Until ten", seen: times) == .notFinal(waiting))
      try await world.approve(waiting)
      #expect(try await world.times() == waiting)
      _ = try await manager.reviews.acceptTimes(of: first, by: world.principal)
      #expect(try await world.times().state == .ready)
      #expect(try await world.shift(1).objection == objection)
      let entries = try await manager.installation.auditEntries(about: EmployeeID(7), limit: 9)
      let objected = entries.filter { $0.action == .timesObjected }
      #expect(objected.map(\.actor) == ["Ada"] && objected.map(\.reason) == ["Until nine"])
    }
  }

  @Test("is answered by a correction of either end, and comes back with its undo")
  func corrected() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      for (start, end) in [(morning + .minutes(1), nil), (nil, morning + .minutes(50))] {
        _ = try await phone.object(seen: world.times())
        let objection = try await world.shift(1).objection
        #expect(try await world.times().state == .inReview && objection != nil)
        let correction = try await world.corrected(1, start, end)
        #expect(try await world.times().state == .ready)
        #expect(try await world.shift(1).objection == nil)
        _ = try await world.operations.reviews.undo(
          correction: correction.number, of: first, reason: "no", by: actor
        ).get()
        #expect(try await world.times().state == .inReview)
        #expect(try await world.shift(1).objection == objection)
        _ = try await world.operations.reviews.acceptTimes(of: first, by: world.principal)
        world.wait(.minutes(1))
      }
    }
  }

  @Test("is answered by the undo of what it objects to, and leaves no review behind")
  func undone() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      let pause = ShiftSpan(from: morning + .minutes(20), to: morning + .minutes(30))
      for request in [
        CorrectionRequest(startedAt: morning + .minutes(10), reason: "late"),
        CorrectionRequest(breaks: [pause], reason: "rested"),
      ] {
        let corrected = try await world.operations.reviews.correct(first, request, by: actor).get()
        guard case .objected = try await phone.object(seen: world.times()) else {
          throw Unexpected("refused")
        }
        _ = try await world.operations.reviews.undo(
          correction: corrected.row.number, of: first, reason: "no", by: actor
        ).get()
        let times = try await world.times()
        #expect(times.state == .ready && times.worked == .hours(1))
        #expect(try await world.shift(1).objection == nil)
        #expect(try await world.operations.reviews.reviewCount(for: world.principal) == 0)
        let confirmed = try await world.operations.device.confirmTimes(
          ofShift: 1, seen: world.times().revision, from: phone.credential, receipt: world.receipt)
        guard case .confirmed = confirmed else { throw Unexpected("\(confirmed)") }
        world.wait(.minutes(1))
      }
    }
  }

  @Test("is refused for an open, changed, approved or unknown shift")
  func refused() async throws {
    try await withPhoneOnShift { world, phone in
      let open = try await world.times()
      #expect(try await phone.object(seen: open) == .notFinal(open))
      world.wait(.hours(1))
      try await phone.clockOut("out")
      let times = try await world.times()
      #expect(try await phone.object(seen: open) == .changed(times))
      #expect(try await phone.object(seen: times, shift: 9) == .unknownShift)
      try await world.approve(times)
      let approved = try await world.times()
      #expect(try await phone.object(seen: approved) == .approved(approved))
      #expect(try await world.times() == approved)
    }
  }

  // R: W10
  @Test("is answered by a notification, each time that the times are accepted")
  func notified() async throws {
    try await withWorld { world in
      let (manager, phone) = (world.operations.manager, try await world.workAnHour())
      func notifications() async throws -> [ShiftNotification] {
        try await manager.notifications.notifications(of: EmployeeID(7), limit: 9).map(
          \.notification)
      }
      for ordinal in [1, 2] as [Int16] {
        _ = try await phone.object("Until \(ordinal)", seen: world.times())
        #expect(try await notifications().count == Int(ordinal) - 1)
        world.wait(.minutes(1))
        // Done again, it changes nothing.
        for _ in 0..<2 { _ = try await manager.reviews.acceptTimes(of: first, by: world.principal) }
        let last = try #require(try await notifications().last)
        #expect(try await notifications().count == Int(ordinal))
        #expect(last.topic == .timesAccepted && last.subject == 1 && last.ordinal == ordinal)
        #expect(last.dueAt == world.now && last.kind == nil && !last.isUrgent)
        let page = try await manager.insight.page(
          of: first, for: world.principal)
        #expect(page.details.notifications.count == Int(ordinal))
      }
    }
  }

  @Test("does not reopen the question about the end of a shift that ended at its limit")
  func limit() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(17))
      _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      let asked = try await world.times()
      #expect(try await phone.object(seen: asked) == .notFinal(asked))
      let before = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 9)
      _ = try await world.operations.reviews.acceptTimes(of: first, by: world.principal)
      // Nobody objected: that the shift ended at its limit was told before.
      #expect(
        try await world.operations.notifications.notifications(of: EmployeeID(7), limit: 9)
          == before)
      guard case .objected = try await phone.object(seen: world.times()) else {
        throw Unexpected("refused")
      }
      #expect(try await world.shift(1).needsReview)
      // The manager decides now, not the employee.
      let (outcome, _) = try await world.operations.device.confirmEnd(
        ofShift: 1, at: morning + .hours(8), from: phone.credential, receipt: world.receipt)
      #expect(outcome == .notAsked(first))
    }
  }

  @Test("is not overwritten by a decision of a manager who has not read it")
  func unread() async throws {
    try await withWorld { world in
      let (manager, phone) = (world.operations.manager, try await world.workAnHour())
      let read = try await world.operations.insight.shiftDetails(of: first).times.tag
      _ = try await phone.object(seen: world.times())
      let row = try await world.shift(1)
      let request = CorrectionRequest(startedAt: morning + .minutes(1), reason: "Late")
      let corrected = try await manager.reviews.correct(
        first, request, matching: [read], by: world.principal)
      #expect(corrected == .changedMeanwhile(ShiftTimes(row, breaks: [])))
      let accepted = try await manager.reviews.acceptTimes(
        of: first, matching: [read], by: world.principal)
      #expect(accepted == .changedMeanwhile(first))
      #expect(
        try await manager.reviews.acceptTimes(
          of: first, matching: [ShiftTimes(row, breaks: []).tag], by: world.principal)
          == .accepted)
    }
  }

  @Test("waits for a decision however old the shift is")
  func old() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      world.wait(.hours(24 * 40))
      _ = try await phone.object(seen: world.times())
      let manager = world.operations.manager
      #expect(try await manager.reviews.reviewCount(for: world.principal) == 1)
      let queue = try await manager.reviews.reviewQueue(for: world.principal, limit: 9)
      #expect(queue.shifts.rows.map(\.shift) == [first])
    }
  }

  @Test("and an approval at the same time: one of the two counts")
  func race() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      for _ in 0..<6 {
        let times = try await world.times()
        async let objection = phone.object(seen: times)
        async let approval = world.approve(times)
        let (objected, approved) = (try await objection, try await approval)
        let after = try await world.times()
        #expect((after.approval != nil) != after.needsReview, "\(objected) \(approved)")
        if after.needsReview {
          _ = try await world.operations.reviews.acceptTimes(of: first, by: world.principal)
        } else {
          _ = try await world.operations.reviews.reopen(
            first, reason: "again", by: world.principal)
        }
        world.wait(.minutes(1))
      }
    }
  }
}
