import OperationCore
import Postgres
import ReadModels
import ShiftStore

extension InstallationOperations {
  /// The backups that were recorded, newest first.
  package func backups(limit: Int) async throws(OperationError) -> [InstallationHealth.Backup] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.backups(limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Records that `method` has finished a backup now.
  package func recordBackup(by method: String) async throws(OperationError) {
    guard (1...50).contains(method.unicodeScalars.count) else {
      throw .invalid("the name of the program must have 1 to 50 characters")
    }
    try await core.transact { (session) throws(PostgresError) in
      try ShiftStore.recordBackup(by: method, on: &session)
      return .done(())
    }
  }
}
