import Postgres
import ReadModels
import ShiftDomain

// Table installation, and what the checklist of a new installation is derived from.

/// The checklist; `nil` once it was dismissed, and then nothing else is read.
package func checklist(on session: inout Session) throws(PostgresError) -> Checklist? {
  try session.run(selectChecklist()).first { (row) throws(PostgresError) in
    var checklist = Checklist()
    (checklist.team, checklist.employee) = (try row.next(), try row.next())
    let done: [(Checklist.Step, Bool)] = [
      (.phone, try row.next()), (.position, try row.next()), (.contact, try row.next()),
      (.privacyNotice, try row.next()), (.rehearsal, try row.next()),
    ]
    checklist.done = Set(done.filter(\.1).map(\.0))
    if checklist.team != nil { checklist.done.insert(.team) }
    if checklist.employee != nil { checklist.done.insert(.employee) }
    return checklist
  }
}

/// The first rehearsal adds the practice team, which stays.
func selectChecklist() -> SQL {
  """
  SELECT (SELECT min(team_id) FROM team WHERE NOT is_practice),
    (SELECT min(employee_id) FROM employee
      WHERE practice_until IS NULL AND deactivated_at IS NULL),
    EXISTS (SELECT 1 FROM device JOIN employee USING (employee_id)
      WHERE revoked_at IS NULL AND practice_until IS NULL),
    EXISTS (SELECT 1 FROM ping JOIN employee USING (employee_id)
      WHERE latitude_e7 IS NOT NULL AND practice_until IS NULL),
    EXISTS (SELECT 1 FROM team_contact JOIN team USING (team_id) WHERE NOT is_practice),
    EXISTS (SELECT 1 FROM privacy_notice),
    EXISTS (SELECT 1 FROM team WHERE is_practice)
  WHERE NOT EXISTS (SELECT 1 FROM installation WHERE checklist_dismissed_at IS NOT NULL)
  """
}

/// Affects no row if it was dismissed already.
package func dismissChecklist(at now: Instant) -> SQL {
  """
  INSERT INTO installation AS kept (checklist_dismissed_at) VALUES (\(now))
  ON CONFLICT (number) DO UPDATE SET checklist_dismissed_at = excluded.checklist_dismissed_at
  WHERE kept.checklist_dismissed_at IS NULL
  """
}

/// Removes a team without employees, with its contacts, sites, policies and everybody's rights for
/// it, and keeps its number from being given again. Violates a foreign key if somebody joined it.
/// INVARIANT: after `holdNumbers` in the same transaction.
package func remove(_ team: TeamID) -> [SQL] {
  let number = team.rawValue
  let tables: [StaticString] = [
    "account_team", "api_token_team", "planned_policy", "site", "team_contact", "team_digest",
    "team_notification", "team",
  ]
  return tables.map { "DELETE FROM \(fragment: $0) WHERE team_id = \(number)" } + [
    """
    INSERT INTO installation AS kept (removed_team_max) VALUES (\(number))
    ON CONFLICT (number) DO UPDATE
    SET removed_team_max = greatest(kept.removed_team_max, excluded.removed_team_max)
    """
  ]
}

/// Whether employees, inactive ones included, are in a team, and whether approved times name it.
package func use(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> (hasEmployees: Bool, hasHistory: Bool)
{
  try session.run(selectUse(of: team)).one { (row) throws(PostgresError) in
    (try row.next(), try row.next())
  }
}

func selectUse(of team: TeamID) -> SQL {
  """
  SELECT EXISTS (SELECT 1 FROM employee WHERE team_id = \(team.rawValue)),
    EXISTS (SELECT 1 FROM shift WHERE approved_team = \(team.rawValue))
      OR EXISTS (SELECT 1 FROM past_shift WHERE approved_team = \(team.rawValue))
  """
}
