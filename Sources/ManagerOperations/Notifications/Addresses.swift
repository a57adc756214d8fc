import Cryptography
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension ManagerOperations {
  /// `nil` removes it.
  /// - Parameter email: 3…254 characters with one `@` and no white space.
  package func setEmail(_ email: String?, of employee: EmployeeID) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try gather(employee, on: &session) != nil else {
        return .refused(.notFound("employee \(employee.rawValue)"))
      }
      if let email, !isAddress(email) {
        return .refused(.invalid("`\(email)` is not an e-mail address"))
      }
      let counts = try session.pipeline([
        NotificationQueue.setEmail(email, of: employee),
        // A notification may have waited for this address.
        deliverNow(notificationsOf: employee, at: fixedNow),
      ])
      return email != nil && counts[1] > 0 ? .queued(true) : .done(true)
    }
  }

  /// In the order in which they were added.
  package func contacts(of team: TeamID) async throws(OperationError) -> [TeamContact] {
    _ = try await self.team(team)
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.contacts(of: team, on: &session)
    }
  }

  /// - Parameter email: 3…254 characters with one `@` and no white space.
  /// - Throws: `.conflict` when it is there already.
  package func addContact(
    _ email: String, language: Language = .english, to team: TeamID
  ) async throws(OperationError) {
    guard try await !contacts(of: team).contains(where: { $0.email == email }) else {
      throw .conflict("`\(email)` is already a contact of team \(team.rawValue)")
    }
    guard isAddress(email) else { throw .invalid("`\(email)` is not an e-mail address") }
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdNumbers)
      try session.execute(insertContact(email, language: language.code, of: team))
      return .done(true)
    }
  }

  package func removeContact(_ email: String, from team: TeamID) async throws(OperationError) {
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      let rows = try session.execute(deleteContact(email, of: team))
      return rows == 1
        ? .done(true) : .refused(.notFound("contact `\(email)` of team \(team.rawValue)"))
    }
  }

  /// In the order in which they were added.
  package func webhooks(of team: TeamID) async throws(OperationError) -> [String] {
    _ = try await self.team(team)
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.webhooks(of: team, on: &session)
    }
  }

  /// - Parameter url: `https://…`, up to 2,048 characters.
  /// - Returns: The signing secret in the format of Standard Webhooks; shown only here.
  /// - Throws: `.conflict` when it is there already.
  package func addWebhook(_ url: String, to team: TeamID) async throws(OperationError) -> String {
    guard try await !webhooks(of: team).contains(url) else {
      throw .conflict("`\(url)` is already a webhook of team \(team.rawValue)")
    }
    let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard url.hasPrefix("https://"), isPlain, (9...2_048).contains(url.utf8.count) else {
      throw .invalid("`\(url)` is not an https URL")
    }
    let secret = randomBytes(32)
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdNumbers)
      try session.execute(insertWebhook(url, secret: secret, of: team))
      return .done(true)
    }
    return "whsec_" + Base64.encode(secret)
  }

  package func removeWebhook(_ url: String, from team: TeamID) async throws(OperationError) {
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      let rows = try session.execute(deleteWebhook(url, of: team))
      return rows == 1
        ? .done(true) : .refused(.notFound("webhook `\(url)` of team \(team.rawValue)"))
    }
  }
}

/// Rejects only what could break a header or is obviously not an address; delivery shows the rest.
func isAddress(_ email: String) -> Bool {
  let parts = email.split(separator: "@", omittingEmptySubsequences: false)
  let isPlain = email.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain
    && (3...254).contains(email.unicodeScalars.count)
}
