import ManagerCore
import Postgres
import ShiftDomain
import Testing

@Suite("The statistics page") struct StatisticsPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(2): .coverage])

  // R: A20
  @Test("shows detection times, names each miss, and says what is not measured")
  func figures() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, before) = try await server.get("/statistics")
      #expect(before.contains("No phone lost its permission during a shift"))
      try await server.day.detect([(7, 5_001), (14, 12), (14, 7), (7, nil)])
      let (response, text) = try await server.get("/statistics")
      #expect(response.status == 200)
      for part in [
        "<dt>within 5 s</dt><dd>66.6\u{202F}%</dd>", "<dt>median</dt><dd>12 ms</dd>",
        "<dt>longest</dt><dd>5 s</dd>", "<th scope=\"row\">up to 10 ms<td>",
        "<rect width=\"100%\" class=\"p\" /></svg><td class=\"number\">1",
        "<a href=\"/employees/7\">Ana Horvat</a><td class=\"number\">5 s<td>Location access denied"
          + "<td><a href=\"/employees/7/shifts/1\">shift 1</a>",
        "<a href=\"/employees/7\">Ana Horvat</a><td class=\"number\">not measured<td>",
        "<b>Clock-ins that failed without a message</b><p>Goal: none</p>"
          + "<p class=\"aside\">Not measured: no app reports it yet.",
        "<b>Detected a downgrade</b><p>Goal: within 5 s</p><p class=\"aside\">3 times; median "
          + "12 ms, 99th percentile 5 s, longest 5 s; 1 not measured.</p></div>"
          + "<p class=\"verdict warn\">met in 66.6\u{202F}% of cases</p>",
        "<b>Restored a denied permission</b><p>Goal: within 1 min</p>",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      #expect(text.split(separator: "no app reports it yet").count == 5)
      #expect(!text.contains("Maja Kralj"), "only misses name an employee")
    }
  }

  @Test("counts only the employees of one's own teams")
  func scope() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      try await server.day.detect([(7, 5_001), (14, 12), (7, nil)])
      let (_, text) = try await server.get("/statistics")
      #expect(text.contains("<dd>100\u{202F}%</dd>") && text.contains("Once; median 12 ms"))
      #expect(!text.contains("Misses") && !text.contains("Ana Horvat"))
      #expect(text.contains("<p class=\"verdict good\">met</p>"))
    }
  }
}

extension DemoDay {
  /// Replaces the day's own detections: the first incident of each of these employees was detected
  /// half an hour ago, in so many milliseconds, or was not measured if `nil`.
  func detect(_ spans: [(employee: Int32, milliseconds: Int32?)]) async throws {
    let at = now - .minutes(30)
    _ = try await pool.transaction { (session) throws(PostgresError) in
      try session.execute("DELETE FROM detection")
      for (number, span) in spans.enumerated() {
        try session.execute(
          """
          INSERT INTO detection (
            employee_id, report_id, incident_no, kind, worsened, received_at, elapsed_ms)
          VALUES (\(span.employee), \(Int64(number)), 1, 1, false, \(at), \(span.milliseconds))
          """)
      }
    }
  }
}
