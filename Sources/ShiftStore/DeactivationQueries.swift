import Postgres
import ShiftDomain

// Employees who have left: table employee, and what would let them work.

/// Deactivates an employee: revokes all phones, deletes enrolment codes and planned shifts that are
/// not over, and ends absences. The first statement affects no row if the employee is unknown or
/// inactive.
/// INVARIANT: the employee's version is increased first, because tokens are cached with it.
package func deactivate(_ employee: EmployeeID, at now: Instant) -> [SQL] {
  [
    """
    UPDATE employee SET deactivated_at = \(now)
    WHERE employee_id = \(employee.rawValue) AND deactivated_at IS NULL
    """,
    """
    UPDATE device SET revoked_at = \(now)
    WHERE employee_id = \(employee.rawValue) AND revoked_at IS NULL
    """,
    "DELETE FROM enrolment_code WHERE employee_id = \(employee.rawValue)",
    """
    DELETE FROM planned_shift
    WHERE employee_id = \(employee.rawValue) AND ends_at > \(now)
    """,
  ] + endAbsences(of: employee, at: now)
}

/// Affects no row if the employee is unknown or active.
package func reactivate(_ employee: EmployeeID) -> SQL {
  """
  UPDATE employee SET deactivated_at = NULL
  WHERE employee_id = \(employee.rawValue) AND deactivated_at IS NOT NULL
  """
}

/// Whether the employee may work; `true` for an unknown one.
package func isActive(_ employee: EmployeeID, on session: inout Session) throws(PostgresError)
  -> Bool
{
  try session.run(
    """
    SELECT NOT EXISTS (
      SELECT FROM employee
      WHERE employee_id = \(employee.rawValue) AND deactivated_at IS NOT NULL)
    """
  ).value(0, 0)
}
