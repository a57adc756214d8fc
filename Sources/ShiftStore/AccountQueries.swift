import Postgres
import ReadModels
import ShiftDomain

// Tables account and account_team. Only the password's hash is stored.

package struct AccountRecord: Hashable, Sendable {
  package var row: AccountRow
  /// The password's hash.
  package var password: String

  package init(row: AccountRow, password: String) { (self.row, self.password) = (row, password) }
}

extension AccountRecord {
  static let columns: StaticString = """
    account.account_id, account.email, account.name, account.role,
    (SELECT array_agg(team_id ORDER BY team_id) FROM account_team
      WHERE account_team.account_id = account.account_id),
    (SELECT array_agg(rights ORDER BY team_id) FROM account_team
      WHERE account_team.account_id = account.account_id),
    account.employee_id, account.created_at, account.disabled_at, account.password
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      row: AccountRow(
        try row.next(), email: try row.next(),
        AccountSettings(
          name: try row.next(), role: try row.next(), teams: try [TeamID: TeamRights](from: &row),
          employee: try row.next()),
        createdAt: try row.next(), disabledAt: try row.next()),
      password: try row.next())
  }
}

/// Locks all accounts until the transaction ends: the changes of one depend on the others.
package let holdAccounts: SQL = "LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE"

package func holdAccount(_ account: AccountID) -> SQL {
  "SELECT FROM account WHERE account_id = \(account.rawValue) FOR NO KEY UPDATE"
}

package func accounts(
  number: AccountID? = nil, email: String? = nil, on session: inout Session
) throws(PostgresError) -> [AccountRecord] {
  try session.run(
    """
    SELECT \(fragment: AccountRecord.columns)
    FROM account
    WHERE (\(number?.rawValue) IS NULL OR account_id = \(number?.rawValue))
      AND (\(email) IS NULL OR email = \(email))
    ORDER BY account_id
    """
  ).map(AccountRecord.init(from:))
}

/// Adds an account under the next number; the number in `record` is ignored. Violates
/// `account_email_once`.
package func addAccount(_ record: AccountRecord, on session: inout Session) throws(PostgresError)
  -> AccountID
{
  let (account, settings) = (record.row, record.row.settings)
  try session.execute(holdNumbers)
  let added: AccountID = try session.run(
    """
    INSERT INTO account AS added (account_id, employee_id, role, created_at, email, name, password)
    SELECT coalesce(max(existing.account_id), 0) + 1, \(settings.employee?.rawValue),
      \(settings.role.column), \(account.createdAt), \(account.email), \(settings.name),
      \(record.password)
    FROM account AS existing
    RETURNING account_id
    """
  ).value(0, 0)
  try session.execute(insertTeams(settings.teams, of: added))
  return added
}

/// Updates an account: name, role, employee, whether login is allowed, and teams.
package func update(_ account: AccountRow) -> [SQL] {
  let settings = account.settings
  return [
    """
    UPDATE account
    SET name = \(settings.name), role = \(settings.role.column),
      employee_id = \(settings.employee?.rawValue), disabled_at = \(account.disabledAt)
    WHERE account_id = \(account.account.rawValue)
    """, "DELETE FROM account_team WHERE account_id = \(account.account.rawValue)",
    insertTeams(settings.teams, of: account.account),
  ]
}

func insertTeams(_ teams: [TeamID: TeamRights], of account: AccountID) -> SQL {
  """
  INSERT INTO account_team (account_id, team_id, rights)
  SELECT \(account.rawValue), team_id, rights
  FROM unnest(\(teams.columns.teams), \(teams.columns.rights)) AS item (team_id, rights)
  """
}

/// Replaces the password hash `former`. Affects no row if the stored hash is another.
package func setPassword(_ hash: String, of account: AccountID, insteadOf former: String) -> SQL {
  """
  UPDATE account SET password = \(hash)
  WHERE account_id = \(account.rawValue) AND password = \(former)
  """
}

/// Removes the contacts by e-mail with the address `email`, in `lost` teams (`nil`: all) but not in
/// `kept` ones.
package func deleteContacts(
  ofMailbox email: String, in lost: Set<TeamID>?, besides kept: Set<TeamID>,
  on session: inout Session
) throws(PostgresError) -> [(team: TeamID, number: Int16)] {
  try session.run(deleteContacts(ofMailbox: email, in: lost, besides: kept)).map {
    (row) throws(PostgresError) in
    (try row.next(), try row.next())
  }
}

func deleteContacts(ofMailbox email: String, in lost: Set<TeamID>?, besides kept: Set<TeamID>)
  -> SQL
{
  """
  DELETE FROM team_contact
  WHERE channel = \(Channel.email.column) AND lower(address) = \(email)
    AND team_id = ANY (coalesce(\(TeamScope(lost).numbers), (SELECT array_agg(team_id) FROM team)))
    AND team_id <> ALL (\(kept.map(\.rawValue)))
  RETURNING team_id, contact_no
  """
}

/// The team of `employee`; `nil` if the employee does not exist. One probe of a primary key.
package func team(of employee: EmployeeID, on session: inout Session) throws(PostgresError)
  -> TeamID?
{
  try session.run("SELECT team_id FROM employee WHERE employee_id = \(employee.rawValue)")
    .firstValue()
}
