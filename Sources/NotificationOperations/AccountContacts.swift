import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Accounts as contacts: a contact by e-mail whose address an account logs in with is that account.

extension NotificationOperations {
  /// Makes an account a contact by e-mail of a team that it may see. Repeating changes nothing.
  package func addContact(_ account: AccountID, to team: TeamID, by principal: Principal)
    async throws(OperationError) -> ContactOutcome
  {
    let row = try await row(of: account)
    guard row.maySee(team) else { return .notTheirTeam(account) }
    let outcome = try await addContact(row.email, to: team, by: principal)
    guard case .alreadyThere = outcome else { return outcome }
    return try await contact(of: account, in: team).map { .added($0, secret: nil) } ?? outcome
  }

  /// Ends that an account is a contact of a team. Repeating changes nothing.
  package func removeContact(_ account: AccountID, from team: TeamID, by principal: Principal)
    async throws(OperationError)
  {
    guard let contact = try await contact(of: account, in: team) else { return }
    do throws(OperationError) {
      try await removeContact(contact.number, from: team, by: principal)
    } catch .notFound {
      // Somebody else was faster.
    }
  }

  /// The contact that the account is; `nil` also for a team that does not exist, or is not theirs.
  package func contact(of account: AccountID, in team: TeamID) async throws(OperationError)
    -> TeamContact?
  {
    try await contacts(of: account)[team]
  }

  /// The contacts that the account is, by team.
  package func contacts(of account: AccountID) async throws(OperationError)
    -> [TeamID: TeamContact]
  {
    let row = try await row(of: account)
    let contacts = try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.contacts(ofMailbox: row.email, on: &session)
    }
    return contacts.filter { row.maySee($0.key) }
  }

  private func row(of account: AccountID) async throws(OperationError) -> AccountRow {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(number: account, on: &session)
    }
    guard let row = rows.first?.row else {
      throw .notFound("account \(account.rawValue)")
    }
    return row
  }
}
