import GuardRules
import Postgres
import ReadModels
import ShiftDomain

extension Interval {
  /// A start and an end; NULL is no end.
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(from: try row.next(), to: try row.next() ?? Instant(milliseconds: .max))
  }
}

extension ShiftSpan {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(from: try row.next(), to: try row.next())
  }
}

extension FindingSet {
  var column: Int32 { Int32(bitPattern: rawValue) }
}

extension TimeSpan {
  /// The span as an int column of milliseconds, clamped at 24 days.
  var column: Int32 { Int32(clamping: milliseconds) }
}

/// A fragment about one shift. Citus would not see from `shift.employee_id` in its inner queries,
/// or from that of `state` or `device`, that one node has all rows: each is replaced by the
/// employee's number.
struct ShiftFragment: Sendable, ExpressibleByStringLiteral {
  fileprivate let text: String
  fileprivate let parts: [String]

  init(stringLiteral fragment: StaticString) { self.init(text: fragment.description) }

  init(_ pieces: ShiftFragment...) { self.init(text: pieces.map(\.text).joined()) }

  private init(text: String) {
    self.text = text
    parts = text.split(
      separator: #/= (shift|state|device)\.employee_id/#, omittingEmptySubsequences: false
    ).map { String($0) }
  }
}

// A statement about one row names its key, without an array: to know how long an array is, Postgres
// would plan the statement again at each use, which takes longer than the statement itself.
extension SQL.Interpolation {
  /// A table `wanted (employee_id, shift_no)`.
  mutating func appendInterpolation(wanted shifts: [ShiftID]) {
    appendKeys(shifts.employees, shifts.numbers, named: "shift_no")
  }

  /// A table `wanted (employee_id, device_no)`.
  mutating func appendInterpolation(wanted devices: [DeviceID]) {
    appendKeys(devices.map(\.employee.rawValue), devices.map(\.number), named: "device_no")
  }

  /// For a single employee, a further condition that names them: behind a UNION Citus would not see
  /// that one node has all rows.
  mutating func appendInterpolation(ifOne employees: [EmployeeID], of column: StaticString) {
    guard employees.count == 1 else { return }
    appendLiteral("AND ")
    appendInterpolation(fragment: column)
    appendLiteral(" = ")
    appendInterpolation(employees[0].rawValue)
  }

  /// The same for that of a single shift.
  mutating func appendInterpolation(ifOne shifts: [ShiftID], of column: StaticString) {
    appendInterpolation(ifOne: shifts.map(\.employee), of: column)
  }

  /// A fragment about shifts of these employees; a single one is named in its inner queries.
  mutating func appendInterpolation(fragment: ShiftFragment, of employees: [EmployeeID]) {
    if employees.count == 1 {
      appendInterpolation(fragment: fragment, naming: employees[0])
    } else {
      appendInterpolation(fragment: fragment)
    }
  }

  /// A fragment about shifts of any employees.
  mutating func appendInterpolation(fragment: ShiftFragment) {
    appendLiteral(fragment.text)
  }

  /// A fragment about a shift of `employee`, who is named in its inner queries.
  mutating func appendInterpolation(fragment: ShiftFragment, naming employee: EmployeeID) {
    appendLiteral(fragment.parts[0])
    for part in fragment.parts.dropFirst() {
      appendLiteral("= ")
      appendInterpolation(employee.rawValue)
      appendLiteral(part)
    }
  }

  private mutating func appendKeys<Number: PostgresEncodable>(
    _ employees: [Int32], _ numbers: [Number], named name: String
  ) where [Number]: PostgresEncodable {
    if employees.count == 1 {
      appendLiteral("(SELECT ")
      appendInterpolation(employees[0])
      appendLiteral(" AS employee_id, ")
      appendInterpolation(numbers[0])
      appendLiteral(" AS \(name)) AS wanted")
    } else {
      appendLiteral("unnest(")
      appendInterpolation(employees)
      appendLiteral(", ")
      appendInterpolation(numbers)
      appendLiteral(") AS wanted (employee_id, \(name))")
    }
  }
}

extension [ShiftID] {
  var employees: [Int32] { map(\.employee.rawValue) }
  var numbers: [Int32] { map(\.number) }
}

extension [TeamID: TeamRights] {
  /// The teams in order, with the rights for each, for `unnest`.
  var columns: (teams: [Int32], rights: [Int16]) {
    let teams = keys.sorted { $0.rawValue < $1.rawValue }
    return (teams.map(\.rawValue), teams.map { Int16(self[$0]?.rawValue ?? 0) })
  }

  /// The rights from two array columns, teams and rights; NULL means none.
  init(from row: inout RowReader) throws(PostgresError) {
    let (teams, rights): ([Int32]?, [Int16]?) = (try row.next(), try row.next())
    let pairs = zip(teams ?? [], rights ?? [])
    self.init(
      pairs.map { (TeamID($0), TeamRights(rawValue: UInt8(truncatingIfNeeded: $1))) },
      uniquingKeysWith: { $1 })
  }
}

extension SQL.Interpolation {
  /// A condition on the table `employee`: in `scope`. Practice employees are only if the scope
  /// names their team, or the statement is about the employee `asked` alone: so every list and
  /// figure of all teams leaves them out.
  mutating func appendInterpolation(employeeIn scope: TeamScope, asked employee: EmployeeID? = nil)
  {
    appendLiteral("(employee.team_id = ANY (")
    appendInterpolation(scope.numbers)
    appendLiteral(") OR ")
    appendInterpolation(scope.numbers)
    appendLiteral(" IS NULL AND (employee.practice_until IS NULL OR ")
    appendInterpolation(employee?.rawValue)
    appendLiteral(" IS NOT NULL))")
  }

  /// A condition on the rows of a list: after `place` in the order `time DESC, employee, number
  /// DESC`; `nil`: any. The first part is what an index on the time serves.
  mutating func appendInterpolation(
    after place: ListPlace?, time: StaticString, employee: StaticString, number: StaticString
  ) {
    appendLiteral("(\(time) <= coalesce(")
    appendInterpolation(place?.at)
    appendLiteral(", 'infinity') AND (")
    appendInterpolation(place?.at)
    appendLiteral(" IS NULL OR \(time) < ")
    appendInterpolation(place?.at)
    appendLiteral(" OR \(employee) > ")
    appendInterpolation(place?.employee.rawValue)
    appendLiteral(" OR \(employee) = ")
    appendInterpolation(place?.employee.rawValue)
    appendLiteral(" AND \(number) < ")
    appendInterpolation(place?.number)
    appendLiteral("))")
  }
}
