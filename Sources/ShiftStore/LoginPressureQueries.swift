public import Postgres
public import ShiftDomain

// Table login_pressure: who is guessed at, and who guesses. One instant a subject says it all: each
// try moves `free_at` on by what it costs, from now at least; who would move it further than the
// allowance must wait. So the first tries are free, then one in a while, whatever instance is
// asked; nobody is ever shut out for good, and nothing has to be reset.

/// What tries at one subject cost, and how many there may be at once.
public struct PressureRule: Hashable, Sendable {
  /// A digest of what is counted; 32 bytes.
  public var subject: [UInt8]
  /// After the first ones, a try in this time.
  public var cost: TimeSpan
  /// How far ahead tries may run; `cost` times how many may come at once.
  public var allowance: TimeSpan

  /// A rule: `free` tries at once, then one in `cost`.
  public init(subject: [UInt8], free: Int64, cost: TimeSpan) {
    self.subject = subject
    self.cost = cost
    allowance = .milliseconds(cost.milliseconds * free)
  }
}

/// Counts a try, unless it must wait. In the caller's transaction, which is to be undone when it
/// must.
/// - Returns: How long to wait; `nil`: it counts.
public func press(_ rule: PressureRule, now: Instant?, on session: inout Session)
  throws(PostgresError) -> TimeSpan?
{
  // Two statements, for Citus wants nothing that depends on the time in an ON CONFLICT.
  let counted = try session.pipeline([
    """
    INSERT INTO login_pressure (subject, free_at)
    VALUES (\(rule.subject), coalesce(\(now), now()))
    ON CONFLICT (subject) DO NOTHING
    """,
    """
    UPDATE login_pressure
    SET free_at = greatest(free_at, coalesce(\(now), now()))
      + \(rule.cost.milliseconds) * interval '1 millisecond'
    WHERE subject = \(rule.subject)
      AND greatest(free_at, coalesce(\(now), now()))
          + \(rule.cost.milliseconds) * interval '1 millisecond'
        <= coalesce(\(now), now()) + \(rule.allowance.milliseconds) * interval '1 millisecond'
    """,
  ])
  return counted.last == 1 ? nil : try pressure(rule, now: now, on: &session) ?? .seconds(1)
}

/// How long a try must wait; `nil`: not at all. Counts nothing.
public func pressure(_ rule: PressureRule, now: Instant?, on session: inout Session)
  throws(PostgresError) -> TimeSpan?
{
  let rows = try session.run(
    """
    SELECT ceil(1000 * extract(epoch FROM free_at - coalesce(\(now), now())))::bigint
    FROM login_pressure
    WHERE subject = \(rule.subject)
    """)
  guard rows.count == 1 else { return nil }
  let ahead: Int64 = try rows.value(0, 0)
  let wait = TimeSpan.milliseconds(max(ahead, 0)) + rule.cost - rule.allowance
  return wait > .zero ? wait : nil
}

/// Takes a try back that was no guess.
public func relieve(_ rule: PressureRule) -> SQL {
  """
  UPDATE login_pressure
  SET free_at = free_at - \(rule.cost.milliseconds) * interval '1 millisecond'
  WHERE subject = \(rule.subject)
  """
}

/// Forgives all tries at a subject.
public func forgive(_ rule: PressureRule) -> SQL {
  "DELETE FROM login_pressure WHERE subject = \(rule.subject)"
}

/// Forgets subjects that nobody has tried for a day.
public func deleteOldPressure(now: Instant?) -> SQL {
  "DELETE FROM login_pressure WHERE free_at < coalesce(\(now), now()) - interval '1 day'"
}
