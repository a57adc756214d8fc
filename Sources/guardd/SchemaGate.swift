import Postgres
import ShiftStore
import Telemetry

/// Keeps the service from starting on an older schema. A newer one is accepted: migrations stay
/// compatible with the previous version, so that instances can be replaced one by one.
struct SchemaGate: Sendable {
  let pool: Pool
  let log: Log

  private static let pause = Duration.seconds(1)

  /// Returns when the database has the schema. Checks once a second and logs each new reason for
  /// waiting. Until then, signals end the process as usual.
  /// - Throws: `MigrationError.unreleased`: waiting would not help.
  func wait() async throws {
    var loggedReason: String?
    while let reason = await whatIsMissing() {
      if reason != loggedReason { log.warning("waiting", ["for": reason]) }
      loggedReason = reason
      try await Task.sleep(for: Self.pause)
    }
    try await checkIsReleased(pool)
  }

  private func whatIsMissing() async -> String? {
    do throws(PostgresError) {
      let version = try await pool.readSnapshot { (session) throws(PostgresError) in
        try schemaVersion(on: &session)
      }
      guard version < schemaVersionWanted else { return nil }
      return "schema \(schemaVersionWanted), the database has \(version): run `guardctl migrate`"
    } catch {
      return "the database: \(error)"
    }
  }
}
