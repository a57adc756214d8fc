import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A time away, on pages") struct AwayPageTests {
  // R: G7
  @Test("is a quiet mark on the board, and needs nobody's attention")
  func board() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let before = try await server.get("/").1
      #expect(!before.contains("away from site"))
      try await server.day.leaveSite(8)
      let board = try await server.get("/").1
      #expect(board.split(separator: "<li").filter { $0.contains("away from site") }.count == 1)
      let row = try #require(board.split(separator: "<li").first { $0.contains("away from site") })
      #expect(row.contains("Ivo Šimunić") && row.contains(", away from site since 10:20"), "\(row)")
      #expect(problems(board) == problems(before))
    }
  }

  // R: G7
  @Test("is in the story of the shift, and the clock-out says whether it was made off site")
  func shift() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      try await server.day.leaveSite(8)
      let open = try await server.get("/employees/8/shifts/1").1
      let row = try #require(
        open.split(separator: "<li").first { $0.contains("Away from all sites") })
      #expect(row.contains("10:20:00") && row.contains("so far"), "\(row)")
      for (stored, words) in [(0, "At a site"), (1, "Outside all sites"), (2, "Without a usable")] {
        try await server.day.write(
          """
          UPDATE clock_action SET ended_off_site = \(Int16(stored))
          WHERE employee_id = 12 AND shift_no = 1
            AND at = (SELECT ended_at FROM shift WHERE employee_id = 12 AND shift_no = 1)
          """)
        let ended = try await server.get("/employees/12/shifts/1").1
        let last = try #require(ended.split(separator: "<li").first { $0.contains("Clocked out") })
        #expect(last.contains(words), "\(last)")
      }
    }
  }

  /// Which employees the board asks a manager to look at.
  private func problems(_ board: String) -> Substring? {
    board.firstMatch(of: /data-problems="([^"]*)"/)?.1
  }
}

extension DemoDay {
  /// At 10:20 by the team's clock; board and shift learn of it as from the watch.
  fileprivate func leaveSite(_ employee: Int32) async throws {
    try await write([
      """
      INSERT INTO away_span (employee_id, shift_no, away_no, started_at)
      VALUES (\(employee), 1, 1, \(Self.six + .minutes(260)))
      """,
      "UPDATE guard_state SET version = version + 1 WHERE employee_id = \(employee)",
    ])
  }
}
