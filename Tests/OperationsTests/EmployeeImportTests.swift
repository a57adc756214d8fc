import GuardRules
import ShiftDomain
import Testing

@testable import PeopleOperations

@Suite("A file of employees") struct EmployeeImportTests {
  private func read(_ csv: String, isTrial: Bool = false, into world: OperationsWorld) async throws
    -> ImportOutcome<EmployeeImport>
  {
    try await world.operations.people.importEmployees(
      Array(csv.utf8), isTrial: isTrial, by: .arranger)
  }

  private func counts(_ added: Int, _ changed: Int, _ moved: Int, _ unchanged: Int)
    -> ImportOutcome<EmployeeImport>
  {
    var result = EmployeeImport(isTrial: false)
    (result.added, result.changed) = (added, changed)
    (result.moved, result.unchanged) = (moved, unchanged)
    return .done(result)
  }

  @Test("adds, changes and moves; read again it changes nothing")
  func again() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addTeam(name: "Depot", timeZone: "UTC")
      let csv = """
        \u{FEFF}Name,Employee,Team,email,PhoneNumber
        Ada Lovelace,7,Depot,ada@example.org,+44 20 7946 0000
        "Grace ""Amazing"" Hopper",8,1,,

        """
      #expect(try await read(csv, into: world) == counts(1, 1, 1, 0))
      #expect(try await read(csv, into: world) == counts(0, 0, 0, 2))
      let rows = try await world.operations.people.employees(limit: 9)
      #expect(rows.map(\.name) == ["Ada Lovelace", #"Grace "Amazing" Hopper"#])
      #expect(rows.map(\.email) == ["ada@example.org", nil])
      #expect(rows.map(\.phoneNumber) == ["+44 20 7946 0000", nil])
      #expect(rows.map(\.team.rawValue) == [2, 1])
      // Without their columns contact details stay; an empty field takes one away.
      #expect(
        try await read("employee,name,team\n7,Ada,2", into: world) == counts(0, 1, 0, 0))
      #expect(
        try await world.operations.people.employee(EmployeeID(7)).email == "ada@example.org"
      )
      _ = try await read("employee,name,team,email\n7,Ada,2,", into: world)
      #expect(try await world.operations.people.employee(EmployeeID(7)).email == nil)
      #expect(
        try await world.operations.people.employee(EmployeeID(7)).phoneNumber
          == "+44 20 7946 0000")
      // Those who are new can work.
      let phone = try await Phone.enrolled(in: world, employee: 8)
      try await phone.report(.always)
      guard case .clockedIn = try await phone.clockIn("a") else {
        throw Unexpected("8 is not let in")
      }
      #expect(
        try await read("employee,name,team\n8,Grace,Depot", into: world)
          == .faulty(
            LineFaults(
              LineFault(line: 2, "the team cannot be changed until the open shift ends"))))
    }
  }

  @Test("skips rows and columns at the end that spreadsheets leave empty")
  func spreadsheet() async throws {
    try await withWorld { world in
      let csv = "employee;name;team;;\n;;;;\n8;Grace;1;;\n ;;\n9;Bea;1\n;;;;;;\n"
      #expect(try await read(csv, into: world) == counts(2, 0, 0, 0))
      guard case .faulty(let faults) = try await read("employee,name,,team\n", into: world)
      else { throw Unexpected("an empty column in between was read") }
      #expect(faults.first.map(\.line) == [1])
    }
  }

  @Test("keeps an inactive employee inactive: unchanged, changed and moved ones are counted alike")
  func inactive() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      _ = try await manager.people.addTeam(name: "Depot", timeZone: "UTC")
      _ = try await manager.people.deactivate(EmployeeID(7), by: .arranger).get()
      let before = try await manager.people.employee(EmployeeID(7))
      #expect(before.deactivatedAt != nil)
      #expect(
        try await read("employee,name,team\n7,\(before.name),1", into: world)
          == counts(0, 0, 0, 1))
      #expect(try await manager.people.employee(EmployeeID(7)) == before)
      #expect(try await read("employee,name,team\n7,Ada L,1", into: world) == counts(0, 1, 0, 0))
      #expect(try await read("employee,name,team\n7,Ada L,2", into: world) == counts(0, 1, 1, 0))
      let after = try await manager.people.employee(EmployeeID(7))
      #expect(after.name == "Ada L" && after.team == TeamID(2))
      #expect(after.deactivatedAt == before.deactivatedAt)
    }
  }

  private static let faulty: [(String, [String])] = [
    ("", ["1: the first line must name the columns employee, name, team, email, phoneNumber"]),
    (
      "employee,team\n7,1",
      ["1: column `name` is missing: the first line must name the columns"]
    ),
    ("employee,name,team,wage\n", ["1: column 4 is unknown or repeated"]),
    ("employee,name,team,name\n", ["1: column 4 is unknown or repeated"]),
    (
      "employee,name,team\n0,A,1\n8,,1\n9,B,Nowhere\n10,C,1,x\n7,D,1\n7,E,1\n\"11,F,1",
      [
        "2: `employee` must be a number", "3: `name` must have 1 to 100",
        "4: `team` must be the number or name", "5: has 4 fields where the header has 3",
        "7: `employee` is already in line 6", "8: has a quote that is never closed",
      ]
    ),
    (
      "employee,name,team,email\n8,A,1,nobody",
      ["2: `email` is not an e-mail address"]
    ),
    (
      "employee,name,team,phonenumber\n8,A,1,+12 x",
      ["2: `phoneNumber` is not a phone number"]
    ),
  ]

  @Test("with a fault writes nothing, and each fault has its line", arguments: faulty)
  func faults(_ csv: String, _ wanted: [String]) async throws {
    try await withWorld { world in
      guard case .faulty(let faults) = try await read(csv, into: world) else {
        throw Unexpected("it was read")
      }
      let told = faults.first.map { "\($0.line): \($0.detail)" }
      #expect(told.count == wanted.count && faults.count == wanted.count, "\(told)")
      for (line, start) in zip(told, wanted) { #expect(line.hasPrefix(start)) }
      #expect(try await world.operations.people.employees(limit: 9).map(\.name) == ["Ada"])
    }
  }

  @Test("finds lines that cannot be read and lines that do not fit what is stored at once")
  func allAtOnce() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addTeam(name: "Depot", timeZone: "UTC")
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.always)
      _ = try await phone.clockIn("in")
      let csv = "employee,name,team\n8,,1\n7,Ada,Depot\nx,Ben,1\n"
      guard case .faulty(let faults) = try await read(csv, into: world) else {
        throw Unexpected("it was read")
      }
      #expect(faults.first.map(\.line) == [2, 3, 4], "\(faults.first)")
      #expect(faults.first[1].detail.contains("until the open shift ends"))
    }
  }

  @Test("lists its first hundred faults and counts all")
  func manyFaults() async throws {
    try await withWorld { world in
      let csv = "employee,name,team\n" + (1...250).map { "\($0),,1\n" }.joined()
      guard case .faulty(let faults) = try await read(csv, into: world) else {
        throw Unexpected("it was read")
      }
      #expect(faults.count == 250)
      #expect(faults.first.map(\.line) == Array(2...101))
    }
  }

  @Test("of 100,000 lines is read in batches, by two at once too")
  func large() async throws {
    try await withWorld { world in
      let csv = Array(
        ("employee,name,team\n" + (8..<100_008).reversed().map { "\($0),P \($0),1\n" }.joined())
          .utf8)
      let outcomes = try await withThrowingTaskGroup(of: ImportOutcome<EmployeeImport>.self) {
        group in
        for _ in 0..<2 {
          group.addTask {
            try await world.operations.people.importEmployees(csv, isTrial: false, by: .arranger)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for outcome in outcomes {
        guard case .done(let result) = outcome else { throw Unexpected("\(outcome)") }
        #expect(result.total == 100_000)
      }
      #expect(try await world.count("SELECT count(*) FROM guard_state") == 100_001)
    }
  }
}
