import Postgres
import ShiftStore

extension OperationCore {
  /// The retention settings.
  package func retention() async throws(OperationError) -> Retention {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.retention(on: &session)
    }
  }
}
