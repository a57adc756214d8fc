import Postgres
import ReadModels
import ShiftDomain

// Table policy_version. Rows are added and never changed: a decision refers to the version it was
// made under. Table team has the version in force; a planned policy is no version yet.

extension Policy {
  /// Of `policy_version AS policy`.
  static let columns: StaticString = """
    policy.preset, policy.blocking, policy.warning, policy.ignored, policy.fresh_for_ms,
    policy.debounce_ms, policy.ping_interval_ms, policy.max_rest_ms, policy.accuracy_max_m,
    policy.break_max_ms, policy.shift_max_ms, policy.reminder_after_ms, policy.self_override,
    policy.email_after_ms, policy.managers_after_ms, policy.cooldown_ms,
    policy.mass_silence_wait_ms, policy.hidden_reminder_after_ms, policy.opens_planned_shifts,
    policy.late_after_ms, policy.no_show_after_ms, policy.early_window_ms, policy.away_after_ms
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      preset: try row.next(),
      severities: SeverityTable(
        blocking: try row.next(), warning: try row.next(), ignored: try row.next()),
      freshFor: try row.next(), debounce: try row.next(), pingInterval: try row.next(),
      maxRest: try row.next(), accuracyMaxMeters: try row.next(), breakMax: try row.next(),
      shiftMax: try row.next(), reminderAfter: try row.next(), selfOverride: try row.next(),
      emailAfter: try row.next(), managersAfter: try row.next(), cooldown: try row.next(),
      massSilenceWait: try row.next(), hiddenReminderAfter: try row.next(),
      opensPlannedShifts: try row.next(),
      lateAfter: try row.next(), noShowAfter: try row.next(), earlyWindow: try row.next(),
      awayAfter: try row.next())
  }
}

extension PolicyRow {
  /// To be followed by those of the policy.
  fileprivate static let columns: StaticString = """
    policy.team_id, policy.version, policy.created_at, policy.valid_from, policy.saved_by,
    policy.version = team.policy_version
    """

  init(from row: inout RowReader) throws(PostgresError) {
    let (team, version): (TeamID, Int32) = (try row.next(), try row.next())
    let (createdAt, validFrom): (Instant, Instant?) = (try row.next(), try row.next())
    let savedBy: String? = try row.next()
    self.init(
      team: team, version: version, createdAt: createdAt, validFrom: validFrom,
      isInForce: try row.next(), policy: try Policy(from: &row), savedBy: savedBy)
  }
}

package func policies(of team: TeamID, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [PolicyRow]
{
  try session.run(
    """
    SELECT \(fragment: PolicyRow.columns), \(fragment: Policy.columns)
    FROM policy_version AS policy
    JOIN team ON team.team_id = policy.team_id
    WHERE policy.team_id = \(team.rawValue)
    ORDER BY policy.version DESC
    LIMIT \(limit)
    """
  ).map(PolicyRow.init(from:))
}

package func policy(_ version: Int32?, of team: TeamID, on session: inout Session)
  throws(PostgresError) -> PolicyRow?
{
  try session.run(
    """
    SELECT \(fragment: PolicyRow.columns), \(fragment: Policy.columns)
    FROM policy_version AS policy
    JOIN team ON team.team_id = policy.team_id
    WHERE policy.team_id = \(team.rawValue)
      AND policy.version = coalesce(\(version), team.policy_version)
    """
  ).first(PolicyRow.init(from:))
}

func selectPoliciesInForce(of teams: [TeamID]) -> SQL {
  """
  SELECT \(fragment: PolicyRow.columns), \(fragment: Policy.columns)
  FROM team
  JOIN policy_version AS policy
    ON policy.team_id = team.team_id AND policy.version = team.policy_version
  WHERE team.team_id = ANY (\(teams.map(\.rawValue)))
  """
}

/// The version of the policy of `employee`'s team that was in force at `instant`; `nil` if the team
/// had none yet. Each version is in force until the next one is created, or was to be put in force.
package func policyInForce(
  at instant: Instant, for employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> PolicyRow? {
  try session.value(of: policyInForce(at: instant, for: employee))
}

package func policyInForce(at instant: Instant, for employee: EmployeeID) -> Query<PolicyRow?> {
  Query(selectPolicyInForce(at: instant, for: employee)) { (rows) throws(PostgresError) in
    try rows.first(PolicyRow.init(from:))
  }
}

func selectPolicyInForce(at instant: Instant, for employee: EmployeeID) -> SQL {
  """
  SELECT \(fragment: PolicyRow.columns), \(fragment: Policy.columns)
  FROM employee
  JOIN team ON team.team_id = employee.team_id
  JOIN policy_version AS policy ON policy.team_id = team.team_id
  WHERE employee.employee_id = \(employee.rawValue)
    AND coalesce(policy.valid_from, policy.created_at) <= \(instant)
  ORDER BY policy.version DESC
  LIMIT 1
  """
}

/// Locks the team's policy against changes until the transaction ends; `false` for an unknown team.
/// Reading the policy, as every decision does, does not wait.
package func holdPolicy(of team: TeamID, on session: inout Session) throws(PostgresError) -> Bool {
  // A statement of its own: a statement that waits for a row sees the new row, but joins old ones.
  try session.run("SELECT FROM team WHERE team_id = \(team.rawValue) FOR NO KEY UPDATE").count == 1
}

/// Adds a version of a team's policy. Violates a constraint named `policy_version_…_range` if a
/// duration is out of range, `policy_version_pk` if another transaction was first. `fixedNow` is
/// the test's clock.
/// - Parameter validFrom: When it was to be put in force, if it was planned.
package func insert(
  _ policy: Policy, version: Int32, of team: TeamID, by savedBy: String? = nil,
  validFrom: Instant? = nil, now fixedNow: Instant? = nil
) -> SQL {
  insert(
    policy, version: version, of: team, by: savedBy, validFrom: validFrom, now: fixedNow,
    into: "policy_version")
}

/// - Parameter table: `policy_version`, or `planned_policy`, which has the same columns.
func insert(
  _ policy: Policy, version: Int32, of team: TeamID, by savedBy: String?, validFrom: Instant?,
  now fixedNow: Instant?, into table: StaticString
) -> SQL {
  """
  INSERT INTO \(fragment: table) (
    team_id, version, preset, blocking, warning, ignored, fresh_for_ms, debounce_ms,
    ping_interval_ms, break_max_ms, shift_max_ms, reminder_after_ms, self_override, email_after_ms,
    managers_after_ms, cooldown_ms, max_rest_ms, accuracy_max_m, opens_planned_shifts,
    saved_by, late_after_ms, no_show_after_ms, mass_silence_wait_ms,
    hidden_reminder_after_ms, early_window_ms, away_after_ms, valid_from, created_at)
  VALUES (
    \(team.rawValue), \(version), \(policy.preset.column), \(policy.severities.blocking.column),
    \(policy.severities.warning.column), \(policy.severities.ignored.column),
    \(policy.freshFor.column), \(policy.debounce.column),
    \(policy.pingInterval.column), \(policy.breakMax.column), \(policy.shiftMax.column),
    \(policy.reminderAfter.column), \(policy.selfOverride.column), \(policy.emailAfter.column),
    \(policy.managersAfter.column), \(policy.cooldown.column), \(policy.maxRest.column),
    \(policy.accuracyMaxMeters), \(policy.opensPlannedShifts), \(savedBy),
    \(policy.lateAfter.column), \(policy.noShowAfter.column), \(policy.massSilenceWait.column),
    \(policy.hiddenReminderAfter.column), \(policy.earlyWindow.column),
    \(policy.awayAfter.column), \(validFrom), \(now: fixedNow))
  """
}

/// Puts a version in force if `former` still is; affects no row if another transaction was first.
package func putInForce(_ version: Int32, of team: TeamID, after former: Int32) -> SQL {
  """
  UPDATE team SET policy_version = \(version)
  WHERE team_id = \(team.rawValue) AND policy_version = \(former)
  """
}
