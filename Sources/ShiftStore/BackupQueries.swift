import Postgres
import ReadModels
import ShiftDomain

// Table backup: when backups were finished. A backup contains no row about itself.

/// Records a backup that is finished now, and drops what is older than a year.
package func recordBackup(by method: String, on session: inout Session) throws(PostgresError) {
  try session.pipeline([
    "INSERT INTO backup AS added (finished_at, method) VALUES (clock_timestamp(), \(method))",
    "DELETE FROM backup WHERE finished_at < clock_timestamp() - interval '1 year'",
  ])
}

/// The newest backups, newest first.
package func backups(limit: Int32, on session: inout Session) throws(PostgresError)
  -> [InstallationHealth.Backup]
{
  try session.run(
    "SELECT finished_at, method FROM backup ORDER BY finished_at DESC LIMIT \(limit)"
  ).map { (row) throws(PostgresError) in
    InstallationHealth.Backup(finishedAt: try row.next(), method: try row.next())
  }
}
