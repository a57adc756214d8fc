import Postgres

extension Pool {
  /// The first column of each row.
  public func strings(_ sql: SQL) async throws -> [String] {
    try await read { (session) throws(PostgresError) in
      let rows = try session.run(sql)
      var strings: [String] = []
      for row in 0..<rows.count { strings.append(try rows.value(row, 0)) }
      return strings
    }
  }

  /// How many rows of `employee` each table of the schema has, by name; tables without any are left
  /// out. Partitions count once more by themselves.
  public func rows(of employee: Int32) async throws -> [String: Int64] {
    let names = try await strings(
      """
      SELECT DISTINCT table_name::text FROM information_schema.columns
      WHERE column_name = 'employee_id' AND table_schema = 'public'
      """)
    return try await read { (session) throws(PostgresError) in
      var found: [String: Int64] = [:]
      for table in names {
        let count: Int64 = try session.run(
          SQL(unescaped: "SELECT count(*) FROM \(table) WHERE employee_id = \(employee)")
        ).value(0, 0)
        if count > 0 { found[table] = count }
      }
      return found
    }
  }
}
