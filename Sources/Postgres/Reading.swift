/// Facts that are read with statements, so that one round trip can read several of them.
public protocol Reading {
  /// To be run in order; the results go to `add`.
  var statements: [SQL] { get }
  /// Takes the result of the statement at `position`.
  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError)
}
