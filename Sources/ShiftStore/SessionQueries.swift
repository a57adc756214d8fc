import Postgres
import ReadModels
import ShiftDomain

// Table session: login sessions. Only digests of secrets are stored. The clock is the database's,
// which all instances share; `now` is `nil` except in tests.

/// A possible session, with what is needed to check it.
package struct SessionCandidate: Sendable {
  /// Its account.
  package var account: AccountRow
  /// SHA-256 of its secret, and of the previous one while that is valid.
  package var secretHash: [UInt8], formerHash: [UInt8]?
  /// Whether the previous secret is about to end, `formerMax` after the first use of the new one.
  package var formerIsEnding: Bool
  package var wantsRenewal: Bool
  package var wantsNote: Bool
}

/// The session `id` with its account, unless it has ended or the account is disabled.
package func liveSession(_ id: SessionID, now: Instant?, on session: inout Session)
  throws(PostgresError) -> SessionCandidate?
{
  try session.run(
    """
    SELECT \(fragment: AccountRecord.columns), secret_hash,
      CASE WHEN previous_until IS NULL OR previous_until > \(now: now)
        THEN previous_hash END,
      previous_until IS NOT NULL, renew_at <= \(now: now),
      used_at <= \(now: now) - \(SessionLife.noteEvery.seconds) * interval '1 second'
    FROM session
    JOIN account ON account.account_id = session.account_id
    WHERE session_id = \(id.rawValue) AND ended_at IS NULL AND disabled_at IS NULL
      AND expires_at > \(now: now)
      AND used_at > \(now: now)
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    """
  ).first { (row) throws(PostgresError) in
    SessionCandidate(
      account: try AccountRecord(from: &row).row, secretHash: try row.next(),
      formerHash: try row.next(), formerIsEnding: try row.next(), wantsRenewal: try row.next(),
      wantsNote: try row.next())
  }
}

/// The enabled accounts of those sessions that have not ended, by session.
package func liveAccounts(of ids: [SessionID], now: Instant?, on session: inout Session)
  throws(PostgresError) -> [SessionID: AccountRow]
{
  let rows = try session.run(
    """
    SELECT session_id, \(fragment: AccountRecord.columns)
    FROM session
    JOIN account ON account.account_id = session.account_id
    WHERE session_id = ANY (\(ids.map(\.rawValue))) AND ended_at IS NULL AND disabled_at IS NULL
      AND expires_at > \(now: now)
      AND used_at > \(now: now)
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    """)
  var accounts: [SessionID: AccountRow] = [:]
  try rows.forEach { (row) throws(PostgresError) in
    accounts[try row.next()] = try AccountRecord(from: &row).row
  }
  return accounts
}

/// Starts a session. `address` has up to 100 characters, `userAgent` up to 300.
package func insertSession(
  _ id: SessionID, of account: AccountID, secretHash: [UInt8], address: String, userAgent: String,
  now: Instant?
) -> SQL {
  """
  INSERT INTO session (session_id, created_at, used_at, expires_at, renew_at, account_id,
    secret_hash, address, user_agent)
  SELECT \(id.rawValue), at, at, at + \(SessionLife.max.seconds) * interval '1 second',
    at + \(SessionLife.secretMax.seconds) * interval '1 second', \(account.rawValue),
    \(secretHash), \(address), \(userAgent)
  FROM (SELECT \(now: now)) AS present (at)
  """
}

/// Records that a session is used; with `endsFormer`, that its new secret has arrived.
package func noteUse(of id: SessionID, endsFormer: Bool, now: Instant?) -> SQL {
  // NULL leaves the time unchanged, because LEAST ignores it.
  let formerMax = endsFormer ? SessionLife.formerMax.seconds : nil
  return """
    UPDATE session
    SET used_at = \(now: now),
      previous_until = least(
        previous_until, \(now: now) + \(formerMax) * interval '1 second')
    WHERE session_id = \(id.rawValue)
    """
}

/// Changes a session's secret; `former`, that of the current request, stays valid until the new one
/// has arrived. Affects no row if another request changed it first.
package func renew(
  _ id: SessionID, insteadOf current: [UInt8], former: [UInt8], secretHash: [UInt8], now: Instant?
) -> SQL {
  """
  UPDATE session
  SET secret_hash = \(secretHash), previous_hash = \(former), previous_until = NULL,
    used_at = \(now: now),
    renew_at = \(now: now)
      + \(SessionLife.secretMax.seconds) * interval '1 second'
  WHERE session_id = \(id.rawValue) AND secret_hash = \(current)
  """
}

/// Renews the secrets of an account's sessions at their next use: their rights have changed.
package func renewSoon(of account: AccountID, now: Instant?) -> SQL {
  """
  UPDATE session SET renew_at = \(now: now)
  WHERE account_id = \(account.rawValue) AND ended_at IS NULL
  """
}

/// Ends a session of `account`, all of them, or all but one. Affects a row for each active one.
package func endSessions(
  of account: AccountID, only id: SessionID? = nil, besides kept: SessionID? = nil, now: Instant?
) -> SQL {
  """
  UPDATE session SET ended_at = \(now: now), previous_hash = NULL
  WHERE account_id = \(account.rawValue) AND ended_at IS NULL
    AND (\(id?.rawValue) IS NULL OR session_id = \(id?.rawValue))
    AND (\(kept?.rawValue) IS NULL OR session_id <> \(kept?.rawValue))
  """
}

package func liveSessions(
  of account: AccountID?, limit: Int32, now: Instant?, on session: inout Session
) throws(PostgresError) -> [LoginSession] {
  try session.run(
    """
    SELECT session_id, account_id, created_at, used_at,
      least(expires_at, used_at + \(SessionLife.idleMax.seconds) * interval '1 second'),
      address, user_agent
    FROM session
    WHERE (\(account?.rawValue) IS NULL OR account_id = \(account?.rawValue))
      AND ended_at IS NULL AND expires_at > \(now: now)
      AND used_at > \(now: now)
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    ORDER BY session_id DESC
    LIMIT \(limit)
    """
  ).map { (row) throws(PostgresError) in
    LoginSession(
      session: try row.next(), account: try row.next(), createdAt: try row.next(),
      usedAt: try row.next(), endsAt: try row.next(), address: try row.next(),
      userAgent: try row.next())
  }
}

/// Whether `account` was logged in to from `address` in the 30 days for which sessions are stored.
package func isKnown(
  address: String, of account: AccountID, now: Instant?, on session: inout Session
) throws(PostgresError) -> Bool {
  try session.run(
    """
    SELECT EXISTS (
      SELECT FROM session
      WHERE account_id = \(account.rawValue) AND address = \(address) AND address <> ''
        AND created_at > \(now: now) - interval '30 days')
    """
  ).value(0, 0)
}

package func deleteOldSessions(now: Instant?) -> SQL {
  "DELETE FROM session WHERE expires_at < \(now: now) - interval '30 days'"
}
