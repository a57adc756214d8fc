import Postgres
import ShiftDomain
import TestKit
import Testing

@Suite("A row is read in the order of its columns") struct RowReaderTests {
  private struct Visit: Hashable {
    var employee: EmployeeID
    var name: String?
    var lasted: TimeSpan
    var platform: Platform?

    init(from row: inout RowReader) throws(PostgresError) {
      employee = try row.next()
      name = try row.next()
      lasted = try row.next()
      platform = try row.next()
    }
  }

  /// What `decode` makes of the rows of `sql`.
  private func read<Value: Sendable>(
    _ sql: SQL, _ decode: @Sendable (consuming Rows) throws(PostgresError) -> Value
  ) async throws -> Value {
    try await withDatabase(size: 1) { pool in
      try await pool.read { session throws(PostgresError) in try decode(try session.run(sql)) }
    }
  }

  private func visits(_ sql: SQL) async throws -> [Visit] {
    try await read(sql) { (rows) throws(PostgresError) in try rows.map(Visit.init(from:)) }
  }

  @Test("row by row, also NULL, identifiers, spans and codes") func inOrder() async throws {
    let read = try await visits(
      """
      SELECT * FROM (VALUES (7, 'Ada', 1500, 1::smallint), (8, NULL, 2, NULL))
        AS visit (employee_id, name, lasted, platform)
      """)
    #expect(read.map(\.employee) == [EmployeeID(7), EmployeeID(8)])
    #expect(read.map(\.name) == ["Ada", nil])
    #expect(read.map(\.lasted) == [.milliseconds(1_500), .milliseconds(2)])
    #expect(read.map(\.platform) == [Platform(rawValue: 1), nil])
  }

  @Test(
    "what does not fit is an error that names the column",
    arguments: [
      ("SELECT 7 AS id, 8 AS wrong, 1, 1::smallint", "column `wrong` has type 23"),
      ("SELECT NULL::int AS missing, 'Ada', 1, 1::smallint", "column `missing` is NULL"),
      ("SELECT 7, 'Ada', true AS flag, 1::smallint", "column `flag` has type 16"),
      ("SELECT 7, 'Ada', 1, 99::smallint AS code", "column `code` is 99, no Platform"),
      ("SELECT 7, 'Ada', 1", "row has 3 columns, more were read"),
      ("SELECT 7, 'Ada', 1, 1::smallint, 5", "row has 5 columns, 4 were read"),
    ] as [(SQL, String)])
  func misfits(_ sql: SQL, _ complaint: String) async throws {
    let error = await #expect(throws: PostgresError.self) { _ = try await visits(sql) }
    #expect(error?.description.contains(complaint) == true, "\(error as Any)")
  }

  @Test("the first row, the only one, and none at all") func few() async throws {
    let none: SQL = "SELECT 7, 'Ada', 1, 1::smallint WHERE false"
    let one: SQL = "SELECT 7, 'Ada', 1, 1::smallint"
    let first = { @Sendable (rows: consuming Rows) throws(PostgresError) -> Visit? in
      try rows.first(Visit.init(from:))
    }
    #expect(try await read(one, first)?.name == "Ada")
    #expect(try await read(none, first) == nil)
    let only = { @Sendable (rows: consuming Rows) throws(PostgresError) -> Visit in
      try rows.one(Visit.init(from:))
    }
    #expect(try await read(one, only).name == "Ada")
    let error = await #expect(throws: PostgresError.self) { _ = try await read(none, only) }
    #expect(error?.description == "database statement failed: result has no row")
    #expect(try await visits(none) == [])
  }

  @Test("a single column as a list or a value") func singleColumn() async throws {
    let list = try await read("SELECT * FROM (VALUES (3), (4)) AS t") {
      (rows) throws(PostgresError) -> [Int32] in try rows.values()
    }
    #expect(list == [3, 4])
    let value = { @Sendable (rows: consuming Rows) throws(PostgresError) -> Int64? in
      try rows.firstValue()
    }
    #expect(try await read("SELECT 5::bigint", value) == 5)
    #expect(try await read("SELECT 5::bigint WHERE false", value) == nil)
    await #expect(throws: PostgresError.self) { _ = try await read("SELECT 5::bigint, 6", value) }
  }

  @Test("columns may be skipped, but not more than there are") func skips() async throws {
    let rest = try await read("SELECT 1, 2, 3, 4, 5") {
      (rows) throws(PostgresError) -> Int32 in
      try rows.one { (row) throws(PostgresError) in
        row.skip(2)
        let third: Int32 = try row.next()
        row.skipRest()
        return third
      }
    }
    #expect(rest == 3)
    await #expect(throws: PostgresError.self) {
      _ = try await read("SELECT 1, 2") { (rows) throws(PostgresError) in
        try rows.map { (row) throws(PostgresError) in row.skip(3) }.count
      }
    }
  }
}
