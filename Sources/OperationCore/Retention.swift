import Postgres
import ReadModels
import ShiftStore

extension OperationCore {
  package func retention() async throws(OperationError) -> Retention {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.retention(on: &session)
    }
  }
}
