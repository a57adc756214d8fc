public import ShiftDomain

extension FixedWidthInteger {
  /// The number in `bytes`, most significant byte first; `nil` unless the width fits exactly.
  init?(bigEndian bytes: Span<UInt8>) {
    guard bytes.count == Self.bitWidth / 8 else { return nil }
    var number: Self = 0
    for index in bytes.indices { number = number << 8 | Self(truncatingIfNeeded: bytes[index]) }
    self = number
  }
}

extension Bool: PostgresValue, PostgresListable {
  @inlinable public static var postgresType: PostgresType { .boolean }
  @inlinable public func encode(into buffer: inout ParameterBuffer) {
    buffer.append(UInt8(self ? 1 : 0))
  }
  /// Any byte but 0 is true.
  public init?(postgres bytes: Span<UInt8>) {
    guard let byte = UInt8(bigEndian: bytes) else { return nil }
    self = byte != 0
  }
}

extension Int16: PostgresValue, PostgresListable {
  @inlinable public static var postgresType: PostgresType { .smallint }
  @inlinable public func encode(into buffer: inout ParameterBuffer) { buffer.append(self) }
  public init?(postgres bytes: Span<UInt8>) { self.init(bigEndian: bytes) }
}

extension Int32: PostgresValue, PostgresListable {
  @inlinable public static var postgresType: PostgresType { .integer }
  @inlinable public func encode(into buffer: inout ParameterBuffer) { buffer.append(self) }
  public init?(postgres bytes: Span<UInt8>) { self.init(bigEndian: bytes) }
}

extension Int64: PostgresValue, PostgresListable {
  @inlinable public static var postgresType: PostgresType { .bigint }
  @inlinable public func encode(into buffer: inout ParameterBuffer) { buffer.append(self) }
  public init?(postgres bytes: Span<UInt8>) { self.init(bigEndian: bytes) }
}

extension Double: PostgresValue, PostgresListable {
  @inlinable public static var postgresType: PostgresType { .doublePrecision }
  @inlinable public func encode(into buffer: inout ParameterBuffer) { buffer.append(bitPattern) }
  public init?(postgres bytes: Span<UInt8>) {
    guard let bits = UInt64(bigEndian: bytes) else { return nil }
    self.init(bitPattern: bits)
  }
}

extension String: PostgresValue, PostgresListable {
  public static var postgresType: PostgresType { .text }
  /// UTF-8. Postgres cannot store U+0000, so such a text is refused before it is sent.
  public func encode(into buffer: inout ParameterBuffer) {
    guard !utf8.contains(0) else { return buffer.refuse("text holds U+0000") }
    buffer.append(contentsOf: utf8)
  }
  /// `text`, `varchar`, `char(n)` and `name` alike.
  public static func reads(_ oid: UInt32) -> Bool { [25, 1043, 1042, 19].contains(oid) }
  public init?(postgres bytes: Span<UInt8>) {
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else { return nil }
    self = text
  }
}

extension Instant: PostgresValue, PostgresListable {
  // Postgres counts microseconds from 2000-01-01 and knows 4713 BC to 294276 AD.
  @inlinable static var epoch: Instant { Instant(milliseconds: 946_684_800_000) }
  @inlinable static var earliest: Int64 { -211_813_488_000_000_000 }
  @inlinable static var latest: Int64 { 9_223_371_331_199_999_000 }

  @inlinable public static var postgresType: PostgresType { .timestamptz }

  /// Clamped to what Postgres can store; never `infinity`, which it cannot subtract.
  @inlinable public func encode(into buffer: inout ParameterBuffer) {
    let sinceEpoch = (self - Self.epoch).milliseconds
    let (product, overflow) = sinceEpoch.multipliedReportingOverflow(by: 1_000)
    let microseconds = overflow ? (sinceEpoch < 0 ? .min : .max) : product
    buffer.append(min(max(microseconds, Self.earliest), Self.latest))
  }

  /// Rounds down to whole milliseconds; `infinity` and `-infinity` become the ends of `Instant`.
  public init?(postgres bytes: Span<UInt8>) {
    guard let microseconds = Int64(bigEndian: bytes) else { return nil }
    switch microseconds {
    case .max: self.init(milliseconds: .max)
    case .min: self.init(milliseconds: .min)
    default:
      let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
      let sinceEpoch = TimeSpan(milliseconds: rest < 0 ? whole - 1 : whole)
      self = Self.epoch + sinceEpoch
    }
  }
}
