import CommandParsing
import Foundation
import JSONText
import Postgres
import ShiftStore

extension Program {
  /// Runs `body` with the database.
  /// - Parameter hasSchema: Whether `body` needs the newest schema.
  func withDatabase(
    _ call: Invocation, hasSchema: Bool, _ body: @Sendable (Pool) async throws -> any Answer
  ) async throws(Complaint) -> any Answer {
    let place = try database(call)
    let pool = Pool(place, size: 1, waitersMax: 1)
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

  /// The database that the command line, the environment or the settings of this machine's `guardd`
  /// name.
  func database(_ call: Invocation) throws(Complaint) -> ConnectionConfiguration {
    let given = call.parsed.string("database").flatMap { $0.isEmpty ? nil : $0 }
    // Settings belong together: those of `guardd` are not for another database.
    let installed = given == nil ? call.readSettings?.values : nil
    guard let url = given ?? installed?.string("database") else {
      throw .usage(
        """
        no database given: use `--database URL`, set SHIFTGUARD_DATABASE, or run this as a user \
        who may read \(settingsFile)
        """)
    }
    do throws(PostgresError) {
      var place = try ConnectionConfiguration(url, applicationName: "guardctl")
      place.isPooled = installed?.flag("pooler") ?? (environment["SHIFTGUARD_POOLER"] == "yes")
      let password = installed?.string("database-password")
      return password.flatMap(contents).map { place.password($0.filter { !$0.isNewline }) } ?? place
    } catch {
      // The URL may hold a password, so it is not repeated.
      throw .usage("the database URL is invalid: write `postgresql://HOST/DATABASE`")
    }
  }

  private func contents(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func schemaComplaint(from pool: Pool) async -> Complaint? {
    let version = try? await pool.readSnapshot { (session) throws(PostgresError) in
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
