import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import Testing

@Suite("Pings") struct PingTests {
  // R: M1
  @Test("within the shift are stored once, and answered item by item")
  func stored() async throws {
    try await withPhoneOnShift { (world, phone) async throws in
      let start = world.now
      world.wait(.minutes(5))
      let pings = [
        fix(at: start + .minutes(1)), fix(at: start + .minutes(1)), fix(at: start + .minutes(2)),
        fix(at: start - .minutes(1)), fix(at: start - .hours(8 * 24)),
      ]
      #expect(
        try await phone.ping(pings, sentAt: world.now) == [
          .stored, .duplicate, .stored, .refused(.noShift), .refused(.tooLate),
        ])
      #expect(
        try await phone.ping(pings, sentAt: world.now) == [
          .duplicate, .duplicate, .duplicate, .refused(.noShift), .refused(.tooLate),
        ])
      #expect(try await world.count("SELECT count(*) FROM ping") == 2)
    }
  }

  // R: W4
  @Test("of a backlog that come to lie a moment before their clock-in count from its start")
  func jitter() async throws {
    try await withPhoneOnShift { world, phone in
      let start = world.now
      world.wait(.minutes(1))
      let fixes = [fix(at: start - .milliseconds(40)), fix(at: start - .milliseconds(1_001))]
      #expect(
        try await phone.ping(fixes, sentAt: world.now) == [.stored, .refused(.noShift)])
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(coverage.segments.map(\.interval.start) == [start])
    }
  }

  // R: B11
  @Test("outside every shift are refused, and nothing of them is kept but the time")
  func outside() async throws {
    try await withPhone(.advisory) { world, phone in
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.noShift)])
      #expect(try await world.count("SELECT count(*) FROM ping") == 0)
      let board = try await world.operations.insight.board(for: world.principal)
      #expect(board.lines.map(\.record.shift) == [nil])
      try await world.operations.background.storeLastSeen()
      #expect(try await world.count("SELECT count(last_fix_at) FROM device_contact") == 1)
    }
  }

  // R: W7
  @Test("from a device that does not track are refused")
  func otherDevice() async throws {
    try await withPhoneOnShift { world, _ in
      let second = try await Phone.enrolled(in: world)
      #expect(try await second.ping([fix(at: world.now)]) == [.refused(.notTrackingDevice)])
    }
  }

  @Test("after the clock-out are refused, and so are those it left behind")
  func afterwards() async throws {
    try await withPhoneOnShift { world, phone in
      let start = world.now
      world.wait(.minutes(10))
      _ = try await phone.ping((0..<10).map { fix(at: start + .minutes($0)) }, sentAt: world.now)
      _ = try await phone.clockOut("out") {
        $0.occurredAt = start + .minutes(5)
        $0.sentAt = world.now
      }
      // They are sealed, and go a week later.
      #expect(try await world.track() == Array(0...4))
      #expect(try await world.storedPings == 10)
      #expect(
        try await phone.ping([fix(at: world.now)], sentAt: world.now) == [.refused(.noShift)])
      try await world.deleteSealed()
      #expect(try await world.storedPings == 5)
    }
  }

  // R: W1
  @Test("of a phone in 2001 or next year are stored by their age", arguments: [-25, 1])
  func wrongClock(years: Int64) async throws {
    try await withPhoneOnShift { world, phone in
      let start = world.now
      world.wait(.minutes(5))
      let theirs = world.now + .hours(years * 365 * 24)
      #expect(
        try await phone.ping([fix(at: theirs - .minutes(2))], sentAt: theirs) == [.stored])
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      let tracked = coverage.segments.filter { $0.reason == .tracked }
      #expect(tracked.map(\.interval.start) == [start + .minutes(3)])
    }
  }

  @Test("keep an accuracy of 50 km as far as a column holds it, and no speed of a rocket")
  func extremes() async throws {
    try await withPhoneOnShift { world, phone in
      let place = try #require(Coordinate(latitude: -90, longitude: 180))
      let extreme = IncomingPing(
        recordedAt: world.now,
        fix: Fix(
          coordinate: place, accuracyMeters: 50_000, speedMetersPerSecond: 8_000,
          headingDegrees: 359.9, altitudeMeters: -50_000),
        batteryPercent: 100)
      #expect(try await phone.ping([extreme]) == [.stored])
      #expect(
        try await world.count(
          """
          SELECT count(*) FROM ping WHERE accuracy_m = 32767 AND speed_cm_s = -32768
            AND altitude_m = -32768 AND heading_deg = 0 AND flags = 100
            AND latitude_e7 = -900000000 AND longitude_e7 = 1800000000
          """) == 1)
    }
  }

  @Test("without a position are signs of life; at rest they speak for the last fix")
  func signsOfLife() async throws {
    try await withPhoneOnShift { world, phone in
      let start = world.now
      world.wait(.minutes(20))
      let contactRuns = (1..<20).map {
        IncomingPing(
          recordedAt: start + .minutes($0), fix: nil, isStationary: $0 < 10)
      }
      _ = try await phone.ping([fix(at: start)] + contactRuns, sentAt: world.now)
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(coverage.segments.first?.reason == .tracked)
      #expect(coverage.segments.first?.interval.length == .minutes(12))
      #expect(coverage.isProvisional)
    }
  }

  @Test("of a thousand in one request take one statement")
  func thousand() async throws {
    try await withPhoneOnShift { world, phone in
      let start = world.now
      world.wait(.seconds(1_000))
      let results = try await phone.ping(
        (0..<1_000).reversed().map { fix(at: start + .seconds($0)) }, sentAt: world.now)
      #expect(results.count == 1_000 && results.allSatisfy { $0 == .stored })
    }
  }

  // R: W9
  @Test("are all that is stored for coverage: requests add no rows, and a fix is still 72 bytes")
  func rows() async throws {
    try await withPhoneOnShift { world, phone in
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      try await world.operations.background.storeLastSeen()
      let before = try await world.allRows()
      #expect(before["shift"] == 1 && before["ping"] == 1 && before["device_contact"] == 1)
      for _ in 0..<20 {
        world.wait(.seconds(5))
        _ = try await phone.present
        try await world.operations.background.storeLastSeen()
      }
      #expect(try await world.allRows() == before)
      let count: SQL = "SELECT count(*) FROM device_contact WHERE last_received_at = \(world.now)"
      #expect(try await world.count(count) == 1)
      #expect(try await world.count("SELECT pg_column_size(ping)::bigint FROM ping") == 72)
    }
  }
}
