import Cryptography
import Postgres
public import ShiftDomain
public import ShiftStore

extension Operations {
  /// Makes a code that enrols one phone, once.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func createEnrolmentCode(for employee: EmployeeID, validFor span: TimeSpan)
    async throws(OperationError) -> NewEnrolmentCode
  {
    let code = EnrolmentCode.random()
    let expiresAt = now() + span
    return try await transact { (session) throws(PostgresError) in
      guard try gather(employee, on: &session) != nil else {
        return .refused(.notFound("employee \(employee.rawValue)"))
      }
      try session.execute(
        insertEnrolmentCode(hash: code.digest, of: employee, expiresAt: expiresAt))
      return .done(
        NewEnrolmentCode(code: "\(employee.rawValue)-\(code.text)", expiresAt: expiresAt))
    }
  }

  /// Makes an access token.
  /// - Parameter name: What it is for, 1…100 characters.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func createAccessToken(name: String, role: AccessRole, validFor span: TimeSpan)
    async throws(OperationError) -> NewAccessToken
  {
    guard (1...100).contains(name.unicodeScalars.count), !name.contains("\0") else {
      throw .invalid("a name has 1 to 100 characters")
    }
    let secret = randomBytes(AccessCredential.secretBytes)
    let expiresAt = now() + span
    return try await transact { (session) throws(PostgresError) in
      let number = try addAccessToken(
        name: name, role: role, secretHash: sha256(secret), expiresAt: expiresAt, on: &session)
      return .done(
        NewAccessToken(
          token: AccessCredential.token(number: number, secret: secret), number: number,
          expiresAt: expiresAt))
    }
  }

  /// Every access token, by number; never a secret.
  public func accessTokens() async throws(OperationError) -> [AccessTokenRow] {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.accessTokens(number: nil, on: &session).map { record in
        AccessTokenRow(
          number: record.number, name: record.name, createdAt: record.createdAt,
          expiresAt: record.expiresAt, revokedAt: record.revokedAt)
      }
    }
  }

  /// Takes an access token's right.
  /// - Throws: `.notFound` when it is unknown or revoked already, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func revokeAccessToken(_ number: Int32) async throws(OperationError) {
    let at = now()
    let _: Bool = try await transact { (session) throws(PostgresError) in
      guard try session.execute(ShiftStore.revokeAccessToken(number, at: at)) == 1 else {
        return .refused(.notFound("token \(number)"))
      }
      return .done(true)
    }
  }

  /// Who holds `accessToken`, and what they may do.
  /// - Throws: `.unauthorized` when it is malformed, unknown, revoked or expired; `.unavailable`,
  ///   `.broken`.
  public func authenticate(accessToken: String) async throws(OperationError) -> AccessHolder {
    guard let credential = AccessCredential(token: accessToken) else { throw .unauthorized }
    let records = try await read { (session) throws(PostgresError) in
      try ShiftStore.accessTokens(number: credential.number, on: &session)
    }
    guard let record = records.first, record.revokedAt == nil, record.expiresAt > now(),
      constantTimeEqual(record.secretHash, credential.secretHash)
    else { throw .unauthorized }
    let isNamed = !record.name.allSatisfy { $0.isWhitespace }
    return AccessHolder(
      role: record.role, officer: Officer(name: isNamed ? record.name : "token \(record.number)"))
  }
}

/// Who holds an access token.
public struct AccessHolder: Hashable, Sendable {
  /// What they may do.
  public var role: AccessRole
  /// How they are named in what they do: by the token's name.
  public var officer: Officer
}

/// `sga_<number>_<secret>`.
private struct AccessCredential {
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
