import Postgres
public import ShiftDomain
import ShiftStore

/// The session or token that authenticates a principal.
public enum OfficePass: Hashable, Sendable {
  /// A session.
  case session(SessionID)
  /// An API token, by its number.
  case token(Int32)
}

extension Operations {
  /// The principals of these sessions and tokens, with their current rights; those that have ended
  /// are left out. Does not record a use.
  /// - Throws: `.unavailable`, `.broken`.
  public func holders(of passes: Set<OfficePass>)
    async throws(OperationError) -> [OfficePass: Viewer]
  {
    let (present, moved) = (now(), deadlines?())
    let sessions = passes.compactMap { if case .session(let id) = $0 { id } else { nil } }
    return try await read { (session) throws(PostgresError) in
      var holders: [OfficePass: Viewer] = [:]
      if !sessions.isEmpty {
        for (id, account) in try liveAccounts(of: sessions, now: moved, on: &session) {
          holders[.session(id)] = account.viewer
        }
      }
      if sessions.count < passes.count {
        for record in try ShiftStore.accessTokens(number: nil, on: &session)
        where passes.contains(.token(record.number)) && record.holds(at: present) {
          holders[.token(record.number)] = record.viewer
        }
      }
      return holders
    }
  }
}
