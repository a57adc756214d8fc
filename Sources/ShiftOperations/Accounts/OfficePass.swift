import Postgres
public import ShiftDomain
import ShiftStore

/// What somebody of the office is let in by, for as long as it holds.
public enum OfficePass: Hashable, Sendable {
  /// A session.
  case session(SessionID)
  /// An access token, by its number.
  case token(Int32)
}

extension Operations {
  /// Who is let in by these passes now, and what they may see; who is not any more is left out. It
  /// notes no use of them: nobody was there.
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
