public protocol PostgresListable: Sendable {
  static var listType: PostgresType { get }
  static func encodeList(_ list: [Self], into buffer: inout ParameterBuffer)
  static func decodeList(_ bytes: Span<UInt8>) -> [Self]?
}

extension PostgresListable where Self: PostgresEncodable & PostgresDecodable {
  @inlinable public static var listType: PostgresType {
    PostgresType(oid: postgresType.listOID, listOID: 0)
  }

  @inlinable public static func encodeList(_ list: [Self], into buffer: inout ParameterBuffer) {
    buffer.append(list: list) { $0 }
  }

  /// Arrays of no or one dimension whose elements are of the type expected.
  public static func decodeList(_ bytes: Span<UInt8>) -> [Self]? {
    guard bytes.count >= 12, let dimensions = bytes.int32(at: 0), dimensions <= 1,
      let type = bytes.int32(at: 8), reads(UInt32(bitPattern: type))
    else { return nil }
    guard dimensions == 1 else { return [] }
    guard let count = bytes.int32(at: 12), count >= 0 else { return nil }
    var list: [Self] = []
    list.reserveCapacity(min(Int(count), bytes.count / 4))
    var start = 20
    for _ in 0..<count {
      guard let length = bytes.int32(at: start) else { return nil }
      start += 4
      guard length >= 0 else {
        guard let null = Self.null else { return nil }
        list.append(null)
        continue
      }
      guard start + Int(length) <= bytes.count,
        let element = Self(postgres: bytes.extracting(start..<start + Int(length)))
      else { return nil }
      list.append(element)
      start += Int(length)
    }
    return list
  }
}

extension Span<UInt8> {
  fileprivate func int32(at start: Int) -> Int32? {
    start + 4 <= count ? Int32(bigEndian: extracting(start..<start + 4)) : nil
  }
}

extension Array: PostgresTyped where Element: PostgresListable {
  /// The array over the element's type, for `unnest` and `= ANY`; `bytea` for bytes.
  @inlinable public static var postgresType: PostgresType { Element.listType }
}

extension Array: PostgresEncodable where Element: PostgresListable {
  @inlinable public func encode(into buffer: inout ParameterBuffer) {
    Element.encodeList(self, into: &buffer)
  }
}

extension Array: PostgresDecodable where Element: PostgresListable {
  /// The whole array; `nil` for one of more than one dimension.
  public init?(postgres bytes: Span<UInt8>) {
    guard let list = Element.decodeList(bytes) else { return nil }
    self = list
  }
}

extension UInt8: PostgresListable {
  public static var listType: PostgresType { .bytea }
  public static func encodeList(_ list: [UInt8], into buffer: inout ParameterBuffer) {
    buffer.append(contentsOf: list)
  }
  public static func decodeList(_ bytes: Span<UInt8>) -> [UInt8]? {
    unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension Array: PostgresListable where Element == UInt8 {}

extension Optional: PostgresTyped where Wrapped: PostgresTyped {
  @inlinable public static var postgresType: PostgresType { Wrapped.postgresType }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  @inlinable public func encode(into buffer: inout ParameterBuffer) {
    switch self {
    case .some(let value): value.encode(into: &buffer)
    case .none: buffer.appendNull()
    }
  }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  @inlinable public static func reads(_ oid: UInt32) -> Bool { Wrapped.reads(oid) }
  @inlinable public static var null: Self? { .some(.none) }
  @inlinable public init?(postgres bytes: Span<UInt8>) {
    guard let value = Wrapped(postgres: bytes) else { return nil }
    self = .some(value)
  }
}

extension Optional: PostgresListable where Wrapped: PostgresValue {}
