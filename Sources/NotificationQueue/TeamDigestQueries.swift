import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table team_digest: the figures of a team's week. The instance that inserts a row queues it.

/// The teams with a contact that gets the weekly digest, each with its newest week.
package func digestTeams(on session: inout Session)
  throws(PostgresError) -> [(team: TeamDay, newestWeek: Int32?)]
{
  try session.run(selectDigestTeams).map { (row) throws(PostgresError) in
    let team = TeamDay(team: try row.next(), name: try row.next(), timeZone: try row.next())
    return (team, try row.next())
  }
}

let selectDigestTeams: SQL = """
  SELECT team.team_id, team.name, team.time_zone, max(digest.week) FILTER (WHERE digest.queued)
  FROM team LEFT JOIN team_digest AS digest ON digest.team_id = team.team_id
  WHERE team.team_id IN (SELECT team_id FROM team_contact WHERE weekly_digest)
    AND NOT team.is_practice
  GROUP BY team.team_id, team.name, team.time_zone
  ORDER BY team.team_id
  """

/// Stores figures that are queued for the contacts that get them each week, or that somebody asked
/// for before. Affects no row if another instance has queued that week.
package func store(_ digest: TeamDigest, isQueued: Bool) -> SQL {
  """
  INSERT INTO team_digest AS known (team_id, week, shifts, open_reviews, totals, queued)
  VALUES (\(digest.team.rawValue), \(digest.week), \(digest.shifts), \(digest.openReviews),
    \(digest.durations.spans.map(\.milliseconds)), \(isQueued))
  ON CONFLICT (team_id, week) DO UPDATE
  SET shifts = excluded.shifts, open_reviews = excluded.open_reviews, totals = excluded.totals,
    queued = excluded.queued
  WHERE NOT known.queued
  """
}

package func deleteDigests(of team: TeamID, before week: Int32) -> SQL {
  "DELETE FROM team_digest WHERE team_id = \(team.rawValue) AND week < \(week)"
}

/// Removes the digests that wait with these employees, who leave their team: a digest goes to the
/// contacts of its employee's team.
/// - Returns: Those that can wait with others, by employee. What is being sent may arrive, so it is
///   not sent again.
/// INVARIANT: the employees are held until the transaction ends.
package func takeDigests(waitingWith employees: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> [EmployeeID: [ShiftNotification]]
{
  var taken: [EmployeeID: [ShiftNotification]] = [:]
  try session.run(deleteDigests(waitingWith: employees)).forEach { (row) throws(PostgresError) in
    let employee: EmployeeID = try row.next()
    let digest = try ShiftNotification(from: &row)
    let isBeingSent: Bool = try row.next()
    if !isBeingSent { taken[employee, default: []].append(digest) }
  }
  return taken
}

func deleteDigests(waitingWith employees: [EmployeeID]) -> SQL {
  """
  DELETE FROM notification
  WHERE employee_id = ANY (\(employees.map(\.rawValue)))
    AND topic = \(NotificationTopic.weeklyDigest.column)
  RETURNING employee_id, \(fragment: ShiftNotification.columns), coalesce(first_due_at, due_at),
    leased AND attempts > 0
  """
}

/// - Parameter week: `nil`: the newest.
package func digest(of team: TeamID, week: Int32?, on session: inout Session)
  throws(PostgresError) -> TeamDigest?
{
  try session.run(selectDigest(of: team, week: week)).first { (row) throws(PostgresError) in
    var digest = TeamDigest(
      team: team, name: try row.next(), week: try row.next(), shifts: try row.next(),
      openReviews: try row.next(), durations: CoverageDurations())
    let totals: [Int64] = try row.next()
    digest.durations = CoverageDurations(stored: totals.map { .milliseconds($0) })
    return digest
  }
}

func selectDigest(of team: TeamID, week: Int32?) -> SQL {
  """
  SELECT team.name, digest.week, digest.shifts, digest.open_reviews, digest.totals
  FROM team_digest AS digest JOIN team ON team.team_id = digest.team_id
  WHERE digest.team_id = \(team.rawValue)
    AND (\(week) IS NULL OR digest.week = \(week))
  ORDER BY digest.week DESC LIMIT 1
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
