import Foundation
import GuardRules
import ShiftDomain
import TestPrograms
import Testing

/// Two people with the rules must compute the same coverage: `coverage_reference.py` is the other.
@Suite("Coverage by two readers") struct SecondReaderTests {
  typealias Recording = (
    name: String, file: String, tracked: Int64, whole: Int64, permille: Int, gaps: Int
  )
  // R: W9
  static let recordings: [Recording] = [
    ("drive", "around-visnjan-with-car.gpx", 514_000, 514_000, 1_000, 0),
    ("tour", "cerknicko-jezero.gpx", 5_126_000, 7_190_000, 712, 7),
    ("hike", "korita-zbevnica.gpx", 9_901_000, 13_381_000, 739, 6),
  ]

  @Test("of a real recording is as the rules say", arguments: recordings)
  func recording(_ row: Recording) async throws {
    let file = try fixture(row.file)
    let fixes = try timedPoints(of: file)
    let (first, last) = (try #require(fixes.min()), try #require(fixes.max()))
    var facts = CoverageFacts(
      shift: Interval(from: first, to: last),
      fixAgeMax: Policy.policy(of: .standard).fixAgeMax)
    facts.fixes = fixes
    let segments = coverage(of: facts)
    var totals = TrackingTotals()
    totals.add(segments)
    #expect(totals.tracked == .milliseconds(row.tracked))
    #expect(totals.accountable == .milliseconds(row.whole))
    #expect(totals.permille == row.permille)
    #expect(segments.count { $0.reason != .tracked } == row.gaps)
    #expect(try await secondReader([file.path]) == [segments.map(ReadSegment.init)])
  }

  // R: W9
  @Test("of 1,000 random shifts with all that a day brings is the same, segment by segment")
  func randomShifts() async throws {
    var random = SeededRandom(seed: 10)
    let shifts = (0..<1_000).map { _ in ShiftRecords(random: &random) }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-coverage-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let bodies = shifts.map { RecordsBody($0, inferred: $0.facts.inferred) }
    try JSONEncoder().encode(bodies).write(to: file)
    let theirs = try await secondReader([file.path])
    #expect(theirs.count == shifts.count)
    var met: Set<String> = []
    for (round, (records, other)) in zip(shifts, theirs).enumerated() {
      let mine = coverage(of: records.facts).map(ReadSegment.init)
      #expect(mine == other, "round \(round)")
      met.formUnion(mine.map(\.reason))
    }
    #expect(met.count == CoverageReason.allCases.count + 1, "\(met)")
  }

  private func fixture(_ name: String) throws -> URL {
    try #require(
      Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
  }

  /// Only points of a track; the file's own time is no point.
  private func timedPoints(of file: URL) throws -> [Instant] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "<trkpt").dropFirst().compactMap { point in
      let inside = point.prefix(upTo: point.range(of: "</trkpt>")?.lowerBound ?? point.endIndex)
      guard let match = inside.firstMatch(of: /<time>([^<]+)<\/time>/) else { return nil }
      let time = try Date(String(match.1), strategy: .iso8601)
      return Instant(milliseconds: Int64((time.timeIntervalSince1970 * 1_000).rounded()))
    }
  }

  /// Runs the reference; its answer is a list of segments for each shift.
  private func secondReader(_ arguments: [String]) async throws -> [[ReadSegment]] {
    let script = try #require(
      Bundle.module.url(forResource: "coverage_reference", withExtension: "py"))
    let output = try await ChildProgram(["python3", script.path] + arguments).output()
    return try JSONDecoder().decode([[ReadSegment]].self, from: Data(output.utf8))
  }
}

/// A segment as the second reader tells it: `[from, to, reason]`.
private struct ReadSegment: Decodable, Equatable {
  var from: Int64
  var to: Int64
  var reason: String

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    from = try values.decode(Int64.self)
    to = try values.decode(Int64.self)
    reason = try values.decode(String.self)
  }

  init(_ segment: CoverageSegment) {
    from = segment.interval.start.milliseconds
    to = segment.interval.end.milliseconds
    reason = segment.isAtRisk ? "at_risk" : segment.reason.code
  }
}
