import HTTPAPI
import HTTPServing
import JSONText
import ManagerAPI
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Open boards") struct BoardStreamTests {
  private static func boards(
    _ world: ManagerWorld, _ edit: (inout BoardStreams.Pace) -> Void = { _ in }
  ) -> BoardStreams {
    var pace = Self.pace
    edit(&pace)
    return BoardStreams(operations: world.operations.manager, pace: pace, monitor: .unread)
  }

  private static var pace: BoardStreams.Pace {
    var pace = BoardStreams.Pace()
    pace.poll = .milliseconds(20)
    // On a slow machine, a heartbeat must not be mistaken for a change, nor a life end.
    (pace.heartbeat, pace.life) = (.seconds(3_600), .seconds(3_600))
    return pace
  }

  private static let changed = "event: changed\ndata: {\"employees\":[7]}\n\n"
  private static let resync = "event: resync\ndata: {}\n\n"

  /// Changes to an employee's line, in an order in which each can happen.
  private static let changes: [(name: String, act: @Sendable (ManagerWorld) async throws -> Void)] =
    [
      ("blocked", { _ = try await $0.clockIn("a1", "denied") }),
      ("dismissed", { _ = try await $0.post("/v1/employees/7/clock-actions/1/dismiss") }),
      (
        "override",
        {
          _ = try await $0.post(
            "/v1/employees/7/overrides", #"{"findings":["denied"],"reason":"Spare phone"}"#)
        }
      ),
      ("clock-in", { _ = try await $0.clockIn("a2", "always") }),
      ("break", { _ = try await $0.clockAction("break-start", "a3") }),
      ("end of break", { _ = try await $0.clockAction("break-end", "a4") }),
      ("downgrade", { _ = try await $0.report("denied") }),
      ("notified in the app", { try await $0.notifyInApp() }),
      ("restored", { _ = try await $0.report("always") }),
      ("clock-out", { _ = try await $0.clockOut("a5") }),
      (
        "correction",
        {
          _ = try await $0.post(
            "/v1/employees/7/shifts/1/corrections",
            #"{"startedAt":"2026-11-20T09:29:00Z","reason":"Began before"}"#)
        }
      ),
    ]

  // R: M6
  @Test("receive every change of a line once it is committed, and nothing else")
  func changes() async throws {
    try await ManagerWorld.run { world in
      let boards = Self.boards(world)
      try await running([boards]) {
        let board = OpenBoard(boards.open(for: everybody, by: nil))
        #expect(try await board.next()?.contains("retry: ") == true)
        #expect(try await board.next() == Self.resync)
        for change in Self.changes {
          try await change.act(world)
          world.wait(.minutes(1))
          #expect(try await board.next() == Self.changed, "\(change.name)")
        }
        // Neither a ping nor loading the board is a change: the next event is the clock-in.
        _ = try await world.get("/v1/board")
        _ = try await world.clockIn("a6", "always")
        #expect(try await board.next() == Self.changed)
        _ = try await world.operations.people.erase(EmployeeID(7), endsShift: true, by: everybody)
        #expect(try await board.next() == Self.changed)
      }
    }
  }

  @Test("receive changes of their own teams only, and employees leaving or joining them")
  func teams() async throws {
    try await ManagerWorld.run { world in
      let operations = world.operations
      let south = try await operations.people.addTeam(name: "South", timeZone: "UTC")
      _ = try await operations.people.addEmployee(EmployeeID(8), name: "Ben", team: south)
      let boards = Self.boards(world)
      try await running([boards]) {
        let (north, southern) = (
          OpenBoard(boards.open(for: manager(of: TeamID(1)), by: nil)),
          OpenBoard(boards.open(for: manager(of: south), by: nil))
        )
        for board in [north, southern] {
          _ = try await board.next()
          #expect(try await board.next() == Self.resync)
        }
        _ = try await world.clockIn("a1", "always")
        #expect(try await north.next() == Self.changed)
        try await world.write("UPDATE employee SET team_id = 2 WHERE employee_id = 7")
        // The southern board did not receive the clock-in: this is its first event.
        #expect(try await southern.next() == Self.changed)
        #expect(try await north.next() == Self.changed)
        let nobody = OpenBoard(boards.open(for: manager(of: south), by: nil, team: TeamID(1)))
        _ = try await nobody.next()
        #expect(try await nobody.next() == Self.resync)
      }
    }
  }

  @Test("get a `resync` when many lines change at once")
  func crowd() async throws {
    try await ManagerWorld.run { world in
      let boards = Self.boards(world) { $0.namedMax = 3 }
      let operations = world.operations
      for number in Int32(8)...11 {
        _ = try await operations.people.addEmployee(
          EmployeeID(number), name: "Ben", team: TeamID(1))
      }
      try await running([boards]) {
        let board = OpenBoard(boards.open(for: everybody, by: nil))
        _ = try await board.next()
        #expect(try await board.next() == Self.resync)
        try await world.write("UPDATE guard_state SET version = version + 1")
        #expect(try await board.next() == Self.resync)
        try await world.write("UPDATE guard_state SET version = version + 1 WHERE employee_id < 10")
        #expect(
          try await board.next() == "event: changed\ndata: {\"employees\":[7,8,9]}\n\n")
      }
    }
  }

  @Test("lose no change during a database outage", .timeLimit(.minutes(5)))
  func outage() async throws {
    try await ManagerWorld.run { world in
      let polls = RecordedPolls()
      let boards = BoardStreams(
        operations: world.operations.manager, pace: Self.pace, monitor: polls.monitor)
      try await running([boards]) {
        let board = OpenBoard(boards.open(for: everybody, by: nil))
        _ = try await board.next()
        #expect(try await board.next() == Self.resync)
        try await world.write("ALTER TABLE guard_state RENAME TO hidden")
        // The time limit ends this test if no poll fails.
        await polls.next(isWell: false)
        try await world.write("UPDATE hidden SET version = version + 1")
        try await world.write("ALTER TABLE hidden RENAME TO guard_state")
        #expect(try await board.next() == Self.changed)
      }
    }
  }

  @Test("end after their lifetime, when they do not read, and when the service stops")
  func endings() async throws {
    try await ManagerWorld.run { world in
      let short = Self.boards(world) { $0.life = .zero }
      try await running([short]) {
        let board = OpenBoard(short.open(for: everybody, by: nil))
        _ = try await board.next()
        var last = try await board.next()
        if last == Self.resync { last = try await board.next() }
        #expect(last == nil)
      }
      let boards = Self.boards(world) { $0.waitingMax = 1 }
      let (lazy, board) = (
        OpenBoard(boards.open(for: everybody, by: nil)),
        OpenBoard(boards.open(for: everybody, by: nil))
      )
      try await running([boards]) {
        for open in [lazy, board] { _ = try await open.next() }
        #expect(try await board.next() == Self.resync)
        for _ in 0..<3 {
          try await world.write("UPDATE guard_state SET version = version + 1")
          #expect(try await board.next() == Self.changed)
        }
        #expect(try await lazy.next() == nil)
      }
      #expect(try await board.next() == nil)
    }
  }

  @Test("require a token and a valid team, and answer with stream headers")
  func request() async throws {
    try await ManagerWorld.run { world in
      #expect(try await world.send(.get, "/v1/board/events", "", as: nil).status == 401)
      #expect(try await world.get("/v1/board/events?team=0").status == 422)
      let request = try HTTPRequest(
        .get, "/v1/board/events", headers: ["Authorization": "Bearer \(world.access)"])
      let response = await world.router.respond(to: request)
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == "text/event-stream")
      #expect(response.headers["Cache-Control"] == "no-store")
      guard case .stream = response.body else {
        Issue.record("no stream")
        return
      }
      let head = try await world.send(.head, "/v1/board/events", "", as: world.access)
      #expect(head.status == 200 && head.text.isEmpty)
    }
  }
}
