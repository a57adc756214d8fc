import Foundation
import GuardRules
import Lifecycle
import OperationCore
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import BackgroundOperations
@testable import BackgroundWorkers
@testable import ShiftStore

@Suite("The coverage rollup") struct RollupTests {
  private static func steady(_ minutes: Range<Int64>, in shift: Int32 = 1) -> [PingRow] {
    minutes.map { ping(RollupWorld.start(of: shift) + .minutes($0), in: shift) }
  }

  private func upload(_ minutes: Range<Int64>, to world: RollupWorld, ended: Set<Int32> = [])
    async throws
  {
    try await world.upload(
      Self.steady(minutes), receivedAt: RollupWorld.start(of: 1) + .minutes(minutes.upperBound),
      ended: ended)
  }

  // R: W9
  @Test("processes new pings once, and steady pings make one run")
  func once() async throws {
    try await RollupWorld.run(2) { world in
      try await upload(0..<10, to: world)
      var outcome = try await world.operations.background.rollUpPings()
      #expect(outcome.rolledUp == 1 && outcome.fromAllPings == 1 && outcome.lost == 0)
      try await upload(10..<20, to: world)
      outcome = try await world.operations.background.rollUpPings()
      #expect(outcome.rolledUp == 1 && outcome.fromAllPings == 0)
      #expect(try await world.operations.background.rollUpPings() == RollupOutcome())
      #expect(
        try await world.count("SELECT cardinality(positions)::bigint FROM coverage_rollup") == 2)
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  @Test("by two instances, each with pings of the same shift, loses none")
  func twoInstances() async throws {
    try await RollupWorld.run(1) { world in
      let other = world.restarted()
      for part in Int64(0)..<20 {
        let (mine, theirs) = (3 * part, 3 * part + 1)
        try await upload(mine..<mine + 1, to: world)
        try await upload(theirs..<theirs + 1, to: world)
        // What one instance stored last is marked as new for the other.
        let (spans, _) = world.operations.dirtyShifts.take()
        for span in spans {
          (part % 2 == 0 ? other : world.operations).dirtyShifts.note(span)
        }
        async let first = world.operations.background.rollUpPings()
        async let second = other.background.rollUpPings()
        _ = try await (first, second)
      }
      _ = try await (world.operations.background.rollUpPings(), other.background.rollUpPings())
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  @Test("does not overwrite newer changes, and keeps its pending work")
  func overtaken() async throws {
    try await RollupWorld.run(1) { world in
      try await upload(0..<3, to: world)
      try await world.operations.background.rollUpPings()
      let stale = try await world.pool.transaction { (session) throws(PostgresError) in
        let contactRuns = try surroundings(of: [RollupWorld.id(1)], on: &session)[0].rollup
        try session.execute(markDirty(RollupWorld.id(1)))
        return try session.execute(
          put(
            contactRuns.contactRuns ?? ContactRuns(), of: RollupWorld.id(1),
            after: contactRuns.version))
      }
      #expect(stale == 0)
      #expect(try await world.rolledUpCoverage(1) == nil)
      #expect(try await world.operations.background.rollUpPings().fromAllPings == 1)
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  // R: W9
  @Test("finds pings of an open shift that a crashed process had not rolled up")
  func afterCrash() async throws {
    try await RollupWorld.run(1) { world in
      try await world.write([
        "UPDATE shift SET ended_at = NULL WHERE employee_id = 7 AND shift_no = 1"
      ])
      try await upload(0..<3, to: world)
      try await world.operations.background.rollUpPings()
      try await upload(30..<33, to: world)
      let next = world.restarted()
      #expect(try await next.background.rollUpPings() == RollupOutcome())
      #expect(try await world.rolledUpCoverage(1) != world.exact(1))
      #expect(try await next.background.rollUpShiftsInDoubt().rolledUp == 1)
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  @Test("finds pings that came after the end of the shift, even after a restart")
  func lateAfterCrash() async throws {
    try await RollupWorld.run(1) { world in
      try await upload(0..<3, to: world)
      try await world.operations.background.rollUpPings()
      try await upload(30..<33, to: world, ended: [1])
      #expect(try await world.rolledUpCoverage(1) == nil)
      #expect(try await world.restarted().background.rollUpPings().fromAllPings == 1)
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  @Test("keeps its pending work while the database fails")
  func databaseAway() async throws {
    try await RollupWorld.run(1) { world in
      try await upload(0..<3, to: world)
      try await world.write(["ALTER TABLE coverage_rollup RENAME TO elsewhere"])
      await #expect(throws: OperationError.self) {
        try await world.operations.background.rollUpPings()
      }
      try await world.write(["ALTER TABLE elsewhere RENAME TO coverage_rollup"])
      #expect(try await world.operations.background.rollUpPings().rolledUp == 1)
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  // R: W9
  @Test(
    "stores the coverage of a real recording as in the rules' reference",
    arguments: [
      ("around-visnjan-with-car.gpx", 514_000, 514_000, 0),
      ("cerknicko-jezero.gpx", 5_126_000, 7_190_000, 7),
      ("korita-zbevnica.gpx", 9_901_000, 13_381_000, 6),
    ])
  func recording(_ file: String, tracked: Int64, whole: Int64, gaps: Int) async throws {
    let times = try timedPoints(of: file)
    let (first, last) = (try #require(times.min()), try #require(times.max()))
    try await RollupWorld.run(1) { world in
      try await world.write([
        """
        UPDATE shift SET started_at = \(first), ended_at = \(last)
        WHERE employee_id = 7 AND shift_no = 1
        """
      ])
      for start in stride(from: 0, to: times.count, by: 100) {
        let part = times[start..<min(start + 100, times.count)].map { ping($0, in: 1) }
        try await world.upload(part, receivedAt: last)
        if start % 300 == 0 { try await world.operations.background.rollUpPings() }
      }
      try await world.operations.background.rollUpPings()
      let segments = try #require(try await world.rolledUpCoverage(1)).segments
      var totals = TrackingTotals()
      totals.add(segments)
      #expect(totals.tracked == .milliseconds(tracked))
      #expect(totals.accountable == .milliseconds(whole))
      #expect(segments.count { $0.reason != .tracked } == gaps)
    }
  }

  @Test("keeps running until stopped and reports failures")
  func service() async throws {
    try await RollupWorld.run(1) { world in
      let polls = RecordedPolls()
      let rolledUp = polls.metrics.counter("shiftguard_shifts_rolled_up_total", "")
      let rollup = CoverageRollup(world.operations.background, polls.metrics)
      let worker = Worker("rollup", every: .milliseconds(1), polls.monitor, work: rollup.run)
      try await upload(0..<3, to: world)
      let task = Task { await worker.run() }
      while rolledUp.value < 1 { await polls.next() }
      try await upload(3..<6, to: world)
      while rolledUp.value < 2 { await polls.next() }
      task.cancel()
      _ = await task.result
      #expect(try await world.rolledUpCoverage(1) == world.exact(1))
    }
  }

  private func timedPoints(of name: String) throws -> [Instant] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "GuardRulesTests/Fixtures/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "<trkpt").dropFirst().compactMap { point in
      let inside = point.prefix(upTo: point.range(of: "</trkpt>")?.lowerBound ?? point.endIndex)
      guard let match = inside.firstMatch(of: /<time>([^<]+)<\/time>/) else { return nil }
      let time = try Date(String(match.1), strategy: .iso8601)
      return Instant(milliseconds: Int64((time.timeIntervalSince1970 * 1_000).rounded()))
    }
  }
}
