import Foundation
import GuardRules
import ShiftDomain
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
    #expect(try await secondReader([file.path]) == [segments.milliseconds])
  }

  @Test("of 1,000 random shifts is the same to the millisecond, reason by reason")
  func randomShifts() async throws {
    var random = SeededRandom(seed: 10)
    let shifts = (0..<1_000).map { _ in CoverageFacts.random(&random) }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-coverage-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try JSONEncoder().encode(shifts.map(FactsBody.init)).write(to: file)
    let theirs = try await secondReader([file.path])
    #expect(theirs.count == shifts.count)
    for (round, (facts, other)) in zip(shifts, theirs).enumerated() {
      #expect(coverage(of: facts).milliseconds == other, "round \(round)")
    }
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

  /// Runs the reference; its answer is one dictionary for each shift.
  private func secondReader(_ arguments: [String]) async throws -> [[String: Int64]] {
    let script = try #require(
      Bundle.module.url(forResource: "coverage_reference", withExtension: "py"))
    let output = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-coverage-\(UUID().uuidString).txt")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    let status = try await withCheckedThrowingContinuation { ended in
      process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    #expect(status == 0)
    return try JSONDecoder().decode([[String: Int64]].self, from: Data(contentsOf: output))
  }
}

/// The facts as the reference reads them; times in milliseconds.
private struct FactsBody: Encodable {
  struct State: Encodable {
    var since: Int64
    var authorization, services, accuracy: String
  }
  struct Cause: Encodable {
    var from, to: Int64
    var reason: String
  }

  var shift: [Int64]
  var breaks, outages: [[Int64]]
  var fixes, contacts, takeOvers: [Int64]
  var states: [State]
  var inferred: [Cause]
  var fixAgeMax: Int64

  init(_ facts: CoverageFacts) {
    func bounds(_ interval: Interval) -> [Int64] {
      [interval.start.milliseconds, interval.end.milliseconds]
    }
    shift = bounds(facts.shift)
    breaks = facts.breaks.intervals.map(bounds)
    outages = facts.outages.intervals.map(bounds)
    fixes = facts.fixes.map(\.milliseconds)
    contacts = facts.contacts.map(\.milliseconds)
    takeOvers = facts.takeOvers.map(\.milliseconds)
    states = facts.states.map { reported in
      State(
        since: reported.since.milliseconds, authorization: reported.state.authorization.code,
        services: reported.state.services.code, accuracy: reported.state.accuracy.code)
    }
    inferred = facts.inferred.map { cause in
      Cause(
        from: cause.interval.start.milliseconds, to: cause.interval.end.milliseconds,
        reason: cause.reason.code)
    }
    fixAgeMax = facts.fixAgeMax.milliseconds
  }
}
