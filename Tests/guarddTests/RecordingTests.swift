import BackgroundOperations
import Foundation
import GuardRules
import OperationCore
import PhoneSimulation
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

@Suite("Real recordings, through sockets") struct RecordingTests {
  typealias Reference = (file: String, tracked: Int64, whole: Int64, gaps: Int)
  static let references: [Reference] = [
    ("around-visnjan-with-car.gpx", 514_000, 514_000, 0),
    ("cerknicko-jezero.gpx", 5_126_000, 7_190_000, 7),
    ("korita-zbevnica.gpx", 9_901_000, 13_381_000, 6),
  ]

  // R: W9
  @Test("sent as a backlog, each comes within a second to what the rules' reference tells")
  func backlogs() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phones = try await service.phones(Int32(Self.references.count))
        try await withThrowingTaskGroup { group in
          for (reference, phone) in zip(Self.references, phones) {
            group.addTask { try await play(reference.file, on: phone) }
          }
          try await group.waitForAll()
        }
        // What came is folded by whoever is first, guardd or we.
        try await service.operations.background.rollUpPings()
        for (reference, phone) in zip(Self.references, phones) {
          let coverage = try #require(try await rolledUpCoverage(phone.shift, in: service.pool))
          var totals = TrackingTotals()
          totals.add(coverage.segments)
          let off = [
            totals.tracked - .milliseconds(reference.tracked),
            totals.accountable - .milliseconds(reference.whole),
          ]
          #expect(off.allSatisfy { abs($0.milliseconds) <= 1_000 }, "\(reference): \(off)")
          let gaps = coverage.segments.count {
            $0.reason != .tracked && $0.interval.length > .seconds(1)
          }
          #expect(gaps == reference.gaps)
        }
      }
    }
  }

  /// The whole shift of a recording that ended just now, as a phone sends it that was offline.
  /// Without the time of sending, by which the service would move its times on a busy machine.
  private func play(_ file: String, on phone: SentPhone) async throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../GuardRulesTests/Fixtures/\(file)").standardized.path
    let recording = try Recording(gpxFile: path, name: file).ending(at: wallClock() - .seconds(5))
    try await phone.clockIn(at: recording.start, sentAt: nil)
    let times = recording.points.map(\.time)
    for start in stride(from: 0, to: times.count, by: 100) {
      let part = Array(times[start..<min(start + 100, times.count)])
      let answer = try await phone.upload(part, sentAt: nil)
      #expect(answer.count("stored") == part.count, "\(answer.text.prefix(200))")
    }
    try await phone.clockOut(at: recording.end, sentAt: nil)
  }

  /// The coverage as a team's day has it: from what is stored folded; `nil` when nothing is.
  private func rolledUpCoverage(_ shift: ShiftID, in pool: Pool) async throws -> ShiftCoverage? {
    try await pool.read { (session) throws(PostgresError) in
      let record = try shiftRecords(of: [shift], on: &session)[0]
      let around = try surroundings(of: [shift], on: &session)[0]
      return ShiftCoverage(ofRollup: record, around, asOf: wallClock())
    }
  }
}
