import NotificationQueue
import OperationCore
import Postgres
import ShiftDomain

/// Lets the digests of `team` wait with another of its employees than the one who has left it. If
/// it has none, they are dropped.
func passOn(_ digests: [ShiftNotification], of team: TeamID, on session: inout Session)
  throws(PostgresError)
{
  guard !digests.isEmpty, let carrier = try heldCarrier(of: team, on: &session) else { return }
  for var digest in digests {
    if digest.isDigestCopy { digest.subject = try nextDigestCopy(of: carrier, on: &session) }
    try session.execute(enqueueOnce(digest, for: carrier))
  }
}
