import CivilTime
import Dispatch
import HTTPAPI
import HTTPServing
import JSONText
import Lifecycle
import ManagerAPI
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import TestKit
import Testing

// R: W26
@Suite("Heavy reads in the API") struct HeavyReadTests {
  private func run(_ body: (TwoTeamsWorld, HTTPHeaders) async throws -> Void) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      try await body(all, try await all.page(of: "boss"))
    }
  }

  private let year = "/v1/time-sheets?from=2025-12-01&to=2026-11-30"

  /// Eleven months of ended shifts of both employees; some of them are past.
  private func work(_ all: TwoTeamsWorld) async throws {
    try await all.write(
      """
      INSERT INTO shift (
        employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms,
        blocking, warning, informing, verdict)
      SELECT employee, 1000 + n, 1, began, began + interval '3 hours', 1, 252000, 0, 0, 0, 0
      FROM unnest(ARRAY[7, 8]) AS employee, generate_series(1, 1500) AS n, LATERAL (
        SELECT timestamptz '2025-12-02 00:00Z' + n * interval '5 hours' AS began) AS shift
      """)
    try await all.write(
      """
      INSERT INTO coverage_rollup (
        employee_id, shift_no, version, totals_version, totals_outage_ms, totals)
      SELECT employee_id, shift_no, 1, 1, 0, ARRAY[10800000 - 1000 * shift_no, 0, 0, 0,
        1000 * shift_no, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      FROM shift WHERE shift_no > 1000
      """)
  }

  private func read(_ all: TwoTeamsWorld, _ target: String, _ headers: HTTPHeaders) async throws
    -> (pieces: Int, bytes: [UInt8])
  {
    let response = await all.router.respond(to: try HTTPRequest(.get, target, headers: headers))
    #expect(response.status == 200)
    if case .bytes(let bytes) = response.body { return (1, bytes) }
    guard case .file(let stream) = response.body else { throw Missing() }
    var (count, bytes): (Int, [UInt8]) = (0, [])
    for try await piece in stream {
      count += 1
      bytes += piece
    }
    return (count, bytes)
  }

  @Test("a long time sheet comes in pieces that are together what one answer would be")
  func pieces() async throws {
    try await run { all, page in
      try await work(all)
      let whole = try await all.operations.reviews.timeSheet(
        for: all.boss,
        PayPeriod(
          from: try #require(CivilDate("2025-12-01")), to: try #require(CivilDate("2026-11-30"))))
      let json = try await read(all, year, page)
      #expect(json.pieces > 1)
      let value = try JSONValue(parsing: json.bytes)
      #expect(value.bytes == json.bytes)
      guard case .object(let sheet) = value, case .array(let employees)? = sheet["employees"],
        case .object(let last)? = employees.last, case .array(let shifts)? = last["shifts"],
        case .object(let totals)? = sheet["totals"]
      else { throw Missing() }
      #expect(sheet.members.map(\.name) == ["from", "to", "asOf", "employees", "totals"])
      #expect(employees.count == whole.lines.count && shifts.count == 1_501)
      #expect(totals["shifts"] == .integer(Int64(whole.totals.shifts)))
      let file = try await read(all, year + "&format=csv", page).bytes
      let csv = String(decoding: file, as: UTF8.self)
      let lines = csv.split(separator: "\r\n")
      #expect(lines.count == 1 + whole.totals.shifts && lines[0].hasPrefix("employee,name,"))
      #expect(lines[1].hasPrefix("7,Person 7,2025-12-02,"))
    }
  }

  @Test("it shows one moment, whatever is written between its pieces")
  func oneMoment() async throws {
    try await run { all, page in
      try await work(all)
      let before = try await read(all, year, page).bytes
      let response = await all.router.respond(to: try HTTPRequest(.get, year, headers: page))
      guard case .file(let stream) = response.body else { throw Missing() }
      try await all.write("DELETE FROM coverage_rollup WHERE employee_id = 8")
      try await all.write("DELETE FROM shift WHERE employee_id = 8 AND shift_no > 1000")
      var bytes: [UInt8] = []
      for try await piece in stream { bytes += piece }
      #expect(bytes == before)
      #expect(try await read(all, year, page).bytes != before)
    }
  }

  @Test("a client that leaves while it waits, or while it receives, gives its place back")
  func leaving() async throws {
    try await run { all, page in
      try await work(all)
      let gate = all.operations.manager.heavyReads.gate
      var held: HTTPResponse? = await all.router.respond(
        to: try HTTPRequest(.get, year, headers: page))
      #expect(held?.status == 200 && gate.load == (1, 0))
      let waiting = Task { [year] in
        await all.router.respond(to: try HTTPRequest(.get, year, headers: page))
      }
      while gate.load.waiting == 0 { await Task.yield() }
      waiting.cancel()
      #expect(try await waiting.value.status == 499)
      #expect(gate.load == (1, 0))
      held = nil
      #expect(held == nil && gate.load == (0, 0))
      let coverage = "/v1/coverage?from=2026-11-01&to=2026-11-02"
      #expect(try await all.send(.get, coverage, "", page).status == 200)
    }
  }

  @Test("a client that leaves while its read waits for the database gives its place back")
  func leavingTheDatabase() async throws {
    try await run { all, page in
      let manager = all.operations.manager
      let pool = all.operations.core.pool
      let release = DispatchSemaphore(value: 0)
      defer { release.signal() }
      let (taken, take) = AsyncStream<Never>.makeStream()
      async let holder: Void = pool.transaction(TestDatabase.patience) {
        (session) throws(PostgresError) in
        defer { take.finish() }
        try session.script("LOCK TABLE shift IN ACCESS EXCLUSIVE MODE")
        take.finish()
        release.wait()
      }
      for await _ in taken {}
      let reading = Task { [year] in
        await all.router.respond(to: try HTTPRequest(.get, year, headers: page))
      }
      // The table is one of all databases, in which other tests wait for locks.
      let waiting: SQL = """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE NOT granted AND datname = current_database()
        """
      while try await pool.value(waiting) == Int64(0) { await Task.yield() }
      #expect(manager.heavyReads.gate.load == (1, 0))
      reading.cancel()
      #expect(try await reading.value.status == 499)
      #expect(manager.heavyReads.gate.load == (0, 0))
      release.signal()
      try await holder
    }
  }

  @Test("an answer and its pieces are made on their own thread, and cut if a client is too slow")
  func thread() async throws {
    try await run { all, _ in
      let heavyReads = all.operations.manager.heavyReads
      let thread = heavyReads.thread
      func answer(within span: Duration) async throws -> [[UInt8]] {
        let (response, place) = try await heavyReads.run(
          try HTTPRequest(.get, year), at: .heavy, for: everybody, patience: .seconds(60)
        ) {
          #expect(thread.isCurrent)
          let pieces = Lock([[2], [1]] as [[UInt8]])
          return HTTPResponse(
            status: 200,
            body: .file(
              AsyncThrowingStream {
                #expect(thread.isCurrent)
                return pieces.withLock { $0.popLast() }
              }))
        }
        guard case .file(let stream) = heavyReads.sending(response, in: place, within: span).body
        else { throw Missing() }
        var sent: [[UInt8]] = []
        for try await piece in stream { sent.append(piece) }
        return sent
      }
      let sent = try await answer(within: .seconds(60))
      #expect(sent == [[1], [2]])
      await #expect(throws: (any Error).self) { try await answer(within: .zero) }
    }
  }

  @Test("the routes that compute over many shifts or send much are heavy, and so are their pages")
  func heavyRoutes() async throws {
    try await run { all, _ in
      let heavy = all.routes.filter { $0.cost == .heavy }.map {
        "\($0.route.method.rawValue) \($0.route.pattern)"
      }
      #expect(
        Set(heavy) == [
          "GET /v1/time-sheets", "GET /v1/coverage", "GET /v1/audit",
          "GET /v1/employees/{employee}/export", "POST /v1/teams/{team}/policies/try",
          "GET /time-sheets", "GET /coverage", "GET /audit", "POST /employees/{employee}/export",
          "POST /settings/teams/{team}/try", "POST /time-sheets/approve",
          "GET /time-sheets/reopen", "GET /v1/teams/{team}/weekly-digest",
          "GET /settings/teams/{team}/digest", "POST /v1/account/contacts/{team}/digest",
          "POST /account/contacts/{team}/digest",
        ])
      let ending = all.routes.filter { $0.route.endsWithClient }
      #expect(ending.count == heavy.count)
    }
  }
}

private struct Missing: Error {}
