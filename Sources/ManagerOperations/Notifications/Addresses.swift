import Cryptography
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension ManagerOperations {
  /// By channel, then in the order in which they were added.
  package func contacts(of team: TeamID) async throws(OperationError) -> [TeamContact] {
    _ = try await self.team(team)
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.contacts(of: team, on: &session)
    }
  }

  /// - Parameter language: Ignored for a channel whose texts are in English.
  /// - Returns: The signing secret in the format of Standard Webhooks; shown only here. `nil` for a
  ///   channel without secrets.
  /// - Throws: `.conflict` when it is there already.
  @discardableResult
  package func addContact(
    _ address: String, through way: ContactChannel = .email, language: Language = .english,
    to team: TeamID, by principal: Principal
  ) async throws(OperationError) -> String? {
    try principal.actor.check(reason: nil)
    let isKnown = try await contacts(of: team).contains {
      $0.channel == way.channel && $0.address == address
    }
    guard !isKnown else {
      throw .conflict("`\(address)` is already a \(way.noun) of team \(team.rawValue)")
    }
    guard way.accepts(address) else { throw .invalid("`\(address)` is not \(way.form)") }
    let secret = way.hasSecret ? randomBytes(32) : nil
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.pipeline(
        insertContact(
          address, by: way.channel, language: (way.hasLanguage ? language : .english).code,
          secret: secret, of: team))
      try audit(way.added, by: principal, at: at, target: team.rawValue, on: &session)
      return .done(true)
    }
    return secret.map { "whsec_" + Base64.encode($0) }
  }

  package func removeContact(
    _ address: String, through way: ContactChannel = .email, from team: TeamID,
    by principal: Principal
  ) async throws(OperationError) {
    try principal.actor.check(reason: nil)
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try session.execute(deleteContact(address, by: way.channel, of: team)) == 1 else {
        return .refused(.notFound("\(way.noun) `\(address)` of team \(team.rawValue)"))
      }
      try audit(way.removed, by: principal, at: at, target: team.rawValue, on: &session)
      return .done(true)
    }
  }
}
