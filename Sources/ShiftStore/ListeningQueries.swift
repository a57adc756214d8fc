import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables heartbeat and outage: when the service was available. Small, the same on every node.

/// The current time, and each instance's last heartbeat. `now` is the clock of deadlines.
package func listening(at now: Instant?, on session: inout Session) throws(PostgresError)
  -> (now: Instant, beats: [Instant])
{
  try session.run(
    "SELECT \(now: now), coalesce((SELECT array_agg(beat_at) FROM heartbeat), '{}')"
  ).one { (row) throws(PostgresError) in (now: try row.next(), beats: try row.next()) }
}

/// The database's time, or that of the clock of deadlines if it is another.
package func presentTime(at fixedNow: Instant?, on session: inout Session) throws(PostgresError)
  -> Instant
{
  try session.run("SELECT coalesce(\(fixedNow), clock_timestamp())").value(0, 0)
}

/// The connections allowed to ordinary roles, and how many of them are free. A role without rights
/// does not see what kind others' sessions are, but the server's own have no user.
package func connectionLimits(on session: inout Session) throws(PostgresError)
  -> (allowed: Int, free: Int)
{
  try session.run(
    """
    SELECT allowed, allowed - (SELECT count(*) FROM pg_stat_activity
      WHERE usesysid IS NOT NULL
        AND coalesce(backend_type, 'client backend') = 'client backend')::integer
    FROM (SELECT current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer) AS setting (allowed)
    """
  ).one { (row) throws(PostgresError) in
    let (allowed, free): (Int32, Int32) = (try row.next(), try row.next())
    return (Int(allowed), Int(free))
  }
}

/// The names of settings that this session should have and has not: UTC, and limits that end what a
/// lost client has begun.
package func missingSessionSettings(on session: inout Session) throws(PostgresError) -> [String] {
  try session.run(
    """
    SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM pg_settings
    WHERE name = 'TimeZone' AND setting <> 'UTC' OR setting = '0' AND name IN (
      'client_connection_check_interval', 'idle_in_transaction_session_timeout',
      'statement_timeout')
    """
  ).value(0, 0)
}

/// Stores that everything `instance` had received by `instant` is stored. The later of two counts.
package func beat(of instance: Int64, _ version: String?, at instant: Instant) -> SQL {
  """
  INSERT INTO heartbeat AS known (instance_id, beat_at, version)
  VALUES (\(instance), \(instant), \(version))
  ON CONFLICT (instance_id) DO UPDATE SET beat_at = greatest(known.beat_at, excluded.beat_at)
  """
}

package func markStopped(_ instance: Int64) -> SQL {
  "UPDATE heartbeat SET stopped = true WHERE instance_id = \(instance)"
}

package func deleteHeartbeats(before instant: Instant) -> SQL {
  "DELETE FROM heartbeat WHERE beat_at < \(instant)"
}

/// Stores an outage, once for all instances that found it since the same moment. Violates
/// `outage_spans_disjoint` if a concurrent heartbeat was not seen: the next attempt sees it.
package func insertOutage(from start: Instant, to end: Instant) -> SQL {
  """
  INSERT INTO outage AS known (started_at, ended_at) VALUES (\(start), \(end))
  ON CONFLICT (started_at) DO UPDATE SET ended_at = greatest(known.ended_at, excluded.ended_at)
  """
}

/// Those that lie within the time from `start` to `end`.
package func deleteOutages(from start: Instant, to end: Instant) -> SQL {
  "DELETE FROM outage WHERE started_at >= \(start) AND ended_at <= \(end)"
}

package func deleteOutages(before instant: Instant) -> SQL {
  "DELETE FROM outage WHERE ended_at < \(instant)"
}

/// The outages that intersect the time from `start` to `end`, not clipped.
package func outages(from start: Instant, to end: Instant, on session: inout Session)
  throws(PostgresError) -> IntervalSet
{
  try session.value(of: outages(from: start, to: end))
}

package func outages(from start: Instant, to end: Instant) -> Query<IntervalSet> {
  Query(selectOutages(from: start, to: end)) { (rows) throws(PostgresError) in
    IntervalSet(try rows.map(Interval.init(from:)))
  }
}

/// The outages that may concern open shifts, not clipped. Older ones are before every open shift.
package func recentOutages(at now: Instant, on session: inout Session) throws(PostgresError)
  -> IntervalSet
{
  try outages(from: now - .hours(48), to: now, on: &session)
}

/// The outages, not clipped, of the time in which shifts of these days may be.
func selectOutages(touching days: [TeamDay]) -> SQL {
  selectOutages(from: days.earliestBegin, to: Instant(milliseconds: .max))
}

private func selectOutages(from start: Instant, to end: Instant) -> SQL {
  """
  SELECT started_at, ended_at FROM outage
  WHERE ended_at > \(start) AND started_at < \(end)
  ORDER BY started_at
  """
}
