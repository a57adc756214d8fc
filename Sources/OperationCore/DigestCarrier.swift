import NotificationQueue
import Postgres
import ShiftDomain
import ShiftStore

/// The employee of `team` to whom a notification for its managers belongs; `nil` if it has none.
/// Until the transaction ends they get no other team and are not erased.
package func heldCarrier(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> EmployeeID?
{
  // The first one may leave while this waits for them: then the next one is the first.
  for _ in 1...3 {
    guard let first = try firstEmployee(of: team, on: &session) else { return nil }
    if try hold(first, on: &session), try firstEmployee(of: team, on: &session) == first {
      return first
    }
  }
  return nil
}
