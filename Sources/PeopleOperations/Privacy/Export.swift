import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The export of everything stored about an employee.
package struct EmployeeCopy: Hashable, Sendable {
  package var employee: EmployeeID
  package var asOf: Instant
  /// Each table's rows, without secrets that would allow acting as them.
  package var tables: [TableCopy]
  /// Their positions once more, in order.
  package var fixes: [FixRow]
}

extension PeopleOperations {
  /// Exports everything stored about an employee. The export is recorded in the audit log, which
  /// they can read, and which is part of the export.
  package func copy(_ employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> EmployeeCopy
  {
    let at = core.now()
    // In its own transaction, because reports of the employee wait for it.
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try session.run(lockAgainstErasure(of: employee)).count == 1 else {
        return .refused(.employeeNotFound(employee))
      }
      try audit(.employeeExported, by: principal, at: at, about: employee, on: &session)
      return .done(true)
    }
    let core = core.using(heavyReads.pool)
    return try await core.transact(within: HeavyReads.spanMax) {
      (session) throws(PostgresError) in
      guard try ShiftStore.team(of: employee, on: &session) != nil else {
        return .refused(.employeeNotFound(employee))
      }
      return .done(
        EmployeeCopy(
          employee: employee, asOf: at, tables: try copies(of: employee, on: &session),
          fixes: try ShiftStore.fixes(of: employee, on: &session)))
    }
  }
}
