import Postgres
import ShiftDomain

// Table login_rate_limit: rate limits for login attempts, by account and by origin. One instant per
// subject is enough: each attempt moves `free_at` forward by its cost, at least from now; an
// attempt that would move it further than the allowance must wait. So the first attempts are free,
// then one per interval, whichever instance is asked. Nobody is locked out permanently, and nothing
// has to be reset.

/// The cost of attempts for one subject, and how many are allowed at once.
package struct PressureRule: Hashable, Sendable {
  /// A digest of the subject; 32 bytes.
  package var subject: [UInt8]
  package var cost: TimeSpan
  /// How far ahead attempts may run: `cost` times the number allowed at once.
  package var allowance: TimeSpan

  /// A rule: `free` attempts at once, then one per `cost`.
  package init(subject: [UInt8], free: Int64, cost: TimeSpan) {
    self.subject = subject
    self.cost = cost
    allowance = .milliseconds(cost.milliseconds * free)
  }
}

/// Counts an attempt unless it must wait, and returns how long; `nil`: it was counted. The caller's
/// transaction must be rolled back if it must wait.
package func press(_ rule: PressureRule, now: Instant?, on session: inout Session)
  throws(PostgresError) -> TimeSpan?
{
  // Two statements, because Citus allows nothing time-dependent in an ON CONFLICT.
  let counted = try session.pipeline([
    """
    INSERT INTO login_rate_limit (subject, free_at)
    VALUES (\(rule.subject), \(now: now))
    ON CONFLICT (subject) DO NOTHING
    """,
    """
    UPDATE login_rate_limit
    SET free_at = greatest(free_at, \(now: now))
      + \(rule.cost.milliseconds) * interval '1 millisecond'
    WHERE subject = \(rule.subject)
      AND greatest(free_at, \(now: now))
          + \(rule.cost.milliseconds) * interval '1 millisecond'
        <= \(now: now) + \(rule.allowance.milliseconds) * interval '1 millisecond'
    """,
  ])
  return counted.last == 1 ? nil : try pressure(rule, now: now, on: &session) ?? .seconds(1)
}

/// How long an attempt must wait; `nil`: not at all. Does not count it.
package func pressure(_ rule: PressureRule, now: Instant?, on session: inout Session)
  throws(PostgresError) -> TimeSpan?
{
  let ahead: Int64? = try session.run(
    """
    SELECT ceil(1000 * extract(epoch FROM free_at - \(now: now)))::bigint
    FROM login_rate_limit
    WHERE subject = \(rule.subject)
    """
  ).firstValue()
  guard let ahead else { return nil }
  let wait = TimeSpan.milliseconds(max(ahead, 0)) + rule.cost - rule.allowance
  return wait > .zero ? wait : nil
}

/// Takes back an attempt that was not a guess.
package func relieve(_ rule: PressureRule) -> SQL {
  """
  UPDATE login_rate_limit
  SET free_at = free_at - \(rule.cost.milliseconds) * interval '1 millisecond'
  WHERE subject = \(rule.subject)
  """
}

package func forgive(_ rule: PressureRule) -> SQL {
  "DELETE FROM login_rate_limit WHERE subject = \(rule.subject)"
}

package func deleteOldPressure(now: Instant?) -> SQL {
  "DELETE FROM login_rate_limit WHERE free_at < \(now: now) - interval '1 day'"
}
