import Postgres
import ShiftDomain

extension Rows {
  /// The findings of an int column.
  func findings(_ row: Int, _ column: Int) throws(PostgresError) -> FindingSet {
    let bits: Int32 = try value(row, column)
    return FindingSet(rawValue: UInt32(bitPattern: bits))
  }

  /// The milliseconds of an int column.
  func timeSpan(_ row: Int, _ column: Int) throws(PostgresError) -> TimeSpan {
    let milliseconds: Int32 = try value(row, column)
    return .milliseconds(Int64(milliseconds))
  }
}

extension FindingSet {
  /// The set as an int column holds it.
  var column: Int32 { Int32(bitPattern: rawValue) }
}

extension TimeSpan {
  /// The span as an int column of milliseconds holds it, saturated at 24 days.
  var column: Int32 { Int32(clamping: milliseconds) }
}
