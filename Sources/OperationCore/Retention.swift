import Postgres
import ReadModels
import ShiftStore

extension OperationCore {
  /// The retention settings.
  /// - Throws: `.unavailable`, `.broken`.
  package func retention() async throws(OperationError) -> Retention {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.retention(on: &session)
    }
  }
}
