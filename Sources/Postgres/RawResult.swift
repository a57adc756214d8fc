internal import CLibpq

/// One `PGresult`. Not copyable, so `PQclear` runs exactly once.
@safe struct RawResult: ~Copyable {
  private let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { unsafe PQclear(raw) }

  var status: ExecStatusType { unsafe PQresultStatus(raw) }
  var rowCount: Int { unsafe Int(PQntuples(raw)) }
  var columnCount: Int { unsafe Int(PQnfields(raw)) }

  /// Rows the statement wrote or returned; 0 for statements that touch none.
  var affected: Int {
    guard let text = unsafe PQcmdTuples(raw) else { return 0 }
    return unsafe Int(String(cString: text)) ?? 0
  }

  /// The fields of an error report that we look at, by the letters of the protocol.
  enum Field: Character {
    case severity = "V"
    case state = "C"
    case message = "M"
    case constraint = "n"
    case routine = "R"
  }

  /// A field of an error report, empty when the server did not send it.
  func field(_ field: Field) -> String {
    let code = Int32(field.rawValue.asciiValue ?? 0)
    guard let text = unsafe PQresultErrorField(raw, code) else { return "" }
    return unsafe String(cString: text)
  }

  func type(ofColumn column: Int) -> UInt32 { unsafe PQftype(raw, Int32(column)) }

  func name(ofColumn column: Int) -> String {
    guard let text = unsafe PQfname(raw, Int32(column)) else { return "" }
    return unsafe String(cString: text)
  }

  /// Lends the bytes of one value to `body`, or `nil` for NULL.
  func withValue<Result>(
    _ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result? {
    guard unsafe PQgetisnull(raw, Int32(row), Int32(column)) == 0,
      let start = unsafe PQgetvalue(raw, Int32(row), Int32(column))
    else { return nil }
    let length = unsafe Int(PQgetlength(raw, Int32(row), Int32(column)))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}
