/// What ended an exchange with the server, sorted by the state of the connection.
enum Failure: Error {
  case lost(detail: String)
  /// The task was cancelled; if something was sent already, the connection is out of step.
  case cancelled
  /// The server refused statement number `position` of the batch; the connection is in step.
  case refused(Refusal, position: Int)
  /// We refused to send, or a caller's decoder threw; the connection is in step.
  case ours(PostgresError)

  /// Lost without a message from the server. libpq's own message is not repeated: after a failed
  /// statement it quotes the server's message, values included.
  static let brokenLine = Failure.lost(detail: "connection lost")

  static let late = Failure.ours(.unavailable(detail: "deadline passed"))

  /// Why a connection could not be opened.
  var reason: String {
    guard case .unavailable(let detail) = error else { return "\(error)" }
    return detail
  }

  var error: PostgresError {
    switch self {
    case .lost(let detail): .unavailable(detail: detail)
    case .cancelled: .cancelled
    case .refused(let refusal, _): refusal.error
    case .ours(let error): error
    }
  }
}

/// A server's error report, without parts that may contain values of rows.
struct Refusal {
  let state: SQLState
  /// The server says that it closes the connection.
  let isFatal: Bool
  private let constraint: String
  private let message: String
  private let routine: String

  init(_ result: borrowing RawResult) {
    state = SQLState(rawValue: result.field(.state))
    isFatal = ["FATAL", "PANIC"].contains(result.field(.severity))
    message = result.field(.message)
    let named = result.field(.constraint)
    constraint = named.isEmpty ? Self.shardConstraint(in: message) : Self.withoutShard(named)
    routine = result.field(.routine)
  }

  /// A coordinator of Citus passes on a worker's message, but not its other fields, and sometimes
  /// not even its state. English, as in worker nodes with `lc_messages = C`.
  static func shardConstraint(in message: String) -> String {
    let parts = message.split(separator: "constraint \"", maxSplits: 1)
    guard parts.count == 2, parts[0].contains(" violates ") else { return "" }
    return withoutShard(String(parts[1].prefix { $0 != "\"" }))
  }

  /// Whether a coordinator of Citus has lost a worker, which it often reports without a state.
  private var isLostNode: Bool {
    ["connection", "failed to execute task"].contains { message.contains($0) }
  }

  /// Citus adds the number of the shard to the name of a constraint: `shift_pk_102008`.
  static func withoutShard(_ name: String) -> String {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits >= 6, name.dropLast(digits).hasSuffix("_") else { return name }
    return String(name.dropLast(digits + 1))
  }

  /// Preparing the statement again helps. The message says so too, but in the server's language.
  var isStaleStatement: Bool {
    state == .invalidStatementName
      || (state == .featureNotSupported && routine == "RevalidateCachedQuery")
  }

  var error: PostgresError {
    if isFatal { return .unavailable(detail: "server closed the connection (\(state))") }
    if isStaleStatement { return .retryTransaction(state) }
    switch state {
    case .serializationFailure, .deadlockDetected, .lockNotAvailable:
      return .retryTransaction(state)
    case .queryCanceled: return .unavailable(detail: "server ended the statement (\(state))")
    case .readOnlyTransaction, .idleInTransactionTimeout:
      return .unavailable(detail: "server refuses the transaction (\(state))")
    default: break
    }
    switch state.category {
    case "53": return .unavailable(detail: "\(shortage) (\(state))")
    case "08": return .nodeUnavailable
    case "57", "58": return .unavailable(detail: "server is unavailable (\(state))")
    case "23", "XX":
      if !constraint.isEmpty { return .constraint(name: constraint) }
      if isLostNode { return .nodeUnavailable }
      return .broken(state, detail: safeMessage)
    default: return .broken(state, detail: safeMessage)
    }
  }

  /// What the server has run out of, for a state of class 53.
  private var shortage: String {
    switch state {
    case .diskFull: "server's disk is full"
    case .outOfMemory: "server is out of memory"
    case .tooManyConnections: "server has no connection left"
    default: "server is short of resources"
    }
  }

  /// The server's message if it can only name objects of the schema: values are sent separately
  /// from the text of a statement, but data errors (class 22), constraints and `RAISE` quote them.
  private var safeMessage: String {
    ["42", "0A", "25", "26", "3D", "3F"].contains(state.category) ? message : "(text withheld)"
  }
}
