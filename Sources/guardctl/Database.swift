import CommandParsing
import ManagerOperations
import Postgres
import ShiftStore

extension Program {
  /// Runs `body` with the database that the command line or the environment names.
  /// - Parameter hasSchema: Whether `body` needs the newest schema.
  func withDatabase(
    _ call: Invocation, hasSchema: Bool, _ body: @Sendable (Pool) async throws -> any Answer
  ) async throws(Complaint) -> any Answer {
    guard let url = call.parsed.string("database"), !url.isEmpty else {
      throw .usage("no database given: use `--database URL` or set SHIFTGUARD_DATABASE")
    }
    let place: ConnectionConfiguration
    do throws(PostgresError) {
      place = try ConnectionConfiguration(url, applicationName: "guardctl")
    } catch {
      // The URL may hold a password, so it is not repeated.
      throw .usage("the database URL is invalid: write `postgresql://HOST/DATABASE`")
    }
    let pool = Pool(place, size: 1, waitersMax: 0)
    let outcome: Result<any Answer, Complaint>
    do {
      outcome = .success(try await body(pool))
    } catch {
      let complaint = guardctl.complaint(of: error, at: place)
      // A statement that fails on another schema version only looks like a bug.
      let schema =
        hasSchema && complaint.status == .broken ? await schemaComplaint(from: pool) : nil
      outcome = .failure(schema ?? complaint)
    }
    await pool.close()
    return try outcome.get()
  }

  private func schemaComplaint(from pool: Pool) async -> Complaint? {
    let version = try? await pool.read { (session) throws(PostgresError) in
      try schemaVersion(on: &session)
    }
    guard let version, version != schemaVersionWanted else { return nil }
    let remedy =
      version < schemaVersionWanted
      ? "run `guardctl migrate`" : "use the guardctl that matches the running guardd"
    return Complaint(
      status: .unavailable,
      text: """
        the database schema is version \(version), guardctl needs \(schemaVersionWanted): \
        \(remedy)
        """)
  }
}
