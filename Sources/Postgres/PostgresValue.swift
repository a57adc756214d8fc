/// A Postgres type by its number in `pg_type`, with the number of its array type.
public struct PostgresType: Hashable, Sendable {
  public let oid: UInt32
  /// The number of its one-dimensional array type; 0 if we bind no such array.
  public let listOID: UInt32

  @usableFromInline init(oid: UInt32, listOID: UInt32) {
    self.oid = oid
    self.listOID = listOID
  }

  public static let boolean = PostgresType(oid: 16, listOID: 1000)
  public static let bytea = PostgresType(oid: 17, listOID: 1001)
  public static let smallint = PostgresType(oid: 21, listOID: 1005)
  public static let integer = PostgresType(oid: 23, listOID: 1007)
  public static let bigint = PostgresType(oid: 20, listOID: 1016)
  public static let doublePrecision = PostgresType(oid: 701, listOID: 1022)
  public static let text = PostgresType(oid: 25, listOID: 1009)
  public static let timestamptz = PostgresType(oid: 1184, listOID: 1185)
}

public protocol PostgresTyped: Sendable {
  /// The type sent with a parameter, so that the server never guesses, and expected of a column.
  static var postgresType: PostgresType { get }
}

/// A value that can be bound, in binary format. A domain type forwards to its raw value.
public protocol PostgresEncodable: PostgresTyped {
  /// Appends the value's bytes, or marks it as NULL or impossible to store.
  func encode(into buffer: inout ParameterBuffer)
}

/// A value that can be read from a result, in Postgres's binary format.
public protocol PostgresDecodable: PostgresTyped {
  /// Whether a column of type `oid` can be read; by default only one of `postgresType`.
  static func reads(_ oid: UInt32) -> Bool
  /// What NULL becomes, or `nil` when NULL is an error. Only Optional has one.
  static var null: Self? { get }
  /// Reads a value that is not NULL; `nil` when the bytes are not one.
  init?(postgres bytes: Span<UInt8>)
}

extension PostgresDecodable {
  public static func reads(_ oid: UInt32) -> Bool { oid == postgresType.oid }
  public static var null: Self? { nil }
}

public typealias PostgresValue = PostgresEncodable & PostgresDecodable
