import Lifecycle

/// The state of the database's reachability, shared by all connections of a pool.
final class Reachability: Sendable {
  private let backoff = Lock(Backoff())
  /// Why the last attempt to connect failed.
  private let lastReason = Lock("no attempt yet")
  private let lastServer = Lock(0)

  /// The number of the server that accepted the last connection: the one to try first.
  var server: Int { lastServer.withLock { $0 } }

  /// Throws the reason of the last failure at once while the pause after it lasts.
  func claimAttempt() throws(PostgresError) {
    guard backoff.withLock({ $0.mayTry(at: .now) }) else {
      throw .unavailable(detail: lastReason.withLock { $0 })
    }
  }

  func succeeded(with server: Int) {
    backoff.withLock { $0.succeeded() }
    lastServer.withLock { $0 = server }
  }

  func gaveUp() { backoff.withLock { $0.gaveUp() } }

  func failed(because reason: String) {
    lastReason.withLock { $0 = reason }
    let chance = Double.random(in: 0...1)
    backoff.withLock { $0.failed(at: .now, chance: chance) }
  }
}
