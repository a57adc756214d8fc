import BackgroundOperations
import DeviceOperations
import Dispatch
import Foundation
import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

// R: W11
/// Fifty-three weeks of a small team, with retention once a week: shifts over midnight, also that
/// between two weeks and two years.
@Suite("A year of pings") struct YearTests {
  private static let week = TimeSpan.hours(7 * 24)
  /// From the start of a week to 22:00 on Wednesday, Saturday and Sunday.
  private static let nights: [TimeSpan] = [.hours(70), .hours(142), .hours(166)]
  private static let fixesPerNight = 12

  /// What is wrong with the clocks of the phones: nothing, three months ahead, 25 years behind.
  private static let skews: [TimeSpan] = [.zero, .hours(90 * 24), .hours(-9_131 * 24)]

  @Test(
    "has a partition for each week ahead of time, none longer than its retention, and no others",
    .disabled(if: isUnderThreadSanitizer), .timeLimit(.minutes(10)))
  func year() async throws {
    try await withDatabase(size: 6) { pool in
      let clock = MovableClock(at: MovableClock.monday - .hours(8) + .hours(3))
      let world = TestOperations(pool: pool, clock: clock)
      let phones = try await world.addTeam(of: Int32(Self.skews.count)).phones
      let first = clock.now
      _ = try await world.background.maintainPings()
      _ = try await world.background.maintainNotifications()
      var slowest = Duration.zero
      for number in 0..<53 {
        let monday = Self.start(of: number, since: first)
        for night in Self.nights { try await work(phones, from: monday + night, clock) }
        clock.now = monday + Self.week + .hours(3)
        let began = ContinuousClock.now
        _ = try await world.background.maintainPings()
        _ = try await world.background.maintainNotifications()
        slowest = max(slowest, ContinuousClock.now - began)
        try await check(world, after: number, since: first)
      }
      #expect(try await world.names(of: "ping").contains("ping_2027w01"))
      #expect(try await world.count("SELECT count(*) FROM shift") == 53 * 9)
      if ProcessInfo.processInfo.environment["SHIFTGUARD_YEAR"] != nil {
        try await printFigures(of: world, slowest: slowest)
      }
    }
  }

  /// A shift of four hours.
  private func work(_ phones: [TestPhone], from start: Instant, _ clock: MovableClock) async throws
  {
    clock.now = start
    for phone in phones { try await phone.clockIn("in-\(start)", reporting: .always) }
    clock.now = start + .hours(4)
    for (phone, skew) in zip(phones, Self.skews) {
      let fixes = (0..<Self.fixesPerNight).map {
        IncomingPing.fix(at: start + .minutes(20 * Int64($0) + 1) + skew)
      }
      let results = try await phone.ping(fixes, sentAt: clock.now + skew)
      #expect(results.allSatisfy { $0 == .stored }, "\(results)")
      try await phone.clockOut("out-\(start)")
    }
  }

  /// What must hold after the retention that follows week `number`.
  private func check(_ world: TestOperations, after number: Int, since first: Instant) async throws
  {
    let now = world.core.now()
    let cutoff = now - pingRetention
    // From the week before the first day, or from the first one that is not over before the
    // retention, to eight weeks ahead.
    let weeks = (-1...(number + 9)).filter { Self.start(of: $0 + 1, since: first) > cutoff }
    #expect(
      try await world.names(of: "ping")
        == weeks.map { "ping_\(Self.name(ofWeek: $0, since: first))" }.sorted())
    // Default partitions have nothing but what no week can hold, and for no longer.
    #expect(
      try await world.count(
        "SELECT count(*) FROM ping_other WHERE employee_id <> 3 AND recorded_at < \(now)") == 0)
    for table in ["delivery_attempt_other", "notification_history_other"] {
      let rows: SQL =
        table == "delivery_attempt_other"
        ? "SELECT count(*) FROM delivery_attempt_other"
        : "SELECT count(*) FROM notification_history_other"
      #expect(try await world.count(rows) == 0, "\(table)")
    }
    #expect(
      try await world.count("SELECT count(*) FROM ping WHERE effective_at < \(cutoff - Self.week)")
        == 0, "after week \(number)")
    #expect(
      try await world.count(
        "SELECT count(*) FROM ping WHERE effective_at < \(cutoff) AND employee_id > 1") == 0,
      "of phones with a wrong clock, after week \(number)")
    // Nothing is lost before its time.
    var kept = 0
    for week in 0...number {
      for night in Self.nights where Self.start(of: week, since: first) + night >= cutoff {
        kept += Self.fixesPerNight * Self.skews.count
      }
    }
    #expect(
      try await world.count("SELECT count(*) FROM ping WHERE effective_at >= \(cutoff)")
        >= Int64(kept))
  }

  private static func start(of week: Int, since first: Instant) -> Instant {
    first + TimeSpan.hours(Int64(week) * 7 * 24 - 3)
  }

  /// The ISO week, by another calendar than the database's.
  private static func name(ofWeek week: Int, since first: Instant) -> String {
    let monday = start(of: week, since: first)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: Double(monday.milliseconds) / 1_000)
    let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
    return String(format: "%04dw%02d", parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0)
  }

  private func printFigures(of world: TestOperations, slowest: Duration) async throws {
    let rows: [String] = try await world.pool.read { (session) throws(PostgresError) in
      try session.run(
        """
        SELECT format('%s: %s tables, %s kB', coalesce(parent.relname, part.relname), count(*),
          sum(pg_total_relation_size(part.oid)) / 1024)
        FROM pg_class AS part LEFT JOIN pg_inherits ON inhrelid = part.oid
        LEFT JOIN pg_class AS parent ON parent.oid = inhparent
        WHERE part.relkind = 'r' AND part.relnamespace = 'public'::regnamespace
        GROUP BY coalesce(parent.relname, part.relname)
        HAVING sum(pg_total_relation_size(part.oid)) > 100 * 1024
        ORDER BY sum(pg_total_relation_size(part.oid)) DESC
        """
      ).values()
    }
    let all = try await world.count("SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p')")
    print("after 53 weeks: \(all) tables; slowest retention \(slowest)")
    for row in rows { print("  \(row)") }
  }

  @Test("gives up a lock that others hold, and uploads go on meanwhile")
  func waiting() async throws {
    try await RollupWorld.run(1) { world in
      _ = try await world.operations.background.makePingWeeks()
      world.clock.now = world.now + pingRetention + Self.week
      let release = DispatchSemaphore(value: 0)
      let (readings, begun) = AsyncStream.makeStream(of: Void.self)
      // A report that reads for minutes.
      async let reader: Void = world.pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        try session.execute("SELECT count(*) FROM ping")
        begun.yield()
        release.wait()
      }
      defer { release.signal() }
      for await _ in readings { break }
      // Needs the default partition for new weeks.
      async let failure: OperationError? = {
        do throws(OperationError) {
          _ = try await world.operations.background.maintainPings()
          return nil
        } catch { return error }
      }()
      for number in 0..<40 {
        try await world.upload(
          [ping(RollupWorld.start(of: 1) + .seconds(Int64(number)), in: 1)], receivedAt: world.now)
      }
      // The database ended its waiting, not its deadline of a minute, and not the reader.
      #expect(
        await failure == .unavailable(detail: "the table is locked by another transaction"))
      release.signal()
      try await reader
    }
  }
}

extension TestOperations {
  /// The weekly partitions of a table.
  fileprivate func names(of table: String) async throws -> [String] {
    try await pool.read { (session) throws(PostgresError) in
      try session.run(
        """
        SELECT part.relname::text
        FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
        JOIN pg_class AS parent ON parent.oid = inhparent
        WHERE parent.relname = \(table) AND part.relname NOT LIKE '%other'
        ORDER BY 1
        """
      ).values()
    }
  }
}
