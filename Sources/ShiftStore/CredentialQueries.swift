import Postgres
import ReadModels
import ShiftDomain

// Tables enrolment_code and api_token. Only hashes are stored, so that access to the database
// does not allow impersonation.

package func insertEnrolmentCode(hash: [UInt8], of employee: EmployeeID, expiresAt: Instant) -> SQL
{
  """
  INSERT INTO enrolment_code (employee_id, code_hash, expires_at)
  VALUES (\(employee.rawValue), \(hash), \(expiresAt))
  """
}

package enum EnrolmentCodeUse: Hashable, Sendable {
  case unused
  case used(CodeUser)
}

/// The device that used an enrolment code last.
package struct CodeUser: Hashable, Sendable {
  package var device: DeviceID
  /// SHA-256 of its token's secret.
  package var tokenHash: [UInt8]
  /// Whether it was the first, at most ten minutes ago, and is not revoked: then another device may
  /// replace it.
  package var mayBeReplaced: Bool
  /// The device that used the code before; `nil`: none did.
  package var replaced: DeviceID?
}

/// The use of a code of `employee`; `nil` if it is unknown, or expired and unused.
package func enrolmentCodeUse(
  hash: [UInt8], of employee: EmployeeID, now: Instant, on session: inout Session
) throws(PostgresError) -> EnrolmentCodeUse? {
  try session.run(
    """
    SELECT device.device_no, device.token_hash,
      code.replaced_device_no IS NULL AND device.revoked_at IS NULL
        AND device.enrolled_at > statement_timestamp() - interval '10 minutes',
      code.replaced_device_no
    FROM enrolment_code AS code
    LEFT JOIN device
      ON device.employee_id = code.employee_id AND device.device_no = code.device_no
    WHERE code.employee_id = \(employee.rawValue) AND code.code_hash = \(hash)
      AND (code.device_no IS NOT NULL OR code.expires_at > \(now))
    """
  ).first { (row) throws(PostgresError) in
    guard let number: Int16 = try row.next() else {
      row.skipRest()
      return .unused
    }
    var user = CodeUser(
      device: DeviceID(employee: employee, number: number), tokenHash: try row.next(),
      mayBeReplaced: try row.next())
    let replaced: Int16? = try row.next()
    user.replaced = replaced.map { DeviceID(employee: employee, number: $0) }
    return .used(user)
  }
}

/// Uses a code for `device`; returns whether it existed, was unused and not expired.
package func useEnrolmentCode(
  hash: [UInt8], for device: DeviceID, now: Instant, on session: inout Session
) throws(PostgresError) -> Bool {
  try session.execute(
    """
    UPDATE enrolment_code SET device_no = \(device.number)
    WHERE employee_id = \(device.employee.rawValue) AND code_hash = \(hash)
      AND device_no IS NULL AND expires_at > \(now)
    """) == 1
}

/// Uses a code for `device` instead of `replaced`, which used it first; returns whether nobody else
/// has done that.
package func useEnrolmentCodeAgain(
  hash: [UInt8], for device: DeviceID, replacing replaced: DeviceID, on session: inout Session
) throws(PostgresError) -> Bool {
  try session.execute(
    """
    UPDATE enrolment_code
    SET device_no = \(device.number), replaced_device_no = \(replaced.number)
    WHERE employee_id = \(device.employee.rawValue) AND code_hash = \(hash)
      AND device_no = \(replaced.number) AND replaced_device_no IS NULL
    """) == 1
}

/// An API token as stored.
package struct APITokenRecord: Hashable, Sendable {
  package var row: APITokenRow
  /// SHA-256 of its secret.
  package var secretHash: [UInt8]
}

package func addAPIToken(
  name: String, role: AccessRole, teams: [TeamID: TeamRights], secretHash: [UInt8],
  expiresAt: Instant, on session: inout Session
) throws(PostgresError) -> Int32 {
  try session.execute(holdNumbers)
  let number: Int32 = try session.run(
    """
    INSERT INTO api_token AS added (token_id, role, name, secret_hash, expires_at)
    SELECT coalesce(max(existing.token_id), 0) + 1, \(role.column), \(name), \(secretHash),
      \(expiresAt)
    FROM api_token AS existing
    RETURNING token_id
    """
  ).value(0, 0)
  try session.execute(
    """
    INSERT INTO api_token_team (token_id, team_id, rights)
    SELECT \(number), team_id, rights
    FROM unnest(\(teams.columns.teams), \(teams.columns.rights)) AS item (team_id, rights)
    """)
  return number
}

package func apiTokens(number: Int32?, on session: inout Session) throws(PostgresError)
  -> [APITokenRecord]
{
  try session.run(
    """
    SELECT secret_hash, token_id, name, role,
      (SELECT array_agg(team_id ORDER BY team_id) FROM api_token_team AS granted
        WHERE granted.token_id = api_token.token_id),
      (SELECT array_agg(rights ORDER BY team_id) FROM api_token_team AS granted
        WHERE granted.token_id = api_token.token_id),
      created_at, expires_at, revoked_at
    FROM api_token
    WHERE \(number) IS NULL OR token_id = \(number)
    ORDER BY token_id
    """
  ).map { (row) throws(PostgresError) in
    let secretHash: [UInt8] = try row.next()
    return APITokenRecord(
      row: APITokenRow(
        number: try row.next(), name: try row.next(), role: try row.next(),
        teams: try [TeamID: TeamRights](from: &row), createdAt: try row.next(),
        expiresAt: try row.next(), revokedAt: try row.next()),
      secretHash: secretHash)
  }
}

/// Revokes an API token. Affects no row if it is unknown or already revoked.
package func revokeAPIToken(_ number: Int32, at now: Instant) -> SQL {
  "UPDATE api_token SET revoked_at = \(now) WHERE token_id = \(number) AND revoked_at IS NULL"
}
