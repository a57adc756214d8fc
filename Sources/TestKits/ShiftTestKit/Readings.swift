import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// What only tests read, because it shows what was stored.

extension InstallationOperations {
  /// Newest first.
  /// - Parameter id: Only entries older than this one.
  package func auditEntries(about employee: EmployeeID?, before id: Int64? = nil, limit: Int)
    async throws(OperationError) -> [AuditEntry]
  {
    try await auditEntries(AuditFilter(about: employee, before: id), limit: limit)
  }
}

extension InsightOperations {
  /// Incidents of `employee`, or of all employees, newest first.
  package func incidents(of employee: EmployeeID?, openOnly: Bool, limit: Int)
    async throws(OperationError) -> [IncidentRow]
  {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.incidents(
        of: employee, number: nil, openOnly: openOnly, limit: Int32(clamping: limit), on: &session)
    }
  }
}
