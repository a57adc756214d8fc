public import Postgres
public import ShiftDomain

/// The use cases, on one pool of connections. Each method is one transaction, or one read; those
/// for phones stand in `Device….swift`, those for managers and operators in `Office….swift`.
public struct Operations: Sendable {
  let pool: Pool
  let now: @Sendable () -> Instant

  /// - Parameters:
  ///   - pool: Connections to a migrated database.
  ///   - now: The server's clock; tests move their own.
  public init(pool: Pool, now: @escaping @Sendable () -> Instant) {
    self.pool = pool
    self.now = now
  }
}
