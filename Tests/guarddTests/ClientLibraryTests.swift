import ClientTransport
import Foundation
import GuardClient
import GuardRules
import HTTPSending
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

/// The client library over TCP, as phones use it.
@Suite("The client library and guardd", .timeLimit(.minutes(5))) struct ClientLibraryTests {
  @Test("ten thousand queued pings arrive once")  // R: M1
  func backlog() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let folder = try PhoneFolder()
        let clock = MovableClock(at: wallClock() - .seconds(10_010))
        let session = try folder.session(at: service.address, now: clock.reading)
        _ = try await session.enrol(code: try await service.code())
        guard case .clockIn = try await session.beginClockIn() else {
          Issue.record("no clock-in")
          return
        }
        for index in 0..<10_000 {
          clock.move(by: .seconds(1))
          try await session.record(SteadyLocation.fix(index, at: clock.now))
        }
        #expect(await session.waiting == 10_001)
        clock.move(by: .seconds(10))
        let began = ContinuousClock.now
        #expect(await session.send() == nil)
        let span = ContinuousClock.now - began
        #expect(await session.waiting == 0)
        print("10,000 pings drained over TCP in \(span)")
        #expect(try await service.count("SELECT count(*) FROM ping") == 10_000)
      }
    }
  }

  @Test("guardphone plays a shift with a downgrade, and is notified of it")  // R: A11, A18
  func phone() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let folder = try PhoneFolder()
        let phone = try RunningProgram([
          "sh", "-c", "\(folder.typing) | \"$0\" \"$@\"",
          try RunningProgram.folder() + "/guardphone", "--server", "http://\(service.address)",
          "--code", "https://shifts.example.com/app#" + (try await service.code()),
          "--folder", folder.path, "--every", "1", try folder.track(100),
        ])
        async let rest = phone.rest()
        let cues: [(key: String, count: SQL, most: Int64)] = [
          ("d", "SELECT count(*) FROM ping", 2),
          ("a", "SELECT count(*) FROM inbox WHERE written_at IS NOT NULL", 0),
          ("o", "SELECT count(*) FROM incident WHERE closed_at IS NOT NULL", 0),
        ]
        for cue in cues {
          while try await service.count(cue.count) <= cue.most {}
          try folder.type(cue.key)
        }
        let (lines, status) = await rest
        let text = lines.joined(separator: "\n")
        #expect(status == 0)
        for expected in [
          "enrolled as phone 1 of employee 1", "clock-in stored", "clockIn recorded",
          "state not_tracked", "! Location", "clockOut recorded", "\n0 records wait",
        ] {
          #expect(text.contains(expected), "\(expected) in \(text)")
        }
        #expect(try await service.count("SELECT count(*) FROM ping") > 2)
        // What it showed is told too: the banner of the denial and the result of the clock-in.
        for kind in [1, 6] as [Int64] {
          #expect(
            try await service.count("SELECT count(*) FROM app_event WHERE kind = \(kind)") > 0,
            "\(kind)")
        }
      }
    }
  }

  @Test("killed while it stores, a phone loses nothing that it has stored", arguments: 1...4)
  func killed(_ round: Int) async throws {
    let folder = try PhoneFolder()
    try Data("sg_1_1_x".utf8).write(to: URL(filePath: folder.path + "/token"))
    let phone = try RunningProgram([
      try RunningProgram.folder() + "/guardphone", "--server", "http://127.0.0.1:1",
      "--folder", folder.path, "--every", "0", try folder.track(20_000),
    ])
    _ = try await phone.line(with: "clock-in stored")
    _ = try await phone.line(with: "recorded \(round * 700)")
    #expect(throws: DiskQueueError.inUse, "two processes would overwrite each other's records") {
      _ = try DiskQueue(folder.path + "/shiftguard.queue")
    }
    phone.kill()
    let (lines, status) = await phone.rest()
    #expect(status == 128 + 9)
    let told = lines.last { $0.hasPrefix("recorded ") }.flatMap { Int($0.dropFirst(9)) }
    let stored = max(told ?? 0, round * 700)
    var queue = try DiskQueue(folder.path + "/shiftguard.queue")
    // The report of the launch and the clock-in, and perhaps one that it could not tell of.
    let extra = try neededRecords(of: queue) - stored
    #expect((2...3).contains(extra), "\(queue.count) of \(stored)")
    #expect(queue.bytesDamaged == 0)
    let numbers = try queue.first(.max).map(\.number)
    #expect(numbers == Array(1...UInt64(queue.count)))
    try queue.acknowledge(numbers)
    #expect(queue.count == 0)
  }

  @Test("on a full disk, a phone keeps what it has stored, and says that it stores no more")
  func fullDisk() async throws {
    let folder = try PhoneFolder()
    try Data("sg_1_1_x".utf8).write(to: URL(filePath: folder.path + "/token"))
    // A file may have 40 KiB: a write stops in the middle of a record, as on a full disk. That is
    // too little for a temporary file of ThreadSanitizer, which goes on without a folder for it.
    let phone = try RunningProgram([
      "env", "TMPDIR=/none", "sh", "-c", "trap '' XFSZ; ulimit -f 80; exec \"$0\" \"$@\"",
      try RunningProgram.folder() + "/guardphone", "--server", "http://127.0.0.1:1",
      "--folder", folder.path, "--every", "0", try folder.track(20_000),
    ])
    let (lines, status) = await phone.rest()
    #expect(status == 65 && lines.contains { $0.contains("pwrite failed") }, "\(lines.suffix(3))")
    let told = lines.last { $0.hasPrefix("recorded ") }.flatMap { Int($0.dropFirst(9)) }
    let count = try #require(told)
    let queue = try DiskQueue(folder.path + "/shiftguard.queue")
    #expect(try neededRecords(of: queue) == count + 2)
    #expect(queue.bytesCutOff == 0, "the part of the last record was removed at once")
  }

  /// All but what the app notes about itself, which is of kind 4 in the file.
  private func neededRecords(of queue: borrowing DiskQueue) throws -> Int {
    try queue.first(.max).count { $0.content.first != 4 }
  }
}

extension Service {
  /// A code for employee 1 of a new team.
  fileprivate func code() async throws -> String {
    let team = try await operations.people.addTeam(
      name: "North", timeZone: "UTC", preset: .standard)
    _ = try await operations.people.addEmployee(EmployeeID(1), name: "Anna", team: team)
    return try await operations.people.createEnrolmentCode(
      for: EmployeeID(1), validFor: .hours(1)
    ).code
  }
}

/// A phone's folder, removed at the end.
private final class PhoneFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "phone-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// A shell script that passes each key on once the test types it.
  var typing: String {
    "(for key in d a o; do until test -e '\(path)'/typed-$key; do sleep 0.1; done; echo $key; done)"
  }

  func type(_ key: String) throws {
    try Data().write(to: URL(fileURLWithPath: "\(path)/typed-\(key)"))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func session(at address: String, now: @escaping @Sendable () -> Instant) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: .standard)),
      location: SteadyLocation(), tokens: MemoryTokens(),
      transport: HTTPTransport(
        server: "http://\(address)", sender: HTTPSender(connectionsMax: 1)),
      clock: ClientClock(now: now, chance: { 0.5 }))
  }

  /// The path of a track with this many points.
  func track(_ points: Int) throws -> String {
    let lines = (0..<points).map {
      "<trkpt lat=\"45.\(100_000 + $0)\" lon=\"15\"><time>2026-01-01T00:00:00Z</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(lines.joined(separator: "\n"))</trkseg></trk></gpx>"
    try Data(text.utf8).write(to: URL(filePath: path + "/track.gpx"))
    return path + "/track.gpx"
  }
}

private struct SteadyLocation: LocationAdapter {
  func permission() async -> PlatformPermission {
    PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given(3), accuracyAuthorization: .given(0),
          locationServicesEnabled: .given(true))))
  }

  func currentFix() async -> RecordedPing? { nil }

  static func fix(_ index: Int, at time: Instant) -> RecordedPing {
    let coordinate = Coordinate(latitude: 45 + Double(index) / 1e5, longitude: 15)
    return RecordedPing(
      recordedAt: time, fix: coordinate.map { Fix(coordinate: $0, accuracyMeters: 8) })
  }
}

private actor MemoryTokens: TokenStore {
  private var stored: String?

  func token() -> String? { stored }
  func store(_ token: String) { stored = token }
}
