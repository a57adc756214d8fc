/// What a statement returned. Not copyable: the memory is libpq's and is given back exactly once.
public struct Rows: ~Copyable {
  private let result: RawResult

  init(_ result: consuming RawResult) { self.result = result }

  /// How many rows came back; 0 for a statement without `RETURNING` or `SELECT`.
  public var count: Int { result.rowCount }

  /// How many rows the statement returned or wrote; 0 for a statement that touches none.
  public var affected: Int { result.affected }

  /// The value at `row` and `column`, both from 0. Traps outside the result: that is our bug.
  /// - Throws: `.broken` when the column is of another type, or NULL and `T` is no Optional.
  public func value<T: PostgresDecodable>(
    _ row: Int, _ column: Int
  ) throws(PostgresError) -> T {
    precondition((0..<count).contains(row) && (0..<result.columnCount).contains(column))
    let type = result.type(ofColumn: column)
    guard T.reads(type) else {
      throw failure(column, "has type \(type), not the \(T.postgresType.oid) of \(T.self)")
    }
    switch result.withValue(row, column, { T(postgres: $0) }) {
    case .some(.some(let value)): return value
    case .some(.none): throw failure(column, "is not a well-formed \(T.self)")
    case .none:
      guard let null = T.null else { throw failure(column, "is NULL, \(T.self) expected") }
      return null
    }
  }

  private func failure(_ column: Int, _ complaint: String) -> PostgresError {
    .broken(nil, detail: "column `\(result.name(ofColumn: column))` \(complaint)")
  }
}
