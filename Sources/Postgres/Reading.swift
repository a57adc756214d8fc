/// Facts that are read with statements, so that one round trip can read several of them.
public protocol Reading {
  /// To be run in order; the results go to `add`.
  var statements: [SQL] { get }
  /// Takes the result of the statement at `position`.
  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError)
}

/// Several readings as one.
public struct Readings<Part: Reading>: Reading {
  public let statements: [SQL]
  /// In the order given.
  public private(set) var parts: [Part]
  /// By position, the part that the statement belongs to, and its position there.
  private let origins: [(part: Int, position: Int)]

  public init(_ parts: [Part]) {
    self.parts = parts
    statements = parts.flatMap(\.statements)
    origins = parts.enumerated().flatMap { part, reading in
      reading.statements.indices.map { (part, $0) }
    }
  }

  public mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    let origin = origins[position]
    try parts[origin.part].add(origin.position, rows)
  }
}

/// What one statement finds, as a value.
public struct Query<Value: Sendable>: Reading, Sendable {
  public let statements: [SQL]
  private let decode: @Sendable (consuming Rows) throws(PostgresError) -> Value
  private var found: Value?

  public init(
    _ statement: SQL, _ decode: @escaping @Sendable (consuming Rows) throws(PostgresError) -> Value
  ) {
    statements = [statement]
    self.decode = decode
  }

  /// Nothing needs to be read.
  public init(known value: Value) {
    statements = []
    decode = { _ in value }
    found = value
  }

  public mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    found = try decode(rows)
  }

  /// The same, as another value.
  public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Query<Other> {
    guard let statement = statements.first else { return Query<Other>(known: transform(value)) }
    let decode = decode
    return Query<Other>(statement) { (rows) throws(PostgresError) in transform(try decode(rows)) }
  }

  /// Only after it was run.
  public var value: Value {
    guard let found else { preconditionFailure("a query that was not run has no value") }
    return found
  }
}

/// Readings of different kinds as one.
public struct Batch: Reading {
  /// Where a reading is found afterwards.
  public struct Place<Part: Reading>: Sendable {
    fileprivate let index: Int
  }

  public private(set) var statements: [SQL] = []
  private var parts: [any Reading] = []
  /// By position, the part that the statement belongs to, and its position there.
  private var origins: [(part: Int, position: Int)] = []

  public init() {}

  public mutating func append<Part: Reading>(_ reading: Part) -> Place<Part> {
    statements += reading.statements
    origins += reading.statements.indices.map { (parts.count, $0) }
    parts.append(reading)
    return Place(index: parts.count - 1)
  }

  public mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    let origin = origins[position]
    try parts[origin.part].add(origin.position, rows)
  }

  public subscript<Part>(place: Place<Part>) -> Part {
    guard let part = parts[place.index] as? Part else {
      preconditionFailure("a place of another batch")
    }
    return part
  }

  public subscript<Value>(place: Place<Query<Value>>) -> Value {
    (self[place] as Query<Value>).value
  }
}
