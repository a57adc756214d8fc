import DeviceOperations
import GuardRules
import Postgres
import ShiftDomain
import Testing

@Suite("Notes") struct NoteTests {
  private func note(
    _ phone: Phone, _ text: String = "in the cellar", from: TimeSpan, to: TimeSpan,
    on shift: Int32 = 1
  ) async throws -> NoteOutcome {
    try await phone.operations.device.note(
      text, from: morning + from, to: morning + to, on: shift, from: phone.credential,
      receipt: phone.receipt)
  }

  // R: W10
  @Test("lie within an own shift, up to now while it is open")
  func span() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      let open = try await note(phone, from: .zero, to: .minutes(30))
      guard case .added(let first) = open else { throw Unexpected("\(open)") }
      #expect(first.number == 1 && first.text == "in the cellar")
      #expect(try await note(phone, from: .zero, to: .minutes(31)) == .outside)
      #expect(try await note(phone, from: .zero - .milliseconds(1), to: .minutes(1)) == .outside)
      #expect(try await note(phone, from: .minutes(2), to: .minutes(2)) == .outside)
      #expect(try await note(phone, from: .zero, to: .minutes(1), on: 2) == .noShift)
      _ = try await phone.clockOut("out")
      world.wait(.hours(24))
      #expect(try await note(phone, from: .minutes(20), to: .minutes(31)) == .outside)
      let late = try await note(phone, from: .minutes(20), to: .minutes(30))
      guard case .added(let second) = late else { throw Unexpected("\(late)") }
      #expect(second.number == 2)
      // The same once more, as after an answer that was lost.
      #expect(try await note(phone, from: .minutes(20), to: .minutes(30)) == .known(second))
    }
  }

  // R: W10
  @Test("are a hundred a shift at the most, also when they come at once")
  func most() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(2))
      for minute in Int64(0)..<99 {
        _ = try await note(phone, from: .minutes(minute), to: .minutes(minute + 1))
      }
      let outcomes = try await withThrowingTaskGroup(of: NoteOutcome.self) { group in
        for minute in Int64(0)..<3 {
          group.addTask { try await note(phone, "again", from: .zero, to: .minutes(minute + 1)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == .tooMany } == 2)
      #expect(try await world.count("SELECT count(*) FROM shift_note") == 100)
    }
  }
}
