/// What went wrong with Postgres, sorted by what the caller can do about it. No case contains
/// values of rows or parameters or a password, so each is safe to log.
public enum PostgresError: Error, Hashable, Sendable {
  /// No usable connection, or no answer in time. Nothing was committed: try again after a pause.
  case unavailable(detail: String)
  /// A conflict with another transaction. Nothing was committed: run the whole transaction again.
  case retryTransaction(SQLState)
  /// A named constraint refused a row. Nothing was committed: map the name to an answer.
  case constraint(name: String)
  /// A parameter that Postgres cannot store (U+0000 in text). Nothing was sent.
  case unstorable(detail: String)
  /// The connection was lost after `COMMIT` was sent: it may or may not be committed.
  case outcomeUnknown
  /// The task was cancelled. Nothing was committed.
  case cancelled
  /// A bug of ours, or an unexpected schema: never retry.
  case broken(SQLState?, detail: String)
}

extension PostgresError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let detail): "database unavailable: \(detail)"
    case .retryTransaction(let state): "transaction conflicts with another one (\(state))"
    case .constraint(let name): "constraint `\(name)` refused a row"
    case .unstorable(let detail): "value cannot be stored: \(detail)"
    case .outcomeUnknown: "connection lost while committing, outcome unknown"
    case .cancelled: "database work cancelled"
    case .broken(let state?, let detail): "database statement failed (\(state)): \(detail)"
    case .broken(nil, let detail): "database statement failed: \(detail)"
    }
  }
}

extension PostgresError {
  /// A server that answers, but says that it has lost a connection: a coordinator of Citus whose
  /// worker is away. Statements about rows on other workers go on.
  public static let nodeUnavailable = unavailable(detail: "a node of the database is unavailable")
}
