import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The names of what audit entries are about. What was deleted since has none.
package struct AuditNames: Hashable, Sendable {
  package var employees: [EmployeeID: String] = [:]
  package var teams: [TeamID: String] = [:]
  package var accounts: [AccountID: String] = [:]
  package var tokens: [Int32: String] = [:]

  package init() {}
}

extension InstallationOperations {
  /// Newest first.
  /// - Throws: `.notFound` for an unknown employee.
  package func auditEntries(_ filter: AuditFilter, limit: Int)
    async throws(OperationError) -> [AuditEntry]
  {
    try await core.list(of: filter.employee) { (session) throws(PostgresError) in
      try ShiftStore.auditEntries(filter, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// The current names of what `entries` are about.
  package func names(in entries: [AuditEntry]) async throws(OperationError) -> AuditNames {
    let employees = Set(entries.compactMap(\.employee)).sorted { $0.rawValue < $1.rawValue }
    return try await core.readSnapshot { (session) throws(PostgresError) in
      var names = AuditNames()
      for row in try employeeProfiles(employees, on: &session) {
        names.employees[row.employee] = row.name
      }
      for row in try ShiftStore.teams(withPractice: true, on: &session) {
        names.teams[row.team] = row.name
      }
      for record in try ShiftStore.accounts(on: &session) {
        names.accounts[record.row.account] = record.row.settings.name
      }
      for record in try ShiftStore.apiTokens(number: nil, on: &session) {
        names.tokens[record.row.number] = record.row.name
      }
      return names
    }
  }
}
