import OperationCore
import Postgres
import ReadModels
import ShiftStore

extension InstallationOperations {
  package func status() async throws(OperationError) -> InstallationStatus {
    try await core.readSnapshot { (session) throws(PostgresError) in
      let version = try schemaVersion(on: &session)
      return InstallationStatus(
        schemaVersion: version, schemaWanted: schemaVersionWanted,
        counts: version == schemaVersionWanted ? try installationCounts(on: &session) : nil)
    }
  }
}
