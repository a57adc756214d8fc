import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table team_digest: the figures of a team's week. Whoever inserts the row queues the digest.

/// The teams with a contact that gets the weekly digest.
package func digestTeams(on session: inout Session) throws(PostgresError) -> [TeamDay] {
  try session.run(selectDigestTeams).map { (row) throws(PostgresError) in
    TeamDay(team: try row.next(), name: try row.next(), timeZone: try row.next())
  }
}

let selectDigestTeams: SQL = """
  SELECT team_id, name, time_zone FROM team
  WHERE team_id IN (SELECT team_id FROM team_contact WHERE weekly_digest)
  ORDER BY team_id
  """

/// Affects no row if another instance was first.
package func insert(_ digest: TeamDigest) -> SQL {
  """
  INSERT INTO team_digest (team_id, week, shifts, open_reviews, totals)
  VALUES (\(digest.team.rawValue), \(digest.week), \(digest.shifts), \(digest.openReviews),
    \(digest.durations.spans.map(\.milliseconds)))
  ON CONFLICT DO NOTHING
  """
}

package func deleteDigests(of team: TeamID, before week: Int32) -> SQL {
  "DELETE FROM team_digest WHERE team_id = \(team.rawValue) AND week < \(week)"
}

package func digest(of team: TeamID, week: Int32, on session: inout Session)
  throws(PostgresError) -> TeamDigest?
{
  try session.run(selectDigest(of: team, week: week)).first { (row) throws(PostgresError) in
    var digest = TeamDigest(
      team: team, name: try row.next(), week: week, shifts: try row.next(),
      openReviews: try row.next(), durations: CoverageDurations())
    let totals: [Int64] = try row.next()
    digest.durations = CoverageDurations(stored: totals.map { .milliseconds($0) })
    return digest
  }
}

func selectDigest(of team: TeamID, week: Int32) -> SQL {
  """
  SELECT team.name, digest.shifts, digest.open_reviews, digest.totals
  FROM team_digest AS digest JOIN team ON team.team_id = digest.team_id
  WHERE digest.team_id = \(team.rawValue) AND digest.week = \(week)
  """
}

/// The employee of `team` to whom a notification for the managers belongs; `nil` if it has none.
package func firstEmployee(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> EmployeeID?
{
  try session.run(selectFirstEmployee(of: team)).firstValue()
}

func selectFirstEmployee(of team: TeamID) -> SQL {
  """
  SELECT employee_id FROM employee WHERE team_id = \(team.rawValue)
  ORDER BY employee_id LIMIT 1
  """
}
