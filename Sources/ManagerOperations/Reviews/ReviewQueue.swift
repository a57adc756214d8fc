import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension ManagerOperations {
  /// What waits for the decision of `principal`, at most 200 of each kind.
  package func reviewQueue(for principal: Principal) async throws(OperationError) -> ReviewQueue {
    let (scope, now) = (principal.scope(.coverage), core.now())
    return try await core.read { (session) throws(PostgresError) in
      try ShiftStore.reviewQueue(in: scope, limit: 200, now: now, on: &session)
    }
  }

  /// How many clock actions and shifts wait for the decision of `principal`.
  package func reviewCount(for principal: Principal) async throws(OperationError) -> Int {
    let (scope, now) = (principal.scope(.coverage), core.now())
    return try await core.read { (session) throws(PostgresError) in
      try ShiftStore.reviewCount(in: scope, now: now, on: &session)
    }
  }
}
