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

extension [ShiftID] {
  var employees: [Int32] { map(\.employee.rawValue) }
  var numbers: [Int32] { map(\.number) }
}

extension TeamScope {
  /// The teams' numbers, for `= ANY`; NULL: all of them.
  var numbers: [Int32]? { teams?.map(\.rawValue).sorted() }
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
