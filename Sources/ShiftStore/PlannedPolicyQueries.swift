import Postgres
import ReadModels
import ShiftDomain

// Table planned_policy: what will be a version of a team's policy at its time, at most one a team.

extension PlannedPolicy {
  /// To be followed by those of the policy.
  fileprivate static let columns: StaticString = """
    policy.team_id, policy.version, policy.created_at, policy.valid_from, policy.saved_by
    """

  init(from row: inout RowReader) throws(PostgresError) {
    let (team, former): (TeamID, Int32) = (try row.next(), try row.next())
    let (createdAt, validFrom): (Instant, Instant) = (try row.next(), try row.next())
    let savedBy: String = try row.next()
    self.init(
      team: team, former: former, createdAt: createdAt, validFrom: validFrom, savedBy: savedBy,
      policy: try Policy(from: &row))
  }
}

package func plannedPolicy(of team: TeamID, on session: inout Session)
  throws(PostgresError) -> PlannedPolicy?
{
  try session.run(
    """
    SELECT \(fragment: PlannedPolicy.columns), \(fragment: Policy.columns)
    FROM planned_policy AS policy
    WHERE policy.team_id = \(team.rawValue)
    """
  ).first(PlannedPolicy.init(from:))
}

/// The team's planned policy if its time has come. `fixedNow` is the test's clock.
package func duePolicy(of team: TeamID, at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> PlannedPolicy?
{
  try session.run(
    """
    SELECT \(fragment: PlannedPolicy.columns), \(fragment: Policy.columns)
    FROM planned_policy AS policy
    WHERE policy.team_id = \(team.rawValue) AND policy.valid_from <= \(now: fixedNow)
    """
  ).first(PlannedPolicy.init(from:))
}

/// The teams with a planned policy whose time has come.
package func teamsWithDuePolicies(at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> [TeamID]
{
  try session.run(
    """
    SELECT policy.team_id FROM planned_policy AS policy
    WHERE policy.valid_from <= \(now: fixedNow)
    """
  ).map { (row) throws(PostgresError) in try row.next() }
}

/// Lets a policy wait for its time. Violates `planned_policy_pk` if another one waits.
/// - Parameter former: The version in force now.
package func plan(
  _ policy: Policy, of team: TeamID, from validFrom: Instant, after former: Int32,
  by savedBy: String, now fixedNow: Instant?
) -> SQL {
  insert(
    policy, version: former, of: team, by: savedBy, validFrom: validFrom, now: fixedNow,
    into: "planned_policy")
}

package func deletePlannedPolicy(of team: TeamID) -> SQL {
  "DELETE FROM planned_policy WHERE team_id = \(team.rawValue)"
}
