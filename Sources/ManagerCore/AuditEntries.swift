import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package func audit(
  _ action: AuditAction, by principal: Principal, at: Instant, about employee: EmployeeID? = nil,
  target: Int32? = nil, reason: String? = nil, on session: inout Session
) throws(PostgresError) {
  try session.execute(
    auditEntry(action, by: principal, at: at, about: employee, target: target, reason: reason))
}

/// The entry as a statement of the action's pipeline.
package func auditEntry(
  _ action: AuditAction, by principal: Principal, at: Instant, about employee: EmployeeID? = nil,
  in team: TeamID? = nil, shift: Int32? = nil, span: Interval? = nil, target: Int32? = nil,
  reason: String? = nil
) -> SQL {
  insert(
    AuditEntry(
      id: newID(at: at), action, at: at, actor: principal.actor.name, account: principal.account,
      employee: employee, team: team, shift: shift, span: span, target: target, reason: reason))
}
