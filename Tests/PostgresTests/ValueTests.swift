import Postgres
import ShiftDomain
import TestKit
import Testing

@Suite("Binary values") struct ValueTests {
  /// Sends `value`, lets the server show it as text, and reads it back.
  private func echo<Value: PostgresValue>(
    _ value: Value, _ pool: Pool
  ) async throws -> (Value, String?) {
    try await pool.read { session throws(PostgresError) in
      let rows = try session.run("SELECT \(value), \(value)::text")
      return (try rows.value(0, 0), try rows.value(0, 1))
    }
  }

  private func check<Value: PostgresValue & Equatable>(
    _ rows: [(Value, String?)], _ pool: Pool
  ) async throws {
    for (value, text) in rows {
      let (back, shown) = try await echo(value, pool)
      #expect(back == value)
      #expect(shown == text)
    }
  }

  @Test("the extremes of every type arrive unchanged, here and on the server")
  func scalars() async throws {
    try await withDatabase(size: 1) { pool in
      try await check([(true, "true"), (false, "false")], pool)
      try await check([(Int16.min, "-32768"), (0, "0"), (.max, "32767")], pool)
      try await check([(Int32.min, "-2147483648"), (-1, "-1"), (.max, "2147483647")], pool)
      try await check(
        [(Int64.min, "-9223372036854775808"), (256, "256"), (.max, "9223372036854775807")], pool)
      try await check(
        [
          (-Double.greatestFiniteMagnitude, "-1.7976931348623157e+308"), (0.1, "0.1"),
          (.leastNonzeroMagnitude, "5e-324"), (.infinity, "Infinity"),
        ], pool)
      try await check([("", ""), ("grüße \u{1F6F0} 'x' $1", "grüße \u{1F6F0} 'x' $1")], pool)
      try await check([([UInt8](), "\\x"), ([0, 255, 10] as [UInt8], "\\x00ff0a")], pool)
      let (nan, text) = try await echo(Double.nan, pool)
      #expect(nan.isNaN && text == "NaN")
    }
  }

  @Test("NULL of every type is nil, and an error where nil is not expected")
  func nulls() async throws {
    try await withDatabase(size: 1) { pool in
      try await check([(Bool?.none, nil), (true, "true")], pool)
      try await check([(Int16?.none, nil)], pool)
      try await check([(Int32?.none, nil)], pool)
      try await check([(Int64?.none, nil)], pool)
      try await check([(Double?.none, nil)], pool)
      try await check([(String?.none, nil)], pool)
      try await check([([UInt8]?.none, nil)], pool)
      try await check([(Instant?.none, nil)], pool)
      try await check([([Int32]?.none, nil)], pool)
      await #expect(throws: PostgresError.self) {
        try await pool.read { session throws(PostgresError) in
          let _: Int32 = try session.run("SELECT NULL::integer").value(0, 0)
        }
      }
    }
  }

  @Test("instants keep their milliseconds, saturate, and support infinity")
  func instants() async throws {
    try await withDatabase(size: 1) { pool in
      try await check(
        [
          (Instant(milliseconds: 0), "1970-01-01 00:00:00+00"),
          (Instant(milliseconds: -1), "1969-12-31 23:59:59.999+00"),
          (Instant(milliseconds: 1_700_000_000_123), "2023-11-14 22:13:20.123+00"),
        ], pool)
      #expect(
        try await echo(Instant(milliseconds: .max), pool).1 == "294276-12-31 23:59:59.999+00")
      #expect(
        try await echo(Instant(milliseconds: .min), pool).1 == "4714-11-24 00:00:00+00 BC")
      let read = try await pool.read { session throws(PostgresError) -> [Instant] in
        let rows = try session.run(
          """
          SELECT 'infinity'::timestamptz, '-infinity'::timestamptz,
            '1999-12-31 23:59:59.9999+00'::timestamptz
          """)
        return [try rows.value(0, 0), try rows.value(0, 1), try rows.value(0, 2)]
      }
      #expect(read.map(\.milliseconds) == [.max, .min, 946_684_799_999])
    }
  }

  @Test("arrays may contain NULL, be empty, or have bytes as elements")
  func lists() async throws {
    try await withDatabase(size: 1) { pool in
      try await check([([Int32](), "{}"), ([1, -2], "{1,-2}")], pool)
      try await check([([Int64?](), "{}"), ([1, nil, 3], "{1,NULL,3}")], pool)
      try await check([(["a", "", "NULL"], "{a,\"\",\"NULL\"}")], pool)
      try await check([([nil, "a"] as [String?], "{NULL,a}")], pool)
      try await check([([true, false], "{t,f}")], pool)
      try await check([([Int16.min], "{-32768}")], pool)
      try await check([([0.5, nil] as [Double?], "{0.5,NULL}")], pool)
      try await check([([[1], []] as [[UInt8]], #"{"\\x01","\\x"}"#)], pool)
      try await check([([Instant(milliseconds: 0)], #"{"1970-01-01 00:00:00+00"}"#)], pool)
      let both = try await pool.read { session throws(PostgresError) -> [Int32] in
        let rows = try session.run(
          """
          SELECT a FROM unnest(\([3, 1, 2] as [Int32]), \(["x", nil, "z"] as [String?])) AS t (a, b)
          WHERE a = ANY (\([1, 2] as [Int32])) ORDER BY a
          """)
        return try (0..<rows.count).map { (row) throws(PostgresError) in try rows.value(row, 0) }
      }
      #expect(both == [1, 2])
    }
  }

  @Test("a two-dimensional array is an error, and is not flattened")
  func matrix() async throws {
    try await withDatabase(size: 1) { pool in
      await #expect(throws: PostgresError.self) {
        try await pool.read { session throws(PostgresError) in
          let _: [Int32] = try session.run("SELECT '{{1,2},{3,4}}'::integer[]").value(0, 0)
        }
      }
    }
  }

  @Test("text with U+0000 is refused before anything is sent, also inside an array")
  func nul() async throws {
    try await withDatabase(size: 1) { pool in
      for statement in ["SELECT \("a\u{0}b")", "SELECT \(["a", "\u{0}"])"] as [SQL] {
        typealias Outcome = (refusal: String, later: Int32)
        let outcome = try await pool.transaction { session throws(PostgresError) -> Outcome in
          do throws(PostgresError) {
            try session.execute(statement)
            return ("accepted", 0)
          } catch {
            // The transaction goes on: the server has not seen the statement.
            return (error.description, try session.run("SELECT 7").value(0, 0))
          }
        }
        #expect(outcome == ("value cannot be stored: text holds U+0000", 7))
      }
    }
  }

  @Test("an error names a column with an unexpected type")
  func wrongType() async throws {
    try await withDatabase(size: 1) { pool in
      let error = await #expect(throws: PostgresError.self) {
        try await pool.read { session throws(PostgresError) in
          let _: Int32 = try session.run("SELECT 1::bigint AS big").value(0, 0)
        }
      }
      #expect(error?.description.contains("column `big` has type 20") == true)
    }
  }
}
