import GuardRules
import InsightOperations
import JSONText
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The board") struct BoardTests {
  /// The only line of a board, after checking the counts by state.
  private func line(_ world: ManagerWorld, _ query: String = "") async throws -> JSONObject {
    let (status, text, json) = try await world.get("/v1/board\(query)")
    #expect(status == 200, "\(text)")
    guard case .object(let board) = json, case .array(let lines) = board["employees"],
      case .object(let line) = lines.first, case .object(let counts) = board["counts"]
    else { return [:] }
    guard case .string(let state) = line["state"] else { return line }
    #expect(counts[state] == .integer(1), "\(text)")
    #expect(counts.members.count == BoardState.allCases.count)
    return line
  }

  // R: M6
  @Test("shows each employee's state, its reason, its start and the deliveries")
  func states() async throws {
    try await ManagerWorld.run { world in
      #expect(try await line(world)["state"] == "off")
      _ = try await world.clockIn("a1", "denied")
      let blocked = try await line(world)
      #expect(blocked["state"] == "blocked")
      #expect(
        blocked["blocked"]?.text
          == #"{"clockAction":1,"at":"2026-11-20T09:30:00.000Z","findings":["denied"]}"#)
      world.wait(.minutes(1))
      _ = try await world.clockIn("a2", "always")
      let tracked = try await line(world)
      #expect(tracked["state"] == "clocked_in" && tracked["blocked"] == nil)
      #expect(tracked["startedAt"] == "2026-11-20T09:31:00.000Z")
      world.wait(.minutes(1))
      _ = try await world.report("denied")
      try await world.notifyInApp()
      let impaired = try await line(world, "?state=not_tracked&team=1&employees=6,7")
      #expect(impaired["state"] == "not_tracked")
      #expect(
        impaired["incidents"]?.text
          == #"[{"number":1,"kind":"denied","origin":"mid_shift","accepted":false,"#
          + #""openedAt":"2026-11-20T09:32:00.000Z","#
          + #""deliveries":[{"step":"in_app","at":"2026-11-20T09:32:00.000Z"}]}]"#)
      _ = try await world.report("always")
      _ = try await world.clockAction("break-start", "a3")
      let onBreak = try await line(world)
      #expect(onBreak["state"] == "break")
      #expect(onBreak["onBreakSince"] == "2026-11-20T09:32:00.000Z")
      world.wait(.minutes(1))
      _ = try await world.clockAction("break-end", "a4")
      #expect(try await line(world)["state"] == "clocked_in")
      try await world.write(
        """
        INSERT INTO incident (
          employee_id, incident_no, shift_no, opened_at, debounced_until, device_no, dimension,
          kind, origin, evidence)
        VALUES (7, 99, 1, now(), now(), 1, \(Int16(Dimension.contact.rawValue)),
          \(Int16(IncidentKind.noContact.rawValue)), 1, 1)
        """)
      #expect(try await line(world)["state"] == "no_contact")
      try await world.write("DELETE FROM incident WHERE incident_no = 99")
      world.wait(.minutes(1))
      _ = try await world.clockOut("a5")
      let off = try await line(world)
      #expect(off["state"] == "off" && off["shift"] == nil)
      #expect(try await world.get("/v1/board?state=tracked").text.contains(#""employees":[]"#))
    }
  }

  @Test("draws the day so far from every shift that overlaps it, and from nothing else")
  func today() async throws {
    try await ManagerWorld.run { world in
      let midnight = Instant(
        milliseconds: ManagerWorld.start.milliseconds - 9 * 3_600_000 - 1_800_000)
      // From 22:00 to 02:00, and one that ended before midnight.
      try await world.plantShift(
        number: 8, from: midnight - .hours(2), to: midnight + .hours(2))
      try await world.plantShift(
        number: 7, from: midnight - .hours(5), to: midnight - .hours(3))
      #expect(
        try await line(world)["today"]?.text
          == #"[{"from":"2026-11-20T00:00:00.000Z","to":"2026-11-20T02:00:00.000Z","#
          + #""reason":"no_fix","atRisk":false}]"#)
    }
  }

  @Test("shows a manager their own teams, and not even a count of other teams")
  func scope() async throws {
    try await ManagerWorld.run { world in
      let operations = world.operations
      let south = try await operations.people.addTeam(name: "South", timeZone: "Asia/Tokyo")
      _ = try await operations.people.addEmployee(EmployeeID(8), name: "Ben", team: south)
      let actor = AuditActor(name: "Mira")
      let rows: [(rights: [TeamID: TeamRights], team: TeamID?, sees: [Int32])] = [
        ([:], nil, []), ([TeamID(1): .coverage], nil, [7]), ([TeamID(1): .track], nil, []),
        ([south: [.coverage, .track]], nil, [8]),
        ([TeamID(1): .coverage, south: .coverage], nil, [7, 8]),
        ([TeamID(1): .coverage, south: .coverage], south, [8]),
      ]
      for team in [south, TeamID(9)] {
        await #expect(throws: OperationError.notFound("team \(team.rawValue)")) {
          _ = try await operations.insight.board(
            for: Principal(
              actor: actor, role: .manager,
              teams: [TeamID(1): .coverage, TeamID(9): .coverage]), team: team)
        }
      }
      for row in rows {
        let board = try await operations.insight.board(
          for: Principal(actor: actor, role: .manager, teams: row.rights), team: row.team,
          only: [EmployeeID(7), EmployeeID(8)])
        #expect(board.lines.map(\.record.employee.rawValue) == row.sees, "\(row.rights)")
        #expect(board.counts == (row.sees.isEmpty ? [:] : [.off: row.sees.count]))
        #expect(board.teams.map(\.team) == row.sees.map { $0 == 7 ? TeamID(1) : south })
      }
      let all = try await operations.insight.board(
        for: Principal(actor: actor, role: .administrator))
      #expect(all.lines.count == 2)
      // 09:30 in London is 18:30 in Tokyo, where the day began at 15:00 London time the day before.
      #expect(all.teams.last?.span.start == ManagerWorld.start - .minutes(18 * 60 + 30))
    }
  }

  @Test(
    "refuses invalid queries",
    arguments: [
      "team=0", "team=x", "team=99999999999", "state=asleep", "state=", "employees=",
      "employees=7,",
      "employees=0", "employees=-7", "employees=7;8", "employees=99999999999",
      "employees=" + (1...501).map(String.init).joined(separator: ","),
    ])
  func refusals(_ query: String) async throws {
    try await ManagerWorld.run { world in
      let (status, text, _) = try await world.get("/v1/board?\(query)")
      #expect(status == 422 && text.contains("invalid_query"), "\(text)")
    }
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
