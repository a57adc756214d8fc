import Postgres
import ReadModels
import ShiftDomain

// What the server says about itself, and table heartbeat.

/// The server's version and time, the size of the database and its folder, whether it only reads,
/// and its log archive.
func selectServerHealth() -> SQL {
  """
  SELECT current_setting('server_version'), clock_timestamp(),
    pg_database_size(current_database()),
    CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE')
      THEN current_setting('data_directory') END,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean,
    current_setting('archive_mode') <> 'off', last_archived_time, last_failed_time
  FROM pg_stat_archiver
  """
}

/// The heartbeats of instances, newest first.
func selectBeats() -> SQL {
  """
  SELECT instance_id, beat_at, version, stopped FROM heartbeat ORDER BY beat_at DESC LIMIT 100
  """
}

/// The end of the last weekly partition of pings.
func selectLastPingWeek() -> SQL {
  """
  SELECT max(substring(pg_get_expr(week.relpartbound, week.oid) FROM 'TO \\(''([^'']+)''\\)')
    ::timestamptz)
  FROM pg_inherits JOIN pg_class AS week ON week.oid = inhrelid
  WHERE inhparent = 'ping'::regclass
  """
}

/// Whether employees have a privacy notice to read.
func selectHasPrivacyNotice() -> SQL { "SELECT EXISTS (SELECT FROM privacy_notice)" }

/// The teams that have employees and no contact.
func selectTeamsWithoutContact() -> SQL {
  """
  SELECT DISTINCT team.team_id
  FROM employee
  JOIN team ON team.team_id = employee.team_id
  LEFT JOIN team_contact ON team_contact.team_id = team.team_id
  WHERE employee.deactivated_at IS NULL AND NOT team.is_practice AND team_contact.team_id IS NULL
  ORDER BY 1
  """
}

/// - Throws: `.broken` on a database without our schema.
package func installationHealth(on session: inout Session) throws(PostgresError)
  -> InstallationHealth
{
  let version = try schemaVersion(on: &session)
  var health = try session.run(selectServerHealth()).one { (row) throws(PostgresError) in
    var health = InstallationHealth(
      postgresVersion: try row.next(), schemaVersion: Int32(clamping: version),
      now: try row.next(), databaseBytes: try row.next(), folder: try row.next())
    health.isReadOnly = try row.next()
    let (isArchived, lastAt, failedAt): (Bool, Instant?, Instant?) = (
      try row.next(), try row.next(), try row.next()
    )
    if isArchived { health.archive = .init(lastAt: lastAt, failedAt: failedAt) }
    return health
  }
  // An older schema lacks some of what follows.
  guard version >= schemaVersionWanted else { return health }
  health.beats = try session.run(selectBeats()).map { (row) throws(PostgresError) in
    InstallationHealth.Beat(
      instance: try row.next(), at: try row.next(), version: try row.next(),
      isStopped: try row.next())
  }
  health.lastBackup = try backups(limit: 1, on: &session).first
  health.weeksUntil = try session.run(selectLastPingWeek()).one { (row) throws(PostgresError) in
    try row.next()
  }
  health.hasPrivacyNotice = try session.run(selectHasPrivacyNotice()).one {
    (row) throws(PostgresError) in try row.next()
  }
  health.teamsWithoutContact = try session.run(selectTeamsWithoutContact()).map {
    (row) throws(PostgresError) in TeamID(try row.next())
  }
  return health
}
