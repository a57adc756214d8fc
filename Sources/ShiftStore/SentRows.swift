import Postgres

// Rows that are written together: one column after the other, so that the statement has the same
// text for any number of rows.

/// A column of the rows that a statement writes.
struct SentColumn: Sendable {
  let name: StaticString
  /// Binds its values as an array, or the only one by itself.
  fileprivate let bind: @Sendable (inout SQL.Interpolation, _ isOnlyRow: Bool) -> Void

  init<Value: PostgresListable & PostgresEncodable>(_ name: StaticString, _ values: [Value]) {
    self.name = name
    bind = { sql, isOnlyRow in
      if isOnlyRow { sql.appendInterpolation(values[0]) } else { sql.appendInterpolation(values) }
    }
  }
}

/// The assignments of an UPDATE that takes columns from the table `sent`; made once for a statement
/// that is run often.
struct Assignments: Sendable {
  fileprivate let text: String

  init(_ columns: [SentColumn]) {
    text = columns.map { "\($0.name) = sent.\($0.name)" }.joined(separator: ", ")
  }
}

// A statement about one row has no array: to know how long an array is, Postgres would plan the
// statement again at each use, and Citus would not see that one node has the row.
extension SQL.Interpolation {
  /// A table `sent` with these columns.
  mutating func appendInterpolation(sent columns: [SentColumn], count: Int) {
    if count == 1 {
      appendLiteral("(SELECT ")
      for (place, column) in columns.enumerated() {
        if place > 0 { appendLiteral(", ") }
        column.bind(&self, true)
        appendLiteral(" AS \(column.name)")
      }
      appendLiteral(") AS sent")
    } else {
      appendLiteral("unnest(")
      append(columns, isOnlyRow: false)
      appendLiteral(") AS sent (\(names(of: columns)))")
    }
  }

  mutating func appendInterpolation(_ assignments: Assignments) { appendLiteral(assignments.text) }

  /// The columns and rows of an INSERT.
  mutating func appendInterpolation(inserting columns: [SentColumn], count: Int) {
    appendLiteral("(\(names(of: columns))) ")
    appendLiteral(count == 1 ? "VALUES (" : "SELECT * FROM unnest(")
    append(columns, isOnlyRow: count == 1)
    appendLiteral(")")
  }

  /// The only one of `values`, or else the column that has each of them.
  mutating func appendInterpolation(_ column: StaticString, orOnly values: [Int32]) {
    if values.count == 1 {
      appendInterpolation(values[0])
    } else {
      appendInterpolation(fragment: column)
    }
  }

  private mutating func append(_ columns: [SentColumn], isOnlyRow: Bool) {
    for (place, column) in columns.enumerated() {
      if place > 0 { appendLiteral(", ") }
      column.bind(&self, isOnlyRow)
    }
  }

  private func names(of columns: [SentColumn]) -> String {
    columns.map(\.name.description).joined(separator: ", ")
  }
}
