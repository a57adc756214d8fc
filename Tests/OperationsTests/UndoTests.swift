import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import OperationCore
import Postgres
import ReviewOperations
import ShiftDomain
import Testing

extension OperationsWorld {
  fileprivate func undo(_ correction: Int16, reason: String = "mistake") async throws -> UndoOutcome
  {
    try await operations.reviews.undo(
      correction: correction, of: ShiftID(employee: EmployeeID(7), number: 1), reason: reason,
      by: actor)
  }
}

@Suite("A correction undone") struct UndoTests {
  // R: W10, W15
  @Test("brings back times, fixes and breaks, once, and notifies the employee")
  func restores() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(1))
      let now = world.now
      _ = try await phone.located(0...59)
      _ = try await phone.startBreak("b1") { $0.happened(at: now - .minutes(20), sentAt: now) }
      _ = try await phone.endBreak("b2") { $0.happened(at: now - .minutes(15), sentAt: now) }
      _ = try await phone.clockOut("out") {
        $0.sentAt = now
        $0.fix = fix(at: now - .seconds(30))
      }
      let before = (try await world.track(), try await world.segments())
      world.wait(.minutes(1))
      try await world.corrected(1, morning + .minutes(10), morning + .minutes(30))
      #expect(try await world.track() == Array(10...29))
      #expect(try await world.count("SELECT count(*) FROM shift_break") == 0)
      world.wait(.hours(7 * 24) - .milliseconds(1))
      guard case .undone(let row) = try await world.undo(1) else { throw Unexpected("kept") }
      #expect(row.number == 2 && row.undoes == 1)
      #expect(row.new == ShiftSpan(from: morning, to: now))
      #expect(try await world.track() == before.0)
      #expect(try await world.segments() == before.1)
      #expect(try await world.undo(1) == .unchanged(row))
      #expect(try await world.undo(1, reason: "again") == .notNewest)
      #expect(try await world.undo(2) == .notNewest)
      let details = try await world.operations.insight.shiftDetails(of: row.shift)
      #expect(details.row.ending == .employee)
      #expect(details.history.corrections.map(\.undoneAt) == [world.now, nil])
      #expect(try await world.operations.background.purgeSealed() == 0)
      let topics = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(topics.filter { $0.notification.topic == .shiftCorrected }.count == 2)
    }
  }

  // R: W10
  @Test("is refused after 7 days, for an older one, and when another shift lies there now")
  func refusals() async throws {
    try await withWorld { world in
      let phone = try await world.workAnHour()
      try await world.corrected(1, nil, morning + .minutes(30))
      try await world.corrected(1, nil, morning + .minutes(20))
      #expect(try await world.undo(1) == .notNewest)
      await #expect(throws: OperationError.self) { _ = try await world.undo(3) }
      world.wait(.hours(7 * 24) + .milliseconds(1))
      #expect(try await world.undo(2) == .tooLate)
      #expect(try await world.storedPings == 60)
      // By then they are gone, whether or not somebody has looked.
      try await world.corrected(1, nil, morning + .minutes(40))
      #expect(try await world.storedPings == 20)
      #expect(try await world.track() == Array(0...19))
      _ = phone
    }
    try await withWorld { world in
      let phone = try await world.workAnHour()
      try await world.corrected(1, nil, morning + .minutes(30))
      world.wait(.minutes(1))
      let now = world.now
      let outcome = try await phone.clockIn("next") {
        $0.happened(at: morning + .minutes(40), sentAt: now)
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .always, accuracy: .full, services: .on)))
      }
      guard case .clockedIn(let second, _) = outcome else { throw Unexpected("\(outcome)") }
      #expect(try await world.undo(1) == .overlaps(second))
    }
  }

  // R: W10
  @Test("of an end opens the shift again, as long as it could still be open")
  func reopens() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      _ = try await phone.located(0...29)
      try await world.corrected(1, nil, morning + .minutes(15))
      #expect(try await phone.present.shift == nil)
      world.wait(.minutes(1))
      guard case .undone = try await world.undo(1) else { throw Unexpected("kept") }
      let present = try await phone.present
      #expect(present.shift?.number == 1 && present.isTracking)
      #expect(present.shift?.report?.state.authorization == .always)
      #expect(try await world.track() == Array(0...29))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      _ = try await phone.clockOut("out")
      #expect(try await world.shift(1).endedAt == world.now)
    }
    try await withPhoneOnShift { world, _ in
      world.wait(.minutes(30))
      try await world.corrected(1, nil, morning + .minutes(15))
      world.wait(.hours(17))
      #expect(try await world.undo(1) == .tooLate)
    }
  }

  // R: W10
  @Test("of an open shift's start moves it back, with the break that it had cut")
  func startOfOpenShift() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(10))
      _ = try await phone.startBreak("b1")
      world.wait(.minutes(10))
      _ = try await phone.endBreak("b2")
      world.wait(.minutes(40))
      try await world.corrected(1, morning + .minutes(5), nil)
      guard case .undone = try await world.undo(1) else { throw Unexpected("kept") }
      #expect(try await phone.present.shift?.startedAt == morning)
      #expect(try await world.count("SELECT count(*) FROM shift_break") == 1)
    }
  }
}
