public import Postgres
public import ShiftDomain

// Table policy_version.

extension Rows {
  /// The policy whose preset stands at `column`, followed by its severities and durations.
  func policy(_ row: Int, from column: Int) throws(PostgresError) -> Policy {
    Policy(
      preset: try coded(row, column),
      severities: SeverityTable(
        blocking: try findings(row, column + 1), warning: try findings(row, column + 2)),
      freshFor: try timeSpan(row, column + 3), debounce: try timeSpan(row, column + 4),
      pingInterval: try timeSpan(row, column + 5), breakMax: try timeSpan(row, column + 6),
      shiftMax: try timeSpan(row, column + 7))
  }
}

/// Adds a version of a team's policy. Violates a constraint named `policy_version_…_range` when a
/// duration is out of range.
public func insert(_ policy: Policy, version: Int32, of team: TeamID) -> SQL {
  """
  INSERT INTO policy_version (
    team_id, version, preset, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
    break_max_ms, shift_max_ms)
  VALUES (
    \(team.rawValue), \(version), \(policy.preset.column), \(policy.severities.blocking.column),
    \(policy.severities.warning.column), \(policy.freshFor.column), \(policy.debounce.column),
    \(policy.pingInterval.column), \(policy.breakMax.column), \(policy.shiftMax.column))
  """
}
