import GuardRules
import Postgres
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
