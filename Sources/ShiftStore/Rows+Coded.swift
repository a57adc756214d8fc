import Postgres
import ShiftDomain

extension Rows {
  /// The coded value of a smallint column.
  /// - Throws: `.broken` for a number that no case owns: a newer program wrote it.
  func coded<T: Coded>(_ row: Int, _ column: Int) throws(PostgresError) -> T {
    guard let value: T = try codedIfPresent(row, column) else {
      throw .broken(nil, detail: "NULL where a \(T.self) belongs")
    }
    return value
  }

  /// The coded value of a smallint column; `nil` for NULL.
  func codedIfPresent<T: Coded>(_ row: Int, _ column: Int) throws(PostgresError) -> T? {
    guard let number: Int16 = try value(row, column) else { return nil }
    guard let raw = UInt8(exactly: number), let value = T(rawValue: raw) else {
      throw .broken(nil, detail: "\(number) is no \(T.self)")
    }
    return value
  }

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

extension Coded {
  /// The value as a smallint column holds it.
  var column: Int16 { Int16(rawValue) }
}

extension FindingSet {
  /// The set as an int column holds it.
  var column: Int32 { Int32(bitPattern: rawValue) }
}

extension TimeSpan {
  /// The span as an int column of milliseconds holds it, saturated at 24 days.
  var column: Int32 { Int32(clamping: milliseconds) }
}
