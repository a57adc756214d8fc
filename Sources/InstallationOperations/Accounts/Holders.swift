import ManagerCore
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension InstallationOperations {
  /// The principals of these sessions and tokens, with their current rights; those that have ended
  /// are left out. Does not record a use.
  package func holders(of credentials: Set<ManagerCredential>)
    async throws(OperationError) -> [ManagerCredential: Principal]
  {
    let (present, fixedNow) = (core.now(), core.deadlines?())
    let sessions = credentials.compactMap { if case .session(let id) = $0 { id } else { nil } }
    return try await core.readSnapshot { (session) throws(PostgresError) in
      var holders: [ManagerCredential: Principal] = [:]
      if !sessions.isEmpty {
        for (id, account) in try liveAccounts(of: sessions, now: fixedNow, on: &session) {
          holders[.session(id)] = account.principal
        }
      }
      if sessions.count < credentials.count {
        for token in try ShiftStore.apiTokens(number: nil, on: &session).map(\.row)
        where credentials.contains(.token(token.number)) && token.holds(at: present) {
          holders[.token(token.number)] = token.principal
        }
      }
      return holders
    }
  }
}
