import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension OperationCore {
  /// The visits of a shift to sites of the employee's team, by arrival; none while it is open.
  package func siteVisits(of shift: ShiftRow) async throws(OperationError) -> [SiteVisit] {
    guard shift.endedAt != nil else { return [] }
    return try await read { (session) throws(PostgresError) in
      try visits(of: [shift.shift], on: &session)[shift.shift] ?? []
    }
  }
}
