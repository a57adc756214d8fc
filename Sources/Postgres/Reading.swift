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
