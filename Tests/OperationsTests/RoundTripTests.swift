import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

/// What a request costs: every round trip to the database takes its time, wherever that runs.
@Suite("Round trips to the database") struct RoundTripTests {
  @Test("are three for a report during a shift, whatever it changes")
  func reportOnShift() async throws {
    try await withPhoneOnShift { world, phone in
      _ = try await phone.ping([fix(at: world.now)])
      world.wait(.minutes(1))
      #expect(try await world.roundTrips { try await phone.report(.always, sequence: 1) } == 3)
      world.wait(.minutes(1))
      #expect(try await world.roundTrips { try await phone.report(.denied, sequence: 2) } == 3)
      #expect(try await world.count("SELECT count(*) FROM incident") == 1)
      #expect(
        try await world.roundTrips { try await phone.report(.denied, sequence: 2) } == 3,
        "a duplicate")
      world.wait(.minutes(1))
      #expect(try await world.roundTrips { try await phone.report(.always, sequence: 3) } == 3)
    }
  }

  @Test(
    "carry statements of reports that are planned once per connection, not for each report",
    .disabled(if: isOnCitus, "the coordinator counts none of the plans of other nodes"))
  func plannedOnce() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.write("SET plan_cache_mode TO auto")
      for sequence in 1...10 {
        world.wait(.minutes(1))
        _ = try await phone.report(.always, sequence: Int64(sequence))
      }
      // The same connection has served all, as no other was needed.
      let plannedOnce = try await world.count(
        """
        SELECT count(*) FROM pg_prepared_statements
        WHERE statement LIKE '%FROM ping%' AND generic_plans >= 10
        """)
      let plannedAgain = try await world.count(
        """
        SELECT count(*) FROM pg_prepared_statements
        WHERE statement LIKE '%FROM ping%' AND custom_plans > 0
        """)
      #expect(plannedOnce > 0 && plannedAgain == 0)
    }
  }

  @Test("are three for a report after many pings, positions or not")
  func manyPings() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      _ = try await phone.ping((0..<50).map { fix(at: world.now - .seconds($0)) })
      #expect(try await world.roundTrips { try await phone.report(.always, sequence: 1) } == 3)
      world.wait(.minutes(10))
      let signs = (0..<50).map { IncomingPing(recordedAt: world.now - .seconds($0), fix: nil) }
      _ = try await phone.ping(signs)
      #expect(try await world.roundTrips { try await phone.report(.always, sequence: 2) } == 3)
    }
  }

  @Test("are three for a report from a new installation of the app")
  func newInstallation() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let report = IncomingReport(.state(PermissionState(authorization: .always)), sequence: 1)
      let count = try await world.roundTrips {
        _ = try await world.operations.device.report(
          report, sentAt: nil, installation: "new", from: phone.credential, receipt: world.receipt)
      }
      #expect(count == 3)
    }
  }

  @Test("are three for a report in raw values, whatever their meaning depends on")
  func rawReport() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let denied = RawValues.geolocator(GeolocatorValues(permission: .given(.denied)))
      var outcome: ReportOutcome?
      let count = try await world.roundTrips {
        outcome = try await world.operations.device.report(
          IncomingReport(.raw(.raw(denied), DeviceConditions()), sequence: 1),
          sentAt: nil, from: phone.credential, receipt: world.receipt)
      }
      #expect(count == 3)
      // On an iPhone it would be as good as never asked.
      #expect(outcome?.snapshot.report?.state.authorization == .denied)
    }
  }

  @Test("are four for a report off shift, which may belong to a shift that has ended")
  func reportOffShift() async throws {
    try await withPhone { (world, phone) async throws in
      #expect(try await world.roundTrips { try await phone.report(.always, sequence: 1) } == 4)
      #expect(try await world.roundTrips { try await phone.report(.denied, sequence: 2) } == 4)
    }
  }

  @Test("are three for a clock-in, and one more for what locks uploads out")
  func clockActions() async throws {
    try await withPhone { world, phone in
      let other = try await Phone.enrolled(in: world)
      try await phone.report(.always)
      let now = world.now
      #expect(try await world.roundTrips { _ = try await phone.clockIn("in") } == 3)
      #expect(try await world.roundTrips { _ = try await phone.clockIn("in") } == 3, "a repeat")
      world.wait(.minutes(1))
      let takeOver = try await world.roundTrips {
        _ = try await other.takeOver("take") { $0.report = .saying(.always) }
      }
      #expect(takeOver == 5, "the shift is read for the tracking state")
      let started = try await world.roundTrips { try await other.startBreak("lunch") }
      #expect(started == 4)
      world.wait(.minutes(30))
      let ended = try await world.roundTrips { try await other.endBreak("work") }
      #expect(ended == 5, "the shift is read for the tracking state")
      let out = try await world.roundTrips { try await other.clockOut() }
      #expect(out == 4)
      let late = try await world.roundTrips {
        _ = try await phone.clockIn("late") { $0.happened(at: now, sentAt: world.now) }
      }
      #expect(late == 3, "offline, and kept for review")
    }
  }

  @Test("are as many for an upload of many late reports as for one")
  func upload() async throws {
    try await withPhone { world, phone in
      var reports: [IncomingReport] = []
      for number: Int64 in 0..<20 {
        let state = PermissionState(authorization: number % 2 == 0 ? .always : .denied)
        reports.append(
          IncomingReport(
            .state(state), recordedAt: world.now - .minutes(60 - number), sequence: number))
      }
      let count = try await world.roundTrips {
        _ = try await world.operations.device.report(
          reports, sentAt: world.now, from: phone.credential, receipt: world.receipt)
      }
      #expect(count == 4)
    }
  }

  @Test("are seven for a late report that changes the past, and four for the next report")
  func lateReport() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.track(phone, minutes: 10)
      try await phone.report(.always, sequence: 2)
      try await world.operations.background.rollUpPings()
      func late() async throws -> ReportOutcome {
        try await phone.report(
          .denied, sequence: 1, recordedAt: world.now - .minutes(5), sentAt: world.now)
      }
      func exact() async throws -> TrackingState? {
        try await world.operations.insight.shiftDetails(
          of: ShiftID(employee: EmployeeID(7), number: 1)
        ).trackingState
      }
      var outcome: ReportOutcome?
      // The shift is read, its incidents are written, and the phone's present is read again.
      let count = try await world.roundTrips { outcome = try await late() }
      #expect(count == 7)
      #expect(outcome?.disposition == .late)
      #expect(try await outcome?.snapshot.trackingState == exact())
      try await world.operations.background.rollUpShiftsInDoubt()
      #expect(try await world.roundTrips { outcome = try await late() } == 4, "a duplicate")
      #expect(try await outcome?.snapshot.trackingState == exact())
      func next(_ sequence: Int64) async throws {
        outcome = try await phone.report(.always, sequence: sequence)
      }
      #expect(try await world.roundTrips { try await next(3) } == 4)
      #expect(try await outcome?.snapshot.trackingState == exact())
      #expect(try await world.roundTrips { try await next(4) } == 3)
      #expect(try await outcome?.snapshot.trackingState == exact())
    }
  }

  @Test("are three for a report after which only the newest pings are not rolled up")
  func newestPings() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.track(phone, minutes: 5)
      try await world.operations.background.rollUpPings()
      world.wait(.minutes(2))
      _ = try await phone.ping([fix(at: world.now)])
      // What is rolled up has ended by now; the newest fix counts on.
      world.wait(.minutes(2))
      var outcome: ReportOutcome?
      #expect(
        try await world.roundTrips { outcome = try await phone.report(.always, sequence: 1) } == 3)
      #expect(outcome?.snapshot.trackingState.value == .tracked)
      world.wait(.minutes(2))
      #expect(try await phone.present.trackingState.value == .notTracked)
    }
  }

  // R: W2
  @Test("are six for the one of two reports at once that has read an old state")
  func together() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let version = try await world.version
      let before = world.pool.roundTrips
      let (held, hold) = AsyncStream<Never>.makeStream()
      async let line: Int = world.standInLine(holding: hold)
      for await _ in held {}
      // Two instances.
      let phones = try (0..<2).map { _ in
        try phone.talking(to: OperationsWorld(pool: world.pool, clock: world.clock))
      }
      // Neither violates anything: only the version tells the second that it is too late.
      async let first = phones[0].report(.always)
      async let second = phones[1].report(.whenInUse)
      _ = (try await first, try await second)
      #expect(try await world.pool.roundTrips - before - line == 3 + 6)
      #expect(try await world.version == version + 2)
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 3)
    }
  }

  @Test("are two for the page of a shift, as many with twenty incidents as without")
  func shiftPage() async throws {
    try await withPhoneOnShift { world, phone in
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      func page() async throws -> (count: Int, page: ShiftPage?) {
        var page: ShiftPage?
        let count = try await world.roundTrips {
          page = try await world.operations.insight.page(
            of: shift, for: world.principal)
        }
        return (count, page)
      }
      let calm = try await page()
      #expect(calm.count == 2 && calm.page?.details.history.incidents.isEmpty == true)
      #expect(calm.page?.details.notifications.isEmpty == true)
      for _ in 0..<20 {
        world.wait(.minutes(15))
        try await phone.report(.denied)
        world.wait(.minutes(1))
        try await phone.report(.always)
      }
      let eventful = try await page()
      #expect(eventful.count == 2 && eventful.page?.details.history.incidents.count == 20)
      #expect((eventful.page?.details.notifications.count ?? 0) >= 20)
      let manager = world.operations.manager
      #expect(try await eventful.page?.details == manager.insight.shiftDetails(of: shift))
    }
  }

  @Test("are two for the page of an employee, and for their check")
  func employeePage() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.track(phone, minutes: 5)
      try await phone.report(.denied)
      let manager = world.operations.manager
      var (page, check): (EmployeePage?, EmployeeCheck?) = (nil, nil)
      let count = try await world.roundTrips {
        page = try await manager.insight.page(of: EmployeeID(7), shiftsMax: 60)
      }
      let checked = try await world.roundTrips {
        check = try await manager.insight.check(employee: EmployeeID(7), device: nil, preset: nil)
      }
      #expect(count == 2 && checked == 2)
      #expect(page?.check == check && check?.trackingState.value == .notTracked)
      #expect(page?.shifts.count == 1 && page?.devices.count == 1)
    }
  }

  @Test("are three for a board with an incident, a missed shift and coverage that is not cached")
  func board() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let team = try await manager.people.teams()[0].team
      _ = try await manager.people.addEmployee(EmployeeID(8), name: "Bo", team: team)
      _ = try await manager.people.planShift(
        EmployeeID(8), Interval(from: world.now + .minutes(1), to: world.now + .hours(4)),
        by: world.principal
      ).get()
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      try await world.track(phone, minutes: 30)
      try await phone.report(.denied)
      try await world.operations.background.rollUpPings()
      for _ in 0..<2 {
        var lines: [BoardLine] = []
        let count = try await world.roundTrips {
          lines = try await manager.insight.board(for: world.principal).lines
        }
        #expect(count == 3)
        #expect(lines.map(\.state) == [.notTracked, .late])
        #expect(lines.first?.today.contains { $0.reason == .tracked } == true)
      }
    }
  }

  @Test("are three for a time sheet, one of them for shifts without stored totals")
  func timeSheet() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.track(phone, minutes: 30)
      try await world.operations.background.rollUpPings()
      var lines: [TimeSheetLine] = []
      let count = try await world.roundTrips { lines = try await world.timeSheet().lines }
      #expect(count == 3)
      #expect(lines.first?.entries.first?.permille != nil)
    }
  }
}

extension OperationsWorld {
  /// Lets `phone` send a fix at the end of each minute.
  fileprivate func track(_ phone: Phone, minutes: Int) async throws {
    for _ in 0..<minutes {
      wait(.minutes(1))
      _ = try await phone.ping([fix(at: now)])
    }
  }

  /// The version of the guard's state.
  fileprivate var version: Int64 {
    get async throws { try await count("SELECT version::bigint FROM guard_state") }
  }

  /// Holds the guard's state until two others wait for it, so that both have read the same one.
  /// - Parameter hold: Ended when it is held.
  /// - Returns: Its own round trips.
  func standInLine(holding hold: AsyncStream<Never>.Continuation) async throws -> Int {
    try await pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
      try session.execute("SELECT FROM guard_state WHERE employee_id = 7 FOR NO KEY UPDATE")
      hold.finish()
      var looks = 0
      repeat {
        try session.execute("SELECT pg_stat_clear_snapshot()")
        looks += 1
      } while try session.run(sessionsWaitingForLocks).value(0, 0) < Int64(2)
      // BEGIN goes with the first statement; COMMIT is a round trip of its own.
      return 1 + 2 * looks + 1
    }
  }

  /// How many round trips `body` takes.
  func roundTrips(_ body: () async throws -> Void) async throws -> Int {
    let before = pool.roundTrips
    try await body()
    return pool.roundTrips - before
  }
}
