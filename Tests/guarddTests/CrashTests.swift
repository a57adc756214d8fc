import DeviceOperations
import Foundation
import Lifecycle
import LoadSimulation
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("guardd, killed", .disabled(if: isUnderThreadSanitizer)) struct CrashTests {
  // R: M1
  @Test("what was acknowledged before, during and after a kill -9 is there once")
  func killed() async throws {
    try await withTestDatabase { database in
      let phones = try await enrol(4, in: database)
      // A line for each request, which tells when to kill.
      let arguments = [
        "--database", database.configuration.description, "--log-level", "debug", "--listen",
      ]
      let first = try RunningProgram(guardd: arguments + ["127.0.0.1:0"])
      let address = try await first.address()
      let load = Load(
        shape, phones: phones, server: "http://\(address)", patience: .seconds(600))
      async let records = load.run()

      // From here on every phone is at work; each clocks in, however late it has its turn.
      for _ in phones { _ = try await first.line(with: "route=/v1/clock-in status=201") }
      first.kill()
      #expect(await first.rest().status == 128 + 9)
      let second = try RunningProgram(guardd: arguments + [address])

      var found = Discrepancies()
      let pool = Pool(database.configuration, size: 1, waitersMax: 0)
      for record in await records {
        let stored = try await stored(of: record, in: pool)
        found.compare(record, withPings: stored.pings, andReports: stored.reports)
      }
      await pool.close()
      let tally = load.progress
      #expect(found.isEmpty, "\(found)")
      #expect(found.confirmed > 20)
      // Those under way when it was killed, at least, were sent again and answered.
      #expect(tally.retries > 0 && tally.unanswered == 0 && tally.unexpected.isEmpty, "\(tally)")
      second.terminate()
      #expect(await second.rest().status == 0)
    }
  }

  // R: M1
  @Test(
    "killed while it sends, it loses no message, renumbers none and reports the truth",
    .timeLimit(.minutes(15)))
  func killedWhileSending() async throws {
    try await withTestDatabase { database in
      let rounds = projectFolder.appending(path: "deploy/drills/crash.d/rounds.py").path
      // Each moment once: claimed, answered, draining; then without connections for once. The table
      // says what was broken. (`deploy/drills/crash` also crashes the database, which all tests
      // would notice.)
      let output = try await ChildProgram([
        "python3", "-B", rounds, "--rounds", "3",
        "--cuts", "1", "--patience", "600", "--slack", "600",
        "--recovery", "600", "--guardd", try RunningProgram.guardd(), "--database",
        database.configuration.description,
      ]).output()
      #expect(output.contains("every promise kept"), "\(output)")
    }
  }

  /// As wild as it gets, for as long as killing and starting take.
  private var shape: LoadShape {
    var shape = LoadShape()
    (shape.span, shape.items) = (.seconds(6), 1...20)
    (shape.duplicatePercent, shape.latePercent, shape.shuffledPercent) = (20, 20, 20)
    shape.downgradesPerMinute = 400
    return shape
  }

  private func enrol(_ count: Int32, in database: TestDatabase) async throws -> [EnrolledPhone] {
    try await withPool(database.configuration, size: 1) { pool in
      try await TestOperations(pool: pool, now: wallClock).addTeam(of: count).phones
        .map { try #require(EnrolledPhone(token: $0.token)) }
    }
  }

  private func stored(
    of record: PhoneRecord, in pool: Pool
  ) async throws -> (pings: [Instant], reports: [Int64]) {
    let pings = record.start...record.recordedAt(max(record.pings.count - 1, 0))
    let reports = (record.reports.keys.min() ?? 0)...(record.reports.keys.max() ?? 0)
    return try await pool.read { (session) throws(PostgresError) in
      (
        try recordedTimes(of: record.device, in: pings, on: &session),
        try reportSequences(of: record.device, in: reports, on: &session)
      )
    }
  }
}
