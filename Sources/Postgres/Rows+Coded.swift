public import ShiftDomain

extension Rows {
  /// The coded value of a smallint column.
  /// - Throws: `.broken` for a number that no case owns: a newer program wrote it.
  @inlinable public func coded<T: Coded>(_ row: Int, _ column: Int) throws(PostgresError) -> T {
    guard let value: T = try codedIfPresent(row, column) else {
      throw .broken(nil, detail: "NULL where a \(T.self) belongs")
    }
    return value
  }

  /// The coded value of a smallint column; `nil` for NULL.
  @inlinable public func codedIfPresent<T: Coded>(_ row: Int, _ column: Int) throws(PostgresError)
    -> T?
  {
    guard let number: Int16 = try value(row, column) else { return nil }
    guard let raw = UInt8(exactly: number), let value = T(rawValue: raw) else {
      throw .broken(nil, detail: "\(number) is no \(T.self)")
    }
    return value
  }
}

extension Coded {
  /// The value as a smallint column holds it.
  public var column: Int16 { Int16(rawValue) }
}
