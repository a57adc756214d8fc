/// Postgres's five-character error code.
/// - Source: https://www.postgresql.org/docs/15/errcodes-appendix.html
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// Five letters and digits, for example `40001`.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  var category: Substring { rawValue.prefix(2) }

  public static let serializationFailure = SQLState(rawValue: "40001")
  public static let deadlockDetected = SQLState(rawValue: "40P01")
  /// A lock was not available within `lock_timeout` or with `NOWAIT`.
  public static let lockNotAvailable = SQLState(rawValue: "55P03")
  /// The schema changed under a prepared statement.
  public static let featureNotSupported = SQLState(rawValue: "0A000")
  /// The session no longer has a prepared statement.
  public static let invalidStatementName = SQLState(rawValue: "26000")
  /// The server ended a statement because of `statement_timeout` or on request.
  public static let queryCanceled = SQLState(rawValue: "57014")
  public static let diskFull = SQLState(rawValue: "53100")
  public static let outOfMemory = SQLState(rawValue: "53200")
  public static let tooManyConnections = SQLState(rawValue: "53300")
  /// The server accepts no writes, because it became a standby.
  public static let readOnlyTransaction = SQLState(rawValue: "25006")
  /// The server ended a session that kept a transaction open without using it.
  public static let idleInTransactionTimeout = SQLState(rawValue: "25P03")
}
