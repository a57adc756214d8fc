import Lifecycle

/// The state of the database's reachability, shared by all connections of a pool.
final class Reachability: Sendable {
  private let backoff = Lock(Backoff())

  /// Throws `.unavailable` at once while the pause after a failure to connect lasts.
  func claimAttempt() throws(PostgresError) {
    guard backoff.withLock({ $0.mayTry(at: .now) }) else {
      throw .unavailable(detail: "database could not be reached a moment ago")
    }
  }

  func succeeded() { backoff.withLock { $0.succeeded() } }

  func gaveUp() { backoff.withLock { $0.gaveUp() } }

  func failed() {
    let chance = Double.random(in: 0...1)
    backoff.withLock { $0.failed(at: .now, chance: chance) }
  }
}
