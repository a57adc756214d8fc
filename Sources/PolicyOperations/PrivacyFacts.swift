import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftStore

extension PolicyOperations {
  /// What a report on privacy says of this installation: policies, contacts, rights and retention,
  /// all from one moment.
  package func privacyFacts() async throws(OperationError) -> PrivacyFacts {
    let now = core.now()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      var teams: [PrivacyFacts.Team] = []
      for row in try ShiftStore.teams(on: &session) {
        guard let inForce = try ShiftStore.policy(nil, of: row.team, on: &session) else { continue }
        teams.append(
          PrivacyFacts.Team(
            row: row, policy: inForce.policy,
            contacts: try NotificationQueue.contacts(of: row.team, on: &session)))
      }
      let accounts = try ShiftStore.accounts(on: &session).map(\.row)
        .filter { $0.disabledAt == nil }
      let tokens = try ShiftStore.apiTokens(number: nil, on: &session).map(\.row)
        .filter { $0.revokedAt == nil && $0.expiresAt > now }
      return PrivacyFacts(
        teams: teams,
        accounts: accounts.map {
          .init(name: $0.settings.name, role: $0.settings.role, teams: $0.settings.teams)
        },
        tokens: tokens.map { .init(name: $0.name, role: $0.role, teams: $0.teams) },
        retention: try ShiftStore.retention(on: &session),
        privacyNotice: try newestPrivacyNotice(on: &session)?.version)
    }
  }
}
