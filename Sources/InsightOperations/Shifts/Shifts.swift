import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  package func coverage(of shift: ShiftID) async throws(OperationError) -> ShiftCoverage {
    let asOf = core.now()
    let found = try await core.readSnapshot { (session) throws(PostgresError) in
      try exactCoverage(of: shift, asOf: asOf, on: &session)
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }

  /// Shifts of `employee`, or of all employees, newest first.
  package func shifts(of employee: EmployeeID?, openOnly: Bool, limit: Int)
    async throws(OperationError) -> [ShiftRow]
  {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.shifts(
        of: employee, openOnly: openOnly, limit: Int32(clamping: limit), on: &session
      )
    }
  }

  package func shift(_ shift: ShiftID) async throws(OperationError) -> ShiftRow {
    let record = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.shift(shift, on: &session)
    }
    guard let record else { throw .shiftNotFound(shift) }
    return record
  }

  package func shiftDetails(of shift: ShiftID) async throws(OperationError) -> ShiftDetails {
    try await core.shiftDetails(of: shift)
  }

  package func incident(_ incident: IncidentID) async throws(OperationError) -> IncidentRow {
    let records = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.incidents(
        of: incident.employee, number: incident.number, openOnly: false, limit: 1, on: &session)
    }
    guard let record = records.first else {
      throw .notFound("incident \(incident.number) of employee \(incident.employee.rawValue)")
    }
    return record
  }
}
