import BackgroundOperations
import CivilTime
import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain
import Testing

@testable import PeopleOperations

@Suite("Planned shifts") struct PlannedShiftTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
  private static let everything = Interval(
    from: Instant(milliseconds: 0), to: Instant(milliseconds: 253_402_300_799_000))

  private func read(_ csv: String, into world: OperationsWorld, isTrial: Bool = false) async throws
    -> ImportOutcome<PlannedShiftImport>
  {
    try await world.operations.people.importPlannedShifts(
      Array(csv.utf8), isTrial: isTrial, by: Self.boss)
  }

  private func plannedShifts(in world: OperationsWorld) async throws -> [Interval] {
    try await world.operations.people.plannedShifts(of: EmployeeID(7), in: Self.everything).map(
      \.span)
  }

  /// Milliseconds, for reading.
  private func utc(_ text: String) throws -> Instant {
    let wall = try #require(WallTime(text))
    let zone = try #require(CivilTime(zone: "UTC"))
    return wall.instant(by: zone)
  }

  // R: W1
  @Test("from a file are by the clock of the team, gaps and folds of summer time too")
  func civil() async throws {
    try await withWorld { world in
      let csv = """
        employee,start,end
        7,2026-03-28 22:00,2026-03-29 02:30
        7,2026-03-29 02:30,2026-03-29 03:30
        7,2026-10-25 02:30,2026-10-25T10:00
        7,2026-11-20 08:00,2026-11-20 24:00

        """
      var wanted = PlannedShiftImport(isTrial: true)
      wanted.added = 4
      #expect(try await read(csv, into: world, isTrial: true) == .done(wanted))
      #expect(try await plannedShifts(in: world).isEmpty)
      wanted.isTrial = false
      #expect(try await read(csv, into: world) == .done(wanted))
      let spans = [
        // 2:30 is jumped over, and moves on to 3:30.
        Interval(from: try utc("2026-03-28 21:00"), to: try utc("2026-03-29 01:30")),
        // Both are 3:30 then, but a shift keeps its hour.
        Interval(from: try utc("2026-03-29 01:30"), to: try utc("2026-03-29 02:30")),
        // 2:30 is shown twice, and the first counts.
        Interval(from: try utc("2026-10-25 00:30"), to: try utc("2026-10-25 09:00")),
        Interval(from: try utc("2026-11-20 07:00"), to: try utc("2026-11-20 23:00")),
      ]
      #expect(try await plannedShifts(in: world) == spans)
      (wanted.added, wanted.unchanged) = (0, 4)
      #expect(try await read(csv, into: world) == .done(wanted))
    }
  }

  @Test("from a file with a fault are none, and each fault has its line")
  func faults() async throws {
    try await withWorld { world in
      _ = try await read("employee,start,end\n7,2026-11-20 08:00,2026-11-20 16:00", into: world)
      let csv = """
        employee,start,end
        7,2026-11-20 09:00,2026-11-20 10:00
        7,2026-11-21 08:00,2026-11-21 16:00
        7,2026-11-21 15:00,2026-11-21 17:00
        8,2026-11-22 08:00,2026-11-22 16:00
        7,2026-11-23 16:00,2026-11-23 08:00
        7,2026-11-24 08:00,2026-11-25 09:00
        7,2026-02-30 08:00,25:00
        """
      guard case .faulty(let faults) = try await read(csv, into: world) else {
        throw Unexpected("it was read")
      }
      let told = faults.first.map { "\($0.line): \($0.detail)" }
      let wanted = [
        "2: overlaps a shift that is already planned", "4: overlaps line 3",
        "5: employee 8 does not exist", "6: `end` must be after", "7: `end` must be after",
        "8: `start` must have the form", "8: `end` must have the form",
      ]
      #expect(told.count == wanted.count && faults.count == wanted.count, "\(told)")
      #expect(zip(told, wanted).allSatisfy { $0.hasPrefix($1) }, "\(told)")
      let readable = csv.split(separator: "\n").dropLast().joined(separator: "\n")
      guard case .faulty(let others) = try await read(readable, into: world) else {
        throw Unexpected("it was read")
      }
      #expect(others.first.map(\.line) == [2, 4, 5, 6, 7], "\(others.first)")
      #expect(try await plannedShifts(in: world).count == 1)
    }
  }

  private func addSite(_ name: String, to team: TeamID, in world: OperationsWorld) async throws {
    let center = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
    _ = try await world.operations.people.addSite(
      name: name, center: center, radiusMeters: 200, to: team, by: Self.boss
    ).get()
  }

  // R: G2
  @Test("from a file name sites of their employee's team, or the fault has its line")
  func namedSites() async throws {
    try await withWorld { world in
      let south = try await world.operations.people.addTeam(name: "South", timeZone: "UTC")
      for (name, team) in [("Depot", TeamID(1)), ("Yard", TeamID(1)), ("Mine", south)] {
        try await addSite(name, to: team, in: world)
      }
      _ = try await world.operations.people.removeSite(2, from: TeamID(1), by: Self.boss)
      let twenty = (1...21).map(String.init).joined(separator: " ")
      let csv = """
        employee,start,end,sites
        7,2026-11-21 08:00,2026-11-21 16:00,1 2
        7,2026-11-22 08:00,2026-11-22 16:00,one
        7,2026-11-23 08:00,2026-11-23 16:00,"1
        1"
        7,2026-11-24 08:00,2026-11-24 16:00,=1
        7,2026-11-25 08:00,2026-11-25 16:00,\(twenty)
        7,2026-11-26 08:00,2026-11-26 16:00,3
        7,2026-11-27 08:00,2026-11-27 16:00,1 1
        """
      guard case .faulty(let faults) = try await read(csv, into: world) else {
        throw Unexpected("it was read")
      }
      let removed = "site 2 of team 1 does not exist"
      let numbers = "`sites` must be at most 20 numbers, separated by spaces"
      #expect(
        faults.first.map { "\($0.line): \($0.detail)" } == [
          "2: \(removed)", "3: \(numbers)", "4: \(numbers)", "6: \(numbers)", "7: \(numbers)",
          "8: site 3 of team 1 does not exist",
        ])
    }
  }

  // R: G2
  @Test("from a file with their sites are the same again with these sites or none named")
  func sameSites() async throws {
    try await withWorld { world in
      try await addSite("Depot", to: TeamID(1), in: world)
      let good = "employee,start,end,sites\n7,2026-11-27 08:00,2026-11-27 16:00,1 1\n"
      var wanted = PlannedShiftImport(isTrial: false)
      wanted.added = 1
      #expect(try await read(good, into: world) == .done(wanted))
      func sites() async throws -> [[Int16]] {
        try await world.operations.people.plannedShifts(of: EmployeeID(7), in: Self.everything)
          .map(\.sites)
      }
      #expect(try await sites() == [[1]])
      // The same again, and without sites, changes nothing; others are in its way.
      (wanted.added, wanted.unchanged) = (0, 1)
      #expect(try await read(good, into: world) == .done(wanted))
      let unnamed = good.replacing(",1 1", with: ",")
      #expect(try await read(unnamed, into: world) == .done(wanted))
      #expect(try await sites() == [[1]])
      try await addSite("Yard", to: TeamID(1), in: world)
      guard
        case .faulty(let other) = try await read(good.replacing(",1 1", with: ",2"), into: world)
      else { throw Unexpected("it was read") }
      #expect(other.first.map(\.detail) == ["is already planned with other sites"])
    }
  }

  // R: G3
  @Test("of an absent employee are awaited by nobody, but what was worked is shown")
  func absent() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      let span = Interval(from: morning + .hours(1), to: morning + .hours(5))
      _ = try await operations.people.planShift(EmployeeID(7), span, by: Self.boss)
      /// The state, and the planned shifts drawn.
      func shown() async throws -> (BoardState?, [Interval]?) {
        let line = try await operations.insight.board(for: Self.boss).lines.first
        return (line?.state, line?.plannedShifts)
      }
      let marks = try await operations.insight.boardMarks()
      let absence = try await operations.people.addAbsence(
        of: EmployeeID(7), Interval(from: span.start, to: span.start + .minutes(1)), note: nil,
        by: Self.boss
      ).get().row
      #expect(try await operations.insight.boardMarks() != marks)
      #expect(try await shown() == (.off, []))
      world.wait(.hours(1) + .minutes(30))
      #expect(try await shown() == (.off, []))
      try await operations.people.removeAbsence(absence.id, of: EmployeeID(7), by: Self.boss)
      #expect(try await shown() == (.late, [span]))
      _ = try await operations.people.addAbsence(
        of: EmployeeID(7), span, note: nil, by: Self.boss)
      #expect(try await shown() == (.off, []))
      // An absence does not keep anybody from working.
      try await phone.beginShift()
      #expect(try await shown() == (.clockedIn, [span]))
    }
  }

  @Test("are added, added again without effect, refused if they overlap, and deleted")
  func single() async throws {
    try await withWorld { world in
      let operations = world.operations
      let span = Interval(from: morning, to: morning + .hours(8))
      guard
        case .planned(let plannedShift, isNew: true) = try await operations.people.planShift(
          EmployeeID(7), span, by: Self.boss)
      else { throw Unexpected("it is not planned") }
      #expect(
        try await operations.people.planShift(EmployeeID(7), span, by: Self.boss)
          == .planned(plannedShift, isNew: false))
      let later = Interval(from: morning + .hours(7), to: morning + .hours(9))
      #expect(
        try await operations.people.planShift(EmployeeID(7), later, by: Self.boss)
          == .overlaps(plannedShift))
      await #expect(throws: OperationError.notFound("employee 9")) {
        try await operations.people.planShift(EmployeeID(9), span, by: Self.boss)
      }
      let board = try await operations.insight.board(for: Self.boss)
      #expect(board.lines.map(\.plannedShifts) == [[span]])
      #expect(board.lines.map(\.state) == [.scheduled])
      let marks = try await operations.insight.boardMarks()
      try await operations.people.deletePlannedShift(plannedShift.id, of: EmployeeID(7))
      let emptied = try await operations.insight.board(for: Self.boss)
      #expect(emptied.lines.map(\.plannedShifts) == [[]] && emptied.lines.map(\.state) == [.off])
      // An open board hears of it.
      #expect(try await operations.insight.boardMarks() != marks)
    }
  }

  @Test("are changed until they are over or worked")
  func changed() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let phone = try await Phone.enrolled(in: world)
      let span = Interval(from: morning + .hours(1), to: morning + .hours(3))
      let row = try await manager.people.planShift(EmployeeID(7), span, by: Self.boss).get().row
      let other = try await manager.people.planShift(
        EmployeeID(7), Interval(from: morning + .hours(20), to: morning + .hours(24)),
        by: Self.boss
      ).get().row
      func change(_ start: TimeSpan?, _ end: TimeSpan?, of id: Int64 = row.id) async throws
        -> PlannedShiftOutcome
      {
        try await manager.people.changePlannedShift(
          id, of: EmployeeID(7), start: start.map { morning + $0 }, end: end.map { morning + $0 },
          by: Principal(actor: AuditActor(name: "Deputy"), role: .administrator))
      }
      let marks = try await manager.insight.boardMarks()
      var later = row
      later.span = Interval(from: morning + .hours(2), to: morning + .hours(4))
      later.createdBy = "Deputy"
      #expect(try await change(.hours(2), .hours(4)) == .planned(later, isNew: true))
      #expect(try await manager.insight.boardMarks() != marks)
      #expect(try await change(nil, nil) == .planned(later, isNew: false))
      #expect(try await change(nil, .hours(21)) == .overlaps(other))
      await #expect(throws: OperationError.self) { try await change(.hours(4), nil) }
      await #expect(throws: OperationError.self) { try await change(nil, .minutes(26 * 60 + 1)) }
      await #expect(throws: OperationError.notFound("planned shift 7/1")) {
        try await change(nil, nil, of: 1)
      }
      #expect(try await plannedShifts(in: world) == [later.span, other.span])

      world.wait(.hours(2))
      try await phone.beginShift()
      #expect(try await change(nil, .hours(5)) == .worked)
      world.wait(.hours(1))
      _ = try await phone.clockOut("out")
      #expect(try await change(nil, .hours(5)) == .worked)
      #expect(try await change(.hours(1), .hours(2), of: other.id) == .inThePast)
      world.wait(.hours(21))
      #expect(try await change(nil, .hours(30), of: other.id) == .over)
      #expect(try await plannedShifts(in: world) == [later.span, other.span])
    }
  }

  @Test("distinguish who is awaited, has come, has been and is free")
  func scheduled() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      func state() async throws -> BoardState? {
        try await operations.insight.board(for: Self.boss).lines.first?.state
      }
      let span = Interval(from: morning + .hours(1), to: morning + .hours(5))
      _ = try await operations.people.planShift(EmployeeID(7), span, by: Self.boss)
      #expect(try await state() == .scheduled)
      world.wait(.minutes(75) - .milliseconds(1))
      #expect(try await state() == .scheduled)
      world.wait(.milliseconds(1))
      #expect(try await state() == .late)
      world.wait(.minutes(45))
      try await phone.beginShift()
      #expect(try await state() == .clockedIn)
      let marks = try await operations.insight.boardMarks()
      _ = try await phone.ping([fix(at: world.now)])
      try await operations.background.storeLastSeen()
      #expect(try await state() == .tracked)
      #expect(try await operations.insight.boardMarks() != marks)
      world.wait(.hours(1))
      _ = try await phone.clockOut("out")
      #expect(try await state() == .off)
      // Another that nobody comes to.
      let late = Interval(from: morning + .hours(6), to: morning + .hours(7))
      _ = try await operations.people.planShift(EmployeeID(7), late, by: Self.boss)
      #expect(try await state() == .scheduled)
      world.wait(.hours(5))
      #expect(try await state() == .late)
      // On the next day it is history.
      world.wait(.hours(12))
      #expect(try await state() == .off)
    }
  }

  @Test("of a night are over for who has left before midnight")
  func night() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      let night = Interval(from: morning + .hours(12), to: morning + .hours(22))
      _ = try await operations.people.planShift(EmployeeID(7), night, by: Self.boss)
      world.wait(.hours(12))
      try await phone.beginShift()
      world.wait(.minutes(10))
      _ = try await phone.clockOut("out")
      for hours in [Int64(0), 2, 4] {
        world.wait(.hours(hours))
        #expect(
          try await operations.insight.board(for: Self.boss).lines.map(\.state) == [.off],
          "\(hours)")
      }
    }
  }

  // R: W6
  @Test("have who forgets to clock out asked half an hour after the end of the nearest plan")
  func reminder() async throws {
    try await withPhone { world, phone in
      for (start, end) in [(-12, 10), (10, 60)] as [(Int64, Int64)] {
        let span = Interval(from: morning + .minutes(start), to: morning + .minutes(end))
        _ = try await world.operations.people.planShift(EmployeeID(7), span, by: Self.boss)
      }
      try await phone.report(.always)
      _ = try await phone.clockIn("in")
      let due = try await world.count(
        """
        SELECT (extract(epoch FROM due_at) * 1000)::bigint FROM guard_state WHERE employee_id = 7
        """)
      #expect(due == (morning + .minutes(90)).milliseconds)
    }
  }

  // R: W6
  @Test("made after the clock-in they say when the end is due as well")
  func laterPlannedShift() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.always)
      _ = try await phone.clockIn("in")
      let span = Interval(from: morning - .minutes(5), to: morning + .hours(4))
      _ = try await operations.people.planShift(EmployeeID(7), span, by: Self.boss)
      func due() async throws -> Int64 {
        try await world.count(
          """
          SELECT (extract(epoch FROM due_at) * 1000)::bigint FROM guard_state
          WHERE employee_id = 7
          """)
      }
      // Whoever writes the state next finds the plan; until then it is looked at.
      world.wait(.minutes(1))
      try await phone.report(.whenInUse)
      #expect(try await due() == (morning + .hours(4) + .minutes(30)).milliseconds)
    }
  }
}
