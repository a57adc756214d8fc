public import ShiftDomain

/// Reads the columns of a row one after the other, in the order of the select list. Columns that
/// are left over are an error, so a list and its decoder cannot drift apart.
public struct RowReader: ~Copyable {
  @usableFromInline let rows: Rows
  @usableFromInline let columnCount: Int
  @usableFromInline var row = 0
  @usableFromInline var column = 0

  init(_ rows: consuming Rows) {
    columnCount = rows.columnCount
    self.rows = rows
  }

  /// The next column.
  /// - Throws: `.broken` if it is missing, of another type, or NULL and `Value` is no Optional.
  @inlinable public mutating func next<Value: PostgresDecodable>() throws(PostgresError) -> Value {
    guard column < columnCount else { throw miscounted("more were read") }
    let value: Value = try rows.decoded(row, column)
    column += 1
    return value
  }

  /// The next column, a smallint with the code of a value.
  /// - Throws: `.broken` for a number that no case owns, unless `Value` has a stand-in for it.
  @inlinable public mutating func next<Value: Coded>() throws(PostgresError) -> Value {
    try code(of: try next())
  }

  @inlinable public mutating func next<Value: Coded>() throws(PostgresError) -> Value? {
    guard let number: Int16 = try next() else { return nil }
    return try code(of: number)
  }

  /// Skips columns, such as those of an outer join that found no row.
  public mutating func skip(_ count: Int) { column += count }

  public mutating func skipRest() { column = columnCount }

  @inlinable func code<Value: Coded>(of number: Int16) throws(PostgresError) -> Value {
    guard let value = UInt8(exactly: number).flatMap({ Value(rawValue: $0) }) ?? Value.standIn
    else {
      throw rows.failure(column - 1, "is \(number), no \(Value.self)")
    }
    return value
  }

  mutating func finishRow() throws(PostgresError) {
    guard column == columnCount else { throw miscounted("\(column) were read") }
    (row, column) = (row + 1, 0)
  }

  @usableFromInline func miscounted(_ complaint: String) -> PostgresError {
    .broken(nil, detail: "row has \(columnCount) columns, \(complaint)")
  }
}

extension Rows {
  // Not inlinable: Swift 6.3 cannot compile the end of a `Rows` in an inlinable function.
  /// Calls `body` for every row; it must read all columns.
  public consuming func forEach(
    limit: Int = .max, _ body: (inout RowReader) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    let count = min(count, limit)
    var reader = RowReader(self)
    for _ in 0..<count {
      try body(&reader)
      try reader.finishRow()
    }
  }

  /// Decodes every row. `decode` must read all columns.
  @inlinable public consuming func map<Value>(
    _ decode: (inout RowReader) throws(PostgresError) -> Value
  ) throws(PostgresError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    try forEach { (row) throws(PostgresError) in values.append(try decode(&row)) }
    return values
  }

  /// Decodes the first row; `nil` without any. `decode` must read all columns.
  @inlinable public consuming func first<Value>(
    _ decode: (inout RowReader) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value? {
    var value: Value?
    try forEach(limit: 1) { (row) throws(PostgresError) in value = try decode(&row) }
    return value
  }

  @inlinable public consuming func one<Value>(
    _ decode: (inout RowReader) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    guard let value = try first(decode) else { throw .broken(nil, detail: "result has no row") }
    return value
  }

  /// The first row's only column; `nil` without a row.
  @inlinable public consuming func firstValue<Value: PostgresDecodable>() throws(PostgresError)
    -> Value?
  {
    try first { (row) throws(PostgresError) in try row.next() }
  }

  @inlinable public consuming func values<Value: PostgresDecodable>() throws(PostgresError)
    -> [Value]
  {
    try map { (row) throws(PostgresError) in try row.next() }
  }
}

extension Coded {
  public var column: Int16 { Int16(rawValue) }
}
