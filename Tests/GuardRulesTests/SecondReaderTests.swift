import Foundation
import GuardRules
import ShiftDomain
import TestPrograms
import Testing

/// Two implementations of the rules must agree: `coverage_reference.py` is the second one.
@Suite("Coverage by two implementations") struct SecondReaderTests {
  typealias Recording = (
    name: String, file: String, tracked: Int64, whole: Int64, permille: Int, gaps: Int
  )
  // R: W9
  static let recordings: [Recording] = [
    ("drive", "around-visnjan-with-car.gpx", 514_000, 514_000, 1_000, 0),
    ("tour", "cerknicko-jezero.gpx", 5_126_000, 7_190_000, 712, 7),
    ("hike", "korita-zbevnica.gpx", 9_901_000, 13_381_000, 739, 6),
  ]

  @Test("of a real recording matches the rules", arguments: recordings)
  func recording(_ row: Recording) async throws {
    let file = try fixture(row.file)
    let fixes = try timedPoints(of: file)
    let (first, last) = (try #require(fixes.min()), try #require(fixes.max()))
    let frame = CoverageFrame(
      shift: Interval(from: first, to: last),
      fixAgeMax: Policy.policy(of: .standard).fixAgeMax,
      devices: [TrackingSpan(device: 1, since: first)], reports: [])
    let pings = fixes.map { ReceivedPing(device: 1, effectiveAt: $0, fix: .position) }
    var records = ShiftRecords(frame: frame, pings: pings)
    // The last point lies at the end, which is not part of the shift.
    records.pings.removeAll { $0.effectiveAt == last }
    let segments = coverage(of: records.facts)
    var totals = TrackingTotals()
    totals.add(segments)
    #expect(totals.tracked == .milliseconds(row.tracked))
    #expect(totals.accountable == .milliseconds(row.whole))
    #expect(totals.permille == row.permille)
    #expect(segments.count { $0.reason != .tracked } == row.gaps)
    #expect(try await secondReader([records]) == [segments.map(ReadSegment.init)])
  }

  // R: W9
  @Test("of 2,000 random shifts with every coverage reason is the same, segment by segment")
  func randomShifts() async throws {
    let seed = ProcessInfo.processInfo.environment["COVERAGE_SEED"].flatMap(UInt64.init) ?? 10
    var random = SeededRandom(seed: seed)
    let shifts = (0..<2_000).map { _ in ShiftRecords(random: &random) }
    let theirs = try await secondReader(shifts)
    #expect(theirs.count == shifts.count)
    var met: Set<CoverageReason> = []
    for (round, (records, other)) in zip(shifts, theirs).enumerated() {
      let segments = coverage(of: records.facts)
      let mine = segments.map(ReadSegment.init)
      if mine != other {
        let body = try JSONEncoder().encode(RecordsBody(records))
        Issue.record("round \(round): \(mine) \(other) \(String(decoding: body, as: UTF8.self))")
      }
      met.formUnion(segments.map(\.reason))
    }
    #expect(met == Set(CoverageReason.allCases))
  }

  private func fixture(_ name: String) throws -> URL {
    try #require(
      Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
  }

  /// Track points only; the file's own time is not a point.
  private func timedPoints(of file: URL) throws -> [Instant] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "<trkpt").dropFirst().compactMap { point in
      let inside = point.prefix(upTo: point.range(of: "</trkpt>")?.lowerBound ?? point.endIndex)
      guard let match = inside.firstMatch(of: /<time>([^<]+)<\/time>/) else { return nil }
      let time = try Date(String(match.1), strategy: .iso8601)
      return Instant(milliseconds: Int64((time.timeIntervalSince1970 * 1_000).rounded()))
    }
  }

  /// Runs the second implementation; returns a list of segments for each shift.
  private func secondReader(_ shifts: [ShiftRecords]) async throws -> [[ReadSegment]] {
    let script = try #require(
      Bundle.module.url(forResource: "coverage_reference", withExtension: "py"))
    let file = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-coverage-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try shifts.map {
      String(decoding: try JSONEncoder().encode(RecordsBody($0)), as: UTF8.self)
    }
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let output = try await ChildProgram(
      ["sh", "-c", "python3 \"$0\" < \"$1\"", script.path, file.path]
    ).output()
    return try output.split(separator: "\n").map {
      try JSONDecoder().decode(ReadShift.self, from: Data($0.utf8)).segments
    }
  }
}

private struct ReadShift: Decodable { var segments: [ReadSegment] }

/// A segment of the second implementation: `[from, to, reason, atRisk, likely, inferred]`.
private struct ReadSegment: Decodable, Equatable, CustomStringConvertible {
  var from: Int64
  var to: Int64
  var reason: String
  var isAtRisk: Bool
  var likely: String?
  var isInferred: Bool

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    from = try values.decode(Int64.self)
    to = try values.decode(Int64.self)
    reason = try values.decode(String.self)
    isAtRisk = try values.decode(Bool.self)
    likely = try values.decodeIfPresent(String.self)
    isInferred = try values.decode(Bool.self)
  }

  init(_ segment: CoverageSegment) {
    from = segment.interval.start.milliseconds
    to = segment.interval.end.milliseconds
    reason = segment.reason.code
    isAtRisk = segment.isAtRisk
    likely = segment.likely?.code
    isInferred = segment.isInferred
  }

  var description: String {
    "\(from - morning.milliseconds)–\(to - morning.milliseconds) \(reason)"
      + "\(isAtRisk ? "*" : "")\(likely.map { "?\($0)" } ?? "")\(isInferred ? "~" : "")"
  }
}
