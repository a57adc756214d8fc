import Postgres
import ShiftDomain

extension Rows {
  /// The findings of an int column.
  func findings(_ row: Int, _ column: Int) throws(PostgresError) -> FindingSet {
    let bits: Int32 = try value(row, column)
    return FindingSet(rawValue: UInt32(bitPattern: bits))
  }

  /// The shift from the first two columns, employee and number.
  func shiftID(_ row: Int) throws(PostgresError) -> ShiftID {
    ShiftID(employee: EmployeeID(try value(row, 0)), number: try value(row, 1))
  }

  /// One shift per row.
  func shiftIDs() throws(PostgresError) -> [ShiftID] {
    var shifts: [ShiftID] = []
    for row in 0..<count { shifts.append(try shiftID(row)) }
    return shifts
  }

  /// The milliseconds of an int column.
  func timeSpan(_ row: Int, _ column: Int) throws(PostgresError) -> TimeSpan {
    let milliseconds: Int32 = try value(row, column)
    return .milliseconds(Int64(milliseconds))
  }

  /// Milliseconds of a column that may be NULL.
  func timeSpanIfPresent(_ row: Int, _ column: Int) throws(PostgresError) -> TimeSpan? {
    let milliseconds: Int32? = try value(row, column)
    return milliseconds.map { .milliseconds(Int64($0)) }
  }
}

extension FindingSet {
  /// The set as an int column.
  var column: Int32 { Int32(bitPattern: rawValue) }
}

extension TimeSpan {
  /// The span as an int column of milliseconds, clamped at 24 days.
  var column: Int32 { Int32(clamping: milliseconds) }
}

extension [ShiftID] {
  /// Their employees, for `unnest`.
  var employees: [Int32] { map(\.employee.rawValue) }
  /// Their numbers, for `unnest`.
  var numbers: [Int32] { map(\.number) }
}
