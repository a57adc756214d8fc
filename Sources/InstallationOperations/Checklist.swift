import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftStore

extension InstallationOperations {
  /// What is left to set up; `nil` once an administrator has dismissed the list.
  package func checklist() async throws(OperationError) -> Checklist? {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.checklist(on: &session)
    }
  }

  /// Hides the list from all administrators, for good.
  package func dismissChecklist(by principal: Principal) async throws(OperationError) {
    let at = core.now()
    try await core.transact { (session) throws(PostgresError) in
      if try session.execute(ShiftStore.dismissChecklist(at: at)) == 1 {
        try audit(.checklistDismissed, by: principal, at: at, on: &session)
      }
      return .done(())
    }
  }
}
