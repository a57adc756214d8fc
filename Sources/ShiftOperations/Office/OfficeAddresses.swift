import Cryptography
public import Guidance
import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// Whom a team's messages go to.
public typealias TeamContact = NotificationQueue.TeamContact

extension Operations {
  /// Sets the address to which an employee's messages are repeated; `nil`: to none.
  /// - Parameter email: 3…254 characters with one `@` and no white space.
  /// - Throws: `.notFound`, `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func setEmail(_ email: String?, of employee: EmployeeID) async throws(OperationError) {
    let moved = deadlines?()
    let _: Bool = try await transact { (session) throws(PostgresError) in
      guard try gather(employee, on: &session) != nil else {
        return .refused(.notFound("employee \(employee.rawValue)"))
      }
      if let email, !isAddress(email) { return .refused(.invalid("`\(email)` is no address")) }
      let counts = try session.pipeline([
        NotificationQueue.setEmail(email, of: employee),
        // It may have waited for just this.
        hasten(noticesOf: employee, at: moved),
      ])
      return email != nil && counts[1] > 0 ? .queued(true) : .done(true)
    }
  }

  /// The contacts of a team, in the order in which they were added.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func contacts(of team: TeamID) async throws(OperationError) -> [TeamContact] {
    _ = try await self.team(team)
    return try await read { (session) throws(PostgresError) in
      try NotificationQueue.contacts(of: team, on: &session)
    }
  }

  /// Adds a contact of a team.
  /// - Parameters:
  ///   - email: 3…254 characters with one `@` and no white space.
  ///   - language: What its messages are written in.
  /// - Throws: `.notFound`, `.conflict` when it is there already, `.invalid`, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func addContact(
    _ email: String, language: Language = .english, to team: TeamID
  ) async throws(OperationError) {
    guard try await !contacts(of: team).contains(where: { $0.email == email }) else {
      throw .conflict("`\(email)` is told for team \(team.rawValue) already")
    }
    guard isAddress(email) else { throw .invalid("`\(email)` is no address") }
    let _: Bool = try await transact { (session) throws(PostgresError) in
      try session.execute(holdNumbers)
      try session.execute(insertContact(email, language: language.code, of: team))
      return .done(true)
    }
  }

  /// Takes a contact of a team out.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func removeContact(_ email: String, from team: TeamID) async throws(OperationError) {
    let _: Bool = try await transact { (session) throws(PostgresError) in
      let rows = try session.execute(deleteContact(email, of: team))
      return rows == 1
        ? .done(true) : .refused(.notFound("`\(email)` among those told for team \(team.rawValue)"))
    }
  }

  /// The addresses of the programs that are told for a team, in the order in which they were added.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func webhooks(of team: TeamID) async throws(OperationError) -> [String] {
    _ = try await self.team(team)
    return try await read { (session) throws(PostgresError) in
      try NotificationQueue.webhooks(of: team, on: &session)
    }
  }

  /// Has a program told what a team's managers are.
  /// - Parameter url: `https://…`, up to 2,048 characters.
  /// - Returns: What signs the requests, as Standard Webhooks write it; shown this once.
  /// - Throws: `.notFound`, `.conflict` when it is there already, `.invalid`, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func addWebhook(_ url: String, to team: TeamID) async throws(OperationError) -> String {
    guard try await !webhooks(of: team).contains(url) else {
      throw .conflict("`\(url)` is told for team \(team.rawValue) already")
    }
    let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard url.hasPrefix("https://"), isPlain, (9...2_048).contains(url.utf8.count) else {
      throw .invalid("`\(url)` is no https address")
    }
    let secret = randomBytes(32)
    let _: Bool = try await transact { (session) throws(PostgresError) in
      try session.execute(holdNumbers)
      try session.execute(insertWebhook(url, secret: secret, of: team))
      return .done(true)
    }
    return "whsec_" + Base64.encode(secret)
  }

  /// Takes a program of a team out.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func removeWebhook(_ url: String, from team: TeamID) async throws(OperationError) {
    let _: Bool = try await transact { (session) throws(PostgresError) in
      let rows = try session.execute(deleteWebhook(url, of: team))
      return rows == 1
        ? .done(true) : .refused(.notFound("`\(url)` among those told for team \(team.rawValue)"))
    }
  }
}

/// Only what could break a header or is plainly no address is refused: the mail says the rest.
func isAddress(_ email: String) -> Bool {
  let parts = email.split(separator: "@", omittingEmptySubsequences: false)
  let isPlain = email.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain
    && (3...254).contains(email.unicodeScalars.count)
}
