import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

extension Company {
  fileprivate func undo(_ correction: Int16, reason: String = "mistake") async throws -> UndoOutcome
  {
    try await operations.undo(
      correction: correction, of: ShiftID(employee: EmployeeID(7), number: 1), reason: reason,
      by: officer)
  }
}

@Suite("A correction undone") struct UndoTests {
  // R: W10, W15
  @Test("brings back times, fixes and breaks, once, and tells the employee")
  func restores() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.hours(1))
      let now = company.now
      _ = try await phone.located(0...59)
      _ = try await phone.startBreak("b1") { $0.happened(at: now - .minutes(20), sentAt: now) }
      _ = try await phone.endBreak("b2") { $0.happened(at: now - .minutes(15), sentAt: now) }
      _ = try await phone.clockOut("out")
      let before = (try await company.track(), try await company.segments())
      company.wait(.minutes(1))
      try await company.corrected(1, morning + .minutes(10), morning + .minutes(30))
      #expect(try await company.track() == Array(10...29))
      #expect(try await company.count("SELECT count(*) FROM shift_break") == 0)
      company.wait(.hours(7 * 24) - .milliseconds(1))
      guard case .undone(let row) = try await company.undo(1) else { throw Unexpected("kept") }
      #expect(row.number == 2 && row.undoes == 1)
      #expect(row.new == ShiftSpan(from: morning, to: now))
      #expect(try await company.track() == before.0)
      #expect(try await company.segments() == before.1)
      #expect(try await company.undo(1) == .unchanged(row))
      #expect(try await company.undo(1, reason: "again") == .notNewest)
      #expect(try await company.undo(2) == .notNewest)
      let history = try await company.operations.story(of: row.shift).history
      #expect(history.ending == .employee)
      #expect(history.corrections.map(\.undoneAt) == [company.now, nil])
      #expect(try await company.operations.purgeSealed() == 0)
      let topics = try await company.operations.notifications(of: EmployeeID(7), limit: 10)
      #expect(topics.filter { $0.topic == .shiftCorrected }.count == 2)
    }
  }

  // R: W10
  @Test("is refused after 7 days, for an older one, and when another shift lies there now")
  func refusals() async throws {
    try await withCompany { company in
      let phone = try await company.workAnHour()
      try await company.corrected(1, nil, morning + .minutes(30))
      try await company.corrected(1, nil, morning + .minutes(20))
      #expect(try await company.undo(1) == .notNewest)
      await #expect(throws: OperationError.self) { _ = try await company.undo(3) }
      company.wait(.hours(7 * 24) + .milliseconds(1))
      #expect(try await company.undo(2) == .tooLate)
      #expect(try await company.storedPings == 60)
      // By then they are gone, whether or not somebody has looked.
      try await company.corrected(1, nil, morning + .minutes(40))
      #expect(try await company.storedPings == 20)
      #expect(try await company.track() == Array(0...19))
      _ = phone
    }
    try await withCompany { company in
      let phone = try await company.workAnHour()
      try await company.corrected(1, nil, morning + .minutes(30))
      company.wait(.minutes(1))
      let now = company.now
      let outcome = try await phone.clockIn("next") {
        $0.happened(at: morning + .minutes(40), sentAt: now)
        $0.report = IncomingReport(
          state: PermissionState(authorization: .always, accuracy: .full, services: .on))
      }
      guard case .clockedIn(let second, _) = outcome else { throw Unexpected("\(outcome)") }
      #expect(try await company.undo(1) == .overlaps(second))
    }
  }

  // R: W10
  @Test("of an end opens the shift again, as long as it could still be open")
  func reopens() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.minutes(30))
      _ = try await phone.located(0...29)
      try await company.corrected(1, nil, morning + .minutes(15))
      #expect(try await phone.present.shift == nil)
      company.wait(.minutes(1))
      guard case .undone = try await company.undo(1) else { throw Unexpected("kept") }
      let present = try await phone.present
      #expect(present.shift?.number == 1 && present.isTracking)
      #expect(present.shift?.report?.state.authorization == .always)
      #expect(try await company.track() == Array(0...29))
      #expect(try await phone.ping([fix(at: company.now)]) == [.stored])
      _ = try await phone.clockOut("out")
      #expect(try await company.shift(1).endedAt == company.now)
    }
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.minutes(30))
      try await company.corrected(1, nil, morning + .minutes(15))
      company.wait(.hours(17))
      #expect(try await company.undo(1) == .tooLate)
    }
  }

  // R: W10
  @Test("of an open shift's start moves it back, with the break that it had cut")
  func startOfOpenShift() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      try await phone.beginShift()
      company.wait(.minutes(10))
      _ = try await phone.startBreak("b1")
      company.wait(.minutes(10))
      _ = try await phone.endBreak("b2")
      company.wait(.minutes(40))
      try await company.corrected(1, morning + .minutes(5), nil)
      guard case .undone = try await company.undo(1) else { throw Unexpected("kept") }
      #expect(try await phone.present.shift?.startedAt == morning)
      #expect(try await company.count("SELECT count(*) FROM shift_break") == 1)
    }
  }
}
