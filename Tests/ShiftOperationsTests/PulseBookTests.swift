import Postgres
import ShiftDomain
import ShiftStore
import Testing

@testable import ShiftOperations

@Suite("When phones were last heard of") struct PulseBookTests {
  private static let device = DeviceID(employee: EmployeeID(7), number: 1)

  // R: M1
  @Test("newest wins, each time by itself, whoever notes at once")
  func newest() async {
    let book = PulseBook()
    await withTaskGroup { group in
      for second in Int64(0)..<200 {
        group.addTask {
          book.note(
            Pulse(
              device: Self.device, receivedAt: morning + .seconds(second),
              fixAt: second == 40 ? morning : nil,
              sign: second == 50
                ? Pulse.Sign(at: morning, restAt: morning + .seconds(1)) : nil))
        }
      }
    }
    #expect(book.unfolded.count == 1)
    #expect(book.unfolded.first?.receivedAt == morning + .seconds(199))
    #expect(book.unfolded.first?.fixAt == morning)
    #expect(book.unfolded.first?.restAt == morning + .seconds(1))
  }

  // R: M1
  @Test("what is noted while others are written stays to be written")
  func settling() {
    let book = PulseBook()
    book.note(Pulse(device: Self.device, receivedAt: morning))
    let writing = book.unfolded
    book.note(Pulse(device: Self.device, receivedAt: morning + .seconds(1)))
    book.settle(writing)
    #expect(book.unfolded.map(\.receivedAt) == [morning + .seconds(1)])
    book.settle(book.unfolded)
    #expect(book.unfolded.isEmpty)
  }

  // R: M1
  @Test("is written once a second, not with every request, and never moves back")
  func folding() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      // Refused, for there is no shift: heard of all the same.
      _ = try await phone.ping([fix(at: company.now)])
      #expect(try await company.count("SELECT count(*) FROM device_pulse") == 0)
      try await company.operations.foldPulse()
      let (heard, pulse) = (company.now, company.operations.pulse)
      let count: SQL = """
        SELECT count(*) FROM device_pulse
        WHERE last_received_at = \(heard) AND last_fix_at = \(heard) AND last_rest_at IS NULL
        """
      #expect(try await company.count(count) == 1)
      #expect(pulse.unfolded.isEmpty)
      pulse.note(
        Pulse(device: Self.device, receivedAt: heard - .seconds(9), fixAt: heard - .seconds(9)))
      // A device that is gone keeps nobody else's from being written.
      pulse.note(Pulse(device: DeviceID(employee: EmployeeID(9), number: 1), receivedAt: heard))
      try await company.operations.foldPulse()
      #expect(try await company.count(count) == 1)
      #expect(try await company.count("SELECT count(*) FROM device_pulse") == 1)
      #expect(pulse.unfolded.isEmpty)
    }
  }

  // R: M1
  @Test("is noted of every phone that shows its token, and of nobody else")
  func everything() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(in: company)
      _ = try await company.operations.ownShifts(limit: 1, for: phone.credential)
      _ = try await company.operations.snapshot(for: phone.credential)
      #expect(company.operations.pulse.unfolded.map(\.device) == [phone.credential.device])
      try await company.operations.foldPulse()
      try await company.operations.revoke(device: phone.credential.device)
      await #expect(throws: OperationError.unauthorized) { try await phone.present }
      #expect(company.operations.pulse.unfolded.isEmpty)
    }
  }

  // R: M2
  @Test("counts for a clock-in before it is written down")
  func atOnce() async throws {
    try await withCompany { company in
      let phone = try await Phone.enrolled(
        in: company, NewDevice(platform: .android, canReport: false))
      _ = try await phone.ping([fix(at: company.now)])
      guard case .clockedIn(_, let decision) = try await phone.clockIn("in") else {
        throw Unexpected("its fix of just now is not known")
      }
      #expect(decision.warning.contains(.cannotReport))
    }
  }
}
