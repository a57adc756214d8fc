import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

/// Deletes everything stored about an employee but the record of that, in the caller's transaction.
/// - Returns: `false` if another transaction wrote about the employee first: begin again.
package func erase(
  _ employee: EmployeeID, endsShift: Bool, by principal: Principal, at: Instant,
  on session: inout Session
) throws(PostgresError) -> Bool {
  // A concurrent request that opens a shift or reports waits for this row, and then finds none.
  let isHeld =
    endsShift
    ? try bumpVersion(of: employee, on: &session)
    : try bumpVersionOffShift(of: employee, on: &session)
  guard isHeld else { return false }
  try session.pipeline(ShiftStore.erase(employee))
  try audit(.employeeErased, by: principal, at: at, target: employee.rawValue, on: &session)
  return true
}
