public import ShiftDomain

/// An identifier, stored as its number.
public protocol PostgresIdentifier: PostgresDecodable {
  associatedtype Number: PostgresDecodable
  init(_ number: Number)
}

extension PostgresIdentifier {
  @inlinable public static var postgresType: PostgresType { Number.postgresType }
  @inlinable public init?(postgres bytes: Span<UInt8>) {
    guard let number = Number(postgres: bytes) else { return nil }
    self.init(number)
  }
}

extension AccountID: PostgresIdentifier {}
extension EmployeeID: PostgresIdentifier {}
extension ReportID: PostgresIdentifier {}
extension SessionID: PostgresIdentifier {}
extension TeamID: PostgresIdentifier {}

extension TimeSpan: PostgresDecodable {
  /// Milliseconds as an `integer`.
  public static var postgresType: PostgresType { .integer }
  public static func reads(_ oid: UInt32) -> Bool { Int32.reads(oid) || Int64.reads(oid) }
  public init?(postgres bytes: Span<UInt8>) {
    guard let milliseconds = Int32(postgres: bytes).map({ Int64($0) }) ?? Int64(postgres: bytes)
    else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

extension FindingSet: PostgresDecodable {
  public static var postgresType: PostgresType { .integer }
  public init?(postgres bytes: Span<UInt8>) {
    guard let bits = UInt32(bigEndian: bytes) else { return nil }
    self.init(rawValue: bits)
  }
}

extension DeviceID {
  public init(from row: inout RowReader) throws(PostgresError) {
    self.init(employee: try row.next(), number: try row.next())
  }
}

extension IncidentID {
  public init(from row: inout RowReader) throws(PostgresError) {
    self.init(employee: try row.next(), number: try row.next())
  }
}

extension ShiftID {
  public init(from row: inout RowReader) throws(PostgresError) {
    self.init(employee: try row.next(), number: try row.next())
  }
}
