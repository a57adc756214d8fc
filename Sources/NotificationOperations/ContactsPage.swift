import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// What the page of a team's contacts shows, all from one moment.
package struct ContactsPage: Hashable, Sendable {
  package var team: TeamRow
  /// In force.
  package var policy: Policy
  package var contacts: [TeamContact]
  /// Those that may see the team.
  package var accounts: [AccountRow]
}

extension NotificationOperations {
  /// - Throws: `.notFound` for an unknown team.
  package func contactsPage(of team: TeamID) async throws(OperationError) -> ContactsPage {
    let found: ContactsPage? = try await core.readSnapshot { (session) throws(PostgresError) in
      guard let row = try ShiftStore.team(team, on: &session),
        let inForce = try ShiftStore.policy(nil, of: team, on: &session)
      else { return nil }
      return ContactsPage(
        team: row, policy: inForce.policy,
        contacts: try NotificationQueue.contacts(of: team, on: &session),
        accounts: try ShiftStore.accounts(on: &session).map(\.row).filter { $0.maySee(team) })
    }
    guard let found else { throw .teamNotFound(team) }
    return found
  }
}
