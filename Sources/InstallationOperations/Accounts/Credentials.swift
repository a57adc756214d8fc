import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An API token, shown only here.
package struct NewAPIToken: Hashable, Sendable {
  /// `sga_<number>_<secret>`.
  package var token: String
  /// Its number, by which it is listed and revoked.
  package var number: Int32
  /// When it expires.
  package var expiresAt: Instant
}

extension InstallationOperations {
  /// - Parameters:
  ///   - name: 1…100 characters.
  ///   - teams: The rights of a manager's token, at least one team; empty for an administrator's.
  package func createAPIToken(
    name: String, role: AccessRole, teams: [TeamID: TeamRights] = [:], validFor span: TimeSpan,
    by principal: Principal
  ) async throws(OperationError) -> NewAPIToken {
    guard (1...100).contains(name.unicodeScalars.count), !name.contains("\0") else {
      throw .invalid("a name must have 1 to 100 characters")
    }
    guard role == .manager || teams.isEmpty else {
      throw .invalid("an administrator's API token sees every team; do not list teams")
    }
    guard role == .administrator || !teams.isEmpty else {
      throw .invalid("a manager's API token needs at least one team")
    }
    let secret = randomBytes(APITokenCredential.secretBytes)
    let (at, expiresAt) = (core.now(), core.now() + span)
    return try await core.transact { (session) throws(PostgresError) in
      if let unknown = try unknownTeam(among: teams, on: &session) {
        return .refused(.notFound("team \(unknown.rawValue)"))
      }
      let number = try addAPIToken(
        name: name, role: role, teams: teams, secretHash: sha256(secret), expiresAt: expiresAt,
        on: &session)
      try audit(.tokenCreated, by: principal, at: at, target: number, on: &session)
      return .done(
        NewAPIToken(
          token: APITokenCredential.token(number: number, secret: secret), number: number,
          expiresAt: expiresAt))
    }
  }

  /// Every API token, by number, without secrets.
  package func apiTokens() async throws(OperationError) -> [APITokenRow] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.apiTokens(number: nil, on: &session).map(\.row)
    }
  }

  /// - Throws: `.notFound` also when it is revoked already.
  package func revokeAPIToken(_ number: Int32, by principal: Principal) async throws(OperationError)
  {
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try session.execute(ShiftStore.revokeAPIToken(number, at: at)) == 1 else {
        return .refused(.notFound("token \(number)"))
      }
      try audit(.tokenRevoked, by: principal, at: at, target: number, on: &session)
      return .done(true)
    }
  }

  /// - Throws: `.unauthorized` when it is malformed, unknown, revoked or expired.
  package func authenticate(apiToken: String) async throws(OperationError) -> Principal {
    guard let credential = APITokenCredential(token: apiToken) else { throw .unauthorized }
    let records = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.apiTokens(number: credential.number, on: &session)
    }
    guard let record = records.first, record.row.holds(at: core.now()),
      constantTimeEqual(record.secretHash, credential.secretHash)
    else { throw .unauthorized }
    return record.row.principal
  }
}

extension APITokenRow {
  func holds(at instant: Instant) -> Bool { revokedAt == nil && expiresAt > instant }

  var principal: Principal {
    let isNamed = !name.allSatisfy { $0.isWhitespace }
    return Principal(
      actor: AuditActor(name: isNamed ? name : "token \(number)"), role: role, teams: teams,
      token: number)
  }
}

/// `sga_<number>_<secret>`.
private struct APITokenCredential {
  static let secretBytes = 32
  let number: Int32
  let secretHash: [UInt8]

  init?(token: String) {
    let parts = token.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "sga", let number = Int32(parts[1]), number > 0,
      let secret = Base64URL.decode(String(parts[2])), secret.count == Self.secretBytes
    else { return nil }
    self.number = number
    secretHash = sha256(secret)
  }

  static func token(number: Int32, secret: [UInt8]) -> String {
    "sga_\(number)_\(Base64URL.encode(secret))"
  }
}
