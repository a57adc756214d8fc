import BackgroundOperations
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

@Suite("Old pings") struct RetentionTests {
  /// A week and a day: the longest time until the last ping of a week is old enough.
  private static let week = TimeSpan.hours(24 * 8)

  // R: W11
  @Test("are deleted by whole weeks or, outside of them, one by one; their coverage is kept")
  func outlived() async throws {
    try await RollupWorld.run(3) { world in
      #expect(try await world.operations.background.makePingWeeks() == 10)
      let start = RollupWorld.start(of: 1)
      let steady = (0..<10).map { ping(start + .minutes($0), in: 1) }
      try await world.upload(steady, receivedAt: start + .minutes(10), ended: [1])
      // The clock of a phone says 2001: its pings belong to no week, and none is refused.
      let lost = (20..<30).map { ping(start + .minutes($0), in: 1, off: .hours(-24 * 9_000)) }
      try await world.upload(lost, receivedAt: start + .minutes(30), ended: [1])
      #expect(try await world.count("SELECT count(*) FROM ping_other") == 10)
      let before = try await world.exact(1)
      #expect(
        before.segments.filter { $0.reason == .tracked }.map(\.interval.length) == [
          .minutes(12), .minutes(12),
        ])

      world.clock.now = start + pingRetention - .hours(1)
      var care = try await world.operations.background.maintainPings()
      // The week before, which is no longer needed.
      #expect(care.weeksDropped == 1 && care.pingsDeleted == 0 && care.weeksMade > 0)
      #expect(try await world.count("SELECT count(*) FROM ping") == 20)

      // The week of Monday 2 March ends on the 9th.
      world.clock.now = start + pingRetention + Self.week
      care = try await world.operations.background.maintainPings()
      #expect(care.weeksDropped == 1 && care.pingsDeleted == 10)
      #expect(try await world.count("SELECT count(*) FROM ping") == 0)
      #expect(try await world.exact(1).segments == before.segments)
      #expect(try await world.rolledUpCoverage(1)?.segments == before.segments)
      #expect(try await !world.operations.background.maintainPings().isSomething)
    }
  }

  // R: W11
  @Test("do not take our outages with them, which are kept as long as shifts")
  func outages() async throws {
    try await RollupWorld.run(1) { world in
      let start = RollupWorld.start(of: 1)
      for past in [TimeSpan.hours(1), .hours(2)] {
        try await world.write([insertOutage(from: start - past, to: start - past + .minutes(1))])
      }
      world.clock.now =
        start + .hours(Int64(Retention.standard[.shifts]) * 24) - .hours(2) + .minutes(1)
      #expect(try await world.operations.background.maintainPings().outagesDeleted == 0)
      world.clock.now = world.now + .milliseconds(1)
      #expect(try await world.operations.background.maintainPings().outagesDeleted == 1)
      #expect(try await world.count("SELECT count(*) FROM outage") == 1)
    }
  }

  @Test("can be maintained by several instances at once, and are deleted once")
  func together() async throws {
    try await RollupWorld.run(3) { world in
      _ = try await world.operations.background.makePingWeeks()
      try await world.upload([ping(RollupWorld.start(of: 2), in: 2)], receivedAt: world.now)
      world.clock.now = morning + pingRetention + Self.week
      let others = world.restarted()
      async let mine = world.operations.background.maintainPings()
      async let theirs = others.background.maintainPings()
      // An instance that cannot wait for the other one leaves the work for the next time.
      let cares = [try? await mine, try? await theirs].compactMap { $0 }
      let rest = try await world.operations.background.maintainPings()
      #expect((cares + [rest]).reduce(0) { $0 + $1.weeksDropped } <= 2)
      #expect(!cares.isEmpty)
      #expect(try await world.count("SELECT count(*) FROM ping") == 0)
      #expect(try await world.rolledUpCoverage(2) != nil)
    }
  }

  @Test("stay while their week also has new ones, from a phone two months behind")
  func youngInOldWeek() async throws {
    try await RollupWorld.run(1) { world in
      let old = RollupWorld.start(of: 1)
      try await world.upload([ping(old, in: 1)], receivedAt: old + .minutes(1))
      _ = try await world.operations.background.makePingWeeks()
      world.clock.now = old + pingRetention + Self.week
      try await world.plantShift(number: 2, from: world.now - .hours(1), to: nil)
      let young = ping(
        world.now - .minutes(5), in: 2, off: old - world.now + .minutes(20))
      try await world.upload([young], receivedAt: world.now)
      let care = try await world.operations.background.maintainPings()
      #expect(care.weeksDropped <= 1)
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
      #expect(try await world.exact(2).segments.map(\.reason).contains(.tracked))
    }
  }

  @Test("are not dropped during a long read, but the next time")
  func inTheWay() async throws {
    try await RollupWorld.run(1) { world in
      _ = try await world.operations.background.makePingWeeks()
      try await world.upload([ping(RollupWorld.start(of: 1), in: 1)], receivedAt: world.now)
      world.clock.now = morning + pingRetention + Self.week
      try await world.pool.holding { (session) throws(PostgresError) in
        try session.execute("SELECT count(*) FROM ping")
      } during: { _ in
        await #expect(
          throws: OperationError.unavailable(detail: "the table is locked by another transaction")
        ) { _ = try await world.operations.background.maintainPings() }
      }
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
      #expect(try await world.operations.background.maintainPings().weeksDropped > 0)
    }
  }

  @Test("without a week's partition go to the default one, and move when it is created")
  func missingWeek() async throws {
    try await RollupWorld.run(1) { world in
      let at = RollupWorld.start(of: 1)
      try await world.upload([ping(at, in: 1)], receivedAt: at + .minutes(1))
      #expect(try await world.count("SELECT count(*) FROM ping_other") == 1)
      #expect(try await world.operations.background.makePingWeeks() == 10)
      try await world.upload([ping(at + .minutes(1), in: 1)], receivedAt: at + .minutes(2))
      #expect(try await world.count("SELECT count(*) FROM ping_other") == 0)
      #expect(try await world.count("SELECT count(*) FROM ping") == 2)
      #expect(try await world.exact(1).segments.first?.reason == .tracked)
    }
  }

  @Test("of a phone whose clock is ahead are deleted as early as those of others")
  func ahead() async throws {
    try await RollupWorld.run(1) { world in
      _ = try await world.operations.background.makePingWeeks()
      let at = RollupWorld.start(of: 1)
      for (minute, skew) in [(0, TimeSpan.zero), (1, .hours(24 * 30)), (2, .hours(24 * 300))] {
        let time = at + .minutes(Int64(minute))
        try await world.upload(
          [ping(time, in: 1, off: skew)], receivedAt: time, ended: skew == .zero ? [] : [1])
      }
      #expect(try await world.count("SELECT count(*) FROM ping_other") == 1)
      world.clock.now = at + pingRetention + .hours(1)
      _ = try await world.operations.background.maintainPings()
      #expect(try await world.count("SELECT count(*) FROM ping") == 1, "the week is not over")
      world.clock.now = at + pingRetention + Self.week
      _ = try await world.operations.background.maintainPings()
      #expect(try await world.count("SELECT count(*) FROM ping") == 0)
    }
  }
}
