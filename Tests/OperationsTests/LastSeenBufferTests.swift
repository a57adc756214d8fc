import BackgroundOperations
import DeviceOperations
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore
import Testing

@Suite("When phones last sent anything") struct LastSeenBufferTests {
  private static let device = DeviceID(employee: EmployeeID(7), number: 1)
  private static let hash: [UInt8] = Array(repeating: 7, count: 32)

  // R: M1
  @Test("newest wins, each time by itself, whoever notes at once")
  func newest() async {
    let buffer = LastSeenBuffer()
    await withTaskGroup { group in
      for second in Int64(0)..<200 {
        group.addTask {
          buffer.note(
            Pulse(
              device: Self.device, tokenHash: Self.hash, receivedAt: morning + .seconds(second),
              fixAt: second == 40 ? morning : nil,
              sign: second == 50
                ? Pulse.Sign(at: morning, restAt: morning + .seconds(1)) : nil))
        }
      }
    }
    #expect(buffer.pending.count == 1)
    #expect(buffer.pending.first?.receivedAt == morning + .seconds(199))
    #expect(buffer.pending.first?.fixAt == morning)
    #expect(buffer.pending.first?.restAt == morning + .seconds(1))
  }

  // R: M1
  @Test("what is noted while others are written stays to be written")
  func removing() {
    let buffer = LastSeenBuffer()
    buffer.note(Pulse(device: Self.device, tokenHash: Self.hash, receivedAt: morning))
    let writing = buffer.pending
    buffer.note(Pulse(device: Self.device, tokenHash: Self.hash, receivedAt: morning + .seconds(1)))
    buffer.removeWritten(writing)
    #expect(buffer.pending.map(\.receivedAt) == [morning + .seconds(1)])
    buffer.removeWritten(buffer.pending)
    #expect(buffer.pending.isEmpty)
  }

  // R: M1
  @Test("is written once a second, not with every request, and never moves back")
  func storing() async throws {
    try await withPhone { world, phone in
      // Refused, for there is no shift: heard of all the same.
      _ = try await phone.ping([fix(at: world.now)])
      #expect(try await world.count("SELECT count(*) FROM device_contact") == 0)
      try await world.operations.background.storeLastSeen()
      let (heard, lastSeen) = (world.now, world.operations.lastSeen)
      let count: SQL = """
        SELECT count(*) FROM device_contact
        WHERE last_received_at = \(heard) AND last_fix_at = \(heard) AND last_rest_at IS NULL
        """
      #expect(try await world.count(count) == 1)
      #expect(lastSeen.pending.isEmpty)
      lastSeen.note(
        Pulse(
          device: Self.device, tokenHash: phone.credential.secretHash,
          receivedAt: heard - .seconds(9), fixAt: heard - .seconds(9)))
      // A device that is gone keeps nobody else's from being written.
      let gone = DeviceID(employee: EmployeeID(9), number: 1)
      lastSeen.note(Pulse(device: gone, tokenHash: Self.hash, receivedAt: heard))
      try await world.operations.background.storeLastSeen()
      #expect(try await world.count(count) == 1)
      #expect(try await world.count("SELECT count(*) FROM device_contact") == 1)
      #expect(lastSeen.pending.isEmpty)
    }
  }

  // R: M1
  @Test("is noted for every phone that shows its token, and for no other")
  func everything() async throws {
    try await withPhone { world, phone in
      _ = try await world.operations.device.ownShifts(limit: 1, for: phone.credential)
      _ = try await world.operations.device.snapshot(for: phone.credential)
      #expect(world.operations.lastSeen.pending.map(\.device) == [phone.credential.device])
      try await world.operations.background.storeLastSeen()
      try await world.operations.people.revoke(device: phone.credential.device)
      await #expect(throws: OperationError.unauthorized) { try await phone.present }
      #expect(world.operations.lastSeen.pending.isEmpty)
    }
  }

  // R: M2
  @Test("counts for a clock-in before it is written down")
  func atOnce() async throws {
    try await withWorld { world in
      let phone = try await Phone.enrolled(
        in: world, NewDevice(platform: .android, canReport: false))
      _ = try await phone.ping([fix(at: world.now)])
      guard case .clockedIn(_, let decision) = try await phone.clockIn("in") else {
        throw Unexpected("its fix of just now is not known")
      }
      #expect(decision.warning.contains(.cannotReport))
    }
  }
}
