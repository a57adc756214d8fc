/// Why there is no response, sorted by what the caller can do. Holds no URL and no bytes.
package enum SendingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection: nothing was sent. Retry after a pause.
  case unreachable(detail: String)
  /// The sender's ``Reach`` does not include any address it has: nothing was sent.
  case outOfReach
  /// Time ran out; the other side may have acted. Retry only what is idempotent.
  case deadlineExceeded
  /// The connection broke after the request was begun; the other side may have acted.
  case interrupted(detail: String)
  /// The response is longer than `responseMax`; the other side has acted.
  case responseTooLarge
  /// The task was cancelled; the other side may have acted.
  case cancelled
  /// Cannot be sent like this, for example because of an invalid URL. Never retry.
  case unsendable(detail: String)

  /// Safe to log.
  package var description: String {
    switch self {
    case .unreachable(let detail): "unreachable: \(detail)"
    case .outOfReach: "the host has no address that may be connected to"
    case .deadlineExceeded: "no response within the deadline"
    case .interrupted(let detail): "interrupted: \(detail)"
    case .responseTooLarge: "the response is too large"
    case .cancelled: "cancelled"
    case .unsendable(let detail): "unsendable: \(detail)"
    }
  }
}
