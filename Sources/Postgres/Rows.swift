/// The result of a statement. Not copyable: the memory belongs to libpq and is freed exactly once.
public struct Rows: ~Copyable {
  private let result: RawResult

  init(_ result: consuming RawResult) { self.result = result }

  /// How many rows came back; 0 for a statement without `RETURNING` or `SELECT`.
  public var count: Int { result.rowCount }

  @usableFromInline var columnCount: Int { result.columnCount }

  /// How many rows the statement returned or wrote; 0 if it affects none.
  public var affected: Int { result.affected }

  // Inlinable, so that callers compile it for their own types: unspecialised it would look up the
  // type of `T?` for every value, which cost more than all the rest.
  /// The value at `row` and `column`, both from 0: for a result of one column; others have a
  /// `RowReader`. Traps outside the result. Throws `.broken` for another type or a stray NULL.
  @inlinable public func value<T: PostgresDecodable>(
    _ row: Int, _ column: Int
  ) throws(PostgresError) -> T {
    precondition((0..<count).contains(row) && (0..<columnCount).contains(column))
    return try decoded(row, column)
  }

  /// The same, for a caller that knows that there is such a value.
  @inlinable func decoded<T: PostgresDecodable>(
    _ row: Int, _ column: Int
  ) throws(PostgresError) -> T {
    let type = typeOID(column)
    guard T.reads(type) else {
      throw failure(column, "has type \(type), not the \(T.postgresType.oid) of \(T.self)")
    }
    var value: T?
    guard lend(row, column, to: { value = T(postgres: $0) }) else {
      guard let null = T.null else { throw failure(column, "is NULL, \(T.self) expected") }
      return null
    }
    guard let value else { throw failure(column, "is not a well-formed \(T.self)") }
    return value
  }

  @usableFromInline func typeOID(_ column: Int) -> UInt32 { result.type(ofColumn: column) }

  /// Lends the bytes of one value to `body`; returns whether it is not NULL.
  @usableFromInline func lend(
    _ row: Int, _ column: Int, to body: (Span<UInt8>) -> Void
  ) -> Bool {
    result.withValue(row, column, body) != nil
  }

  @usableFromInline func failure(_ column: Int, _ complaint: String) -> PostgresError {
    .broken(nil, detail: "column `\(result.name(ofColumn: column))` \(complaint)")
  }
}
