import JSONText
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Lists") struct ListTests {
  /// 249 shifts with an incident each, three starting at the same time; the last three are open.
  private static func run(_ body: (ManagerWorld) async throws -> Void) async throws {
    try await ManagerWorld.run { world in
      let operations = world.operations
      for number in Int32(8)...9 {
        _ = try await operations.people.addEmployee(
          EmployeeID(number), name: "Ben", team: TeamID(1))
      }
      try await world.write(
        """
        INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
        SELECT n, 1, 1, true, sha256(n::text::bytea) FROM generate_series(8, 9) AS n
        """)
      try await world.write(
        """
        INSERT INTO shift (
          employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms,
          blocking, warning, informing, verdict)
        SELECT 7 + n % 3, n / 3 + 1, 1, \(ManagerWorld.start) - n / 3 * interval '1 hour',
          CASE WHEN n >= 3 THEN \(ManagerWorld.start) - n / 3 * interval '1 hour' + interval
          '30 min' END,
          1, 180000, 0, 0, 0, 0
        FROM generate_series(0, 248) AS n
        """)
      try await world.write(
        """
        INSERT INTO incident (
          employee_id, incident_no, shift_no, opened_at, closed_at, close_reason, debounced_until,
          device_no, dimension, kind, origin, evidence)
        SELECT employee_id, shift_no, shift_no, started_at, ended_at,
          CASE WHEN ended_at IS NOT NULL THEN 0 END, started_at, 1, 0, 1, 1, 0
        FROM shift
        """)
      try await body(world)
    }
  }

  private static func page(_ world: ManagerWorld, _ path: String, of list: String)
    async throws -> (lines: [String], next: String?)
  {
    let (status, text, json) = try await world.get(path)
    try #require(status == 200, "\(text)")
    guard case .object(let object) = json, case .array(let lines) = object[list] else {
      Issue.record("\(text)")
      return ([], nil)
    }
    guard case .string(let next) = object["next"] else { return (lines.map(\.line), nil) }
    return (lines.map(\.line), next)
  }

  @Test(
    "come page by page, each line once and newest first, whatever is added meanwhile",
    arguments: ["shifts", "incidents"])
  func pages(_ list: String) async throws {
    try await Self.run { world in
      let (whole, none) = try await Self.page(world, "/v1/\(list)?limit=1000", of: list)
      #expect(whole.count == 249 && none == nil && Set(whole).count == 249)
      var (lines, cursor) = try await Self.page(world, "/v1/\(list)?limit=100", of: list)
      try await world.plantShift(
        number: 999, from: ManagerWorld.start - .minutes(20), to: ManagerWorld.start - .minutes(10))
      var pages = 1
      while let next = cursor, pages < 9 {
        let (more, after) = try await Self.page(
          world, "/v1/\(list)?limit=100&cursor=\(next)", of: list)
        (lines, cursor, pages) = (lines + more, after, pages + 1)
      }
      #expect(lines == whole && pages == 3)
    }
  }

  @Test("are filtered by employee, team, time and state")
  func filters() async throws {
    try await Self.run { world in
      let rows: [(query: String, count: Int)] = [
        ("state=open", 3), ("state=ended&limit=1000", 246), ("employee=8&limit=1000", 83),
        ("employee=8&state=open", 1), ("team=1&limit=1", 1), ("from=2026-11-20T09:30:00Z", 3),
        ("to=2026-11-20T09:30:00Z&limit=1000", 246),
        ("from=2026-11-20T06:30:00Z&to=2026-11-20T08:30:00Z", 6),
        ("from=2030-01-01T00:00:00Z", 0), ("cursor=0.1.1", 0),
        ("cursor=253402300799999.0.0", 100),
      ]
      for list in ["shifts", "incidents"] {
        for row in rows {
          let (lines, _) = try await Self.page(world, "/v1/\(list)?\(row.query)", of: list)
          #expect(lines.count == row.count, "\(list)?\(row.query)")
        }
      }
    }
  }

  @Test(
    "refuse invalid queries",
    arguments: [
      "limit=0", "limit=-1", "limit=1001", "limit=NaN", "limit=1e3", "limit=99999999999", "limit=",
      "cursor=", "cursor=x", "cursor=1.2", "cursor=1.2.3.4", "cursor=1.2.99999999999",
      "cursor=-9223372036854775808.0.0", "cursor=9223372036854775807.0.0", "state=",
      "state=closed", "from=yesterday", "from=2026-11-20", "to=2026-02-30T00:00:00Z",
      "from=2026-11-20T09:30:00Z&to=2026-11-20T09:30:00Z", "employee=0", "team=x",
    ])
  func refusals(_ query: String) async throws {
    try await ManagerWorld.run { world in
      for list in ["shifts", "incidents"] {
        let (status, text, _) = try await world.get("/v1/\(list)?\(query)")
        #expect(status == 422 && text.contains("invalid_query"), "\(list)?\(query): \(text)")
      }
    }
  }

  // R: M6
  @Test("link to an incident with its deliveries and delivery attempts, without any address")
  func messages() async throws {
    try await Self.run { world in
      let at = ManagerWorld.start
      for statement: SQL in [
        """
        INSERT INTO notification_history (
          finished_at, queued_at, due_at, employee_id, subject, topic, ordinal, kind, attempts,
          outcome, urgent)
        VALUES (\(at + .minutes(6)), \(at), \(at + .seconds(2)), 7, 1, 0, 1, 1, 2, 0, true)
        """,
        """
        INSERT INTO delivery_attempt (
          started_at, ended_at, employee_id, subject, topic, ordinal, attempt_no, step, recipient,
          kind, outcome, reason, reference)
        VALUES
          (\(at + .seconds(2)), \(at + .seconds(3)), 7, 1, 0, 1, 1, 1, 1, 1, 3, 'Unregistered',
            'x'),
          (\(at + .minutes(5)), \(at + .minutes(5)), 7, 1, 0, 1, 2, 2, 0, 1, 0, NULL, 'y')
        """,
        """
        INSERT INTO notification (
          queued_at, due_at, employee_id, subject, topic, ordinal, kind, urgent)
        VALUES (\(at + .minutes(7)), \(at + .minutes(8)), 7, 1, 9, 1, NULL, false)
        """,
      ] {
        try await world.write(statement)
      }
      let (status, text, _) = try await world.get("/v1/employees/7/incidents/1")
      #expect(status == 200)
      #expect(
        text.contains(#""deliveries":[{"step":"email","at":"2026-11-20T09:35:00.000Z"}]"#),
        "\(text)")
      #expect(
        text.contains(
          #""attempts":[{"step":"push","recipient":1,"at":"2026-11-20T09:30:02.000Z","#
            + #""outcome":"address_gone","reason":"Unregistered"},{"step":"email","recipient":0,"#),
        "\(text)")
      #expect(text.contains(#""outcome":"delivered""#) && text.contains(#""topic":"restored""#))
      for path in ["7/incidents/999", "7/incidents/x", "7/incidents/-1", "99/incidents/1"] {
        #expect(try await world.get("/v1/employees/\(path)").status == 404, "\(path)")
      }
    }
  }
}

extension JSONValue {
  fileprivate var line: String { String(decoding: bytes, as: UTF8.self) }
}
