public import Postgres
public import ShiftDomain

// Table session: who is logged in, from where. Only digests of secrets are stored. Its clock is the
// database's, which all instances share; `now` is `nil` but in tests.

/// How long a session lives, and its secret.
public enum SessionLife {
  /// Unused for this long, it has ended.
  public static let idleMax = TimeSpan.hours(8)
  /// However much it is used, it ends after this long.
  public static let max = TimeSpan.hours(7 * 24)
  /// Its secret changes this often.
  public static let secretMax = TimeSpan.hours(1)
  /// For this long the secret before serves beside the new one, once that was used: requests may be
  /// under way.
  public static let formerMax = TimeSpan.minutes(1)
  /// Its use is noted this often.
  public static let noteEvery = TimeSpan.minutes(1)
}

/// A session as listed.
public struct LoginSession: Hashable, Sendable {
  /// Its id.
  public var session: SessionID
  /// Whose it is.
  public var account: AccountID
  /// When they logged in.
  public var createdAt: Instant
  /// When it was last used, to the minute.
  public var usedAt: Instant
  /// When it ends if it is not used again.
  public var endsAt: Instant
  /// The network address that they logged in from; empty when not known.
  public var address: String
  /// What their browser calls itself; up to 300 characters.
  public var userAgent: String
}

/// A session that may be one, and what decides that.
public struct SessionCandidate: Sendable {
  /// Whose it is.
  public var account: AccountRecord
  /// SHA-256 of its secret, and of the one before while that serves.
  public var secretHash: [UInt8], formerHash: [UInt8]?
  /// Whether the one before serves only until `SessionLife.formerMax` after the new one was used.
  public var formerIsEnding: Bool
  /// Whether its secret should change.
  public var wantsRenewal: Bool
  /// Whether its use should be noted.
  public var wantsNote: Bool
}

/// The session `id` with its account, if it has not ended and the account is not disabled.
public func liveSession(_ id: SessionID, now: Instant?, on session: inout Session)
  throws(PostgresError) -> SessionCandidate?
{
  let rows = try session.run(
    """
    SELECT \(fragment: accountColumns), secret_hash,
      CASE WHEN former_until IS NULL OR former_until > coalesce(\(now), now()) THEN former_hash END,
      former_until IS NOT NULL, renew_at <= coalesce(\(now), now()),
      used_at <= coalesce(\(now), now()) - \(SessionLife.noteEvery.seconds) * interval '1 second'
    FROM session
    JOIN account ON account.account_id = session.account_id
    WHERE session_id = \(id.rawValue) AND ended_at IS NULL AND disabled_at IS NULL
      AND expires_at > coalesce(\(now), now())
      AND used_at > coalesce(\(now), now())
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    """)
  guard rows.count == 1 else { return nil }
  return SessionCandidate(
    account: try rows.account(0), secretHash: try rows.value(0, 10),
    formerHash: try rows.value(0, 11), formerIsEnding: try rows.value(0, 12),
    wantsRenewal: try rows.value(0, 13), wantsNote: try rows.value(0, 14))
}

/// Who has these sessions, by session: without those that have ended, and those of disabled
/// accounts.
public func liveAccounts(of ids: [SessionID], now: Instant?, on session: inout Session)
  throws(PostgresError) -> [SessionID: AccountRecord]
{
  let rows = try session.run(
    """
    SELECT \(fragment: accountColumns), session_id
    FROM session
    JOIN account ON account.account_id = session.account_id
    WHERE session_id = ANY (\(ids.map(\.rawValue))) AND ended_at IS NULL AND disabled_at IS NULL
      AND expires_at > coalesce(\(now), now())
      AND used_at > coalesce(\(now), now())
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    """)
  var accounts: [SessionID: AccountRecord] = [:]
  for row in 0..<rows.count { accounts[SessionID(try rows.value(row, 10))] = try rows.account(row) }
  return accounts
}

/// Begins a session.
/// - Parameters:
///   - address: Up to 100 characters.
///   - userAgent: Up to 300 characters.
public func insertSession(
  _ id: SessionID, of account: AccountID, secretHash: [UInt8], address: String, userAgent: String,
  now: Instant?
) -> SQL {
  """
  INSERT INTO session (session_id, created_at, used_at, expires_at, renew_at, account_id,
    secret_hash, address, user_agent)
  SELECT \(id.rawValue), at, at, at + \(SessionLife.max.seconds) * interval '1 second',
    at + \(SessionLife.secretMax.seconds) * interval '1 second', \(account.rawValue),
    \(secretHash), \(address), \(userAgent)
  FROM (SELECT coalesce(\(now), now())) AS present (at)
  """
}

/// Notes that a session is used; with `endsFormer`, that its new secret has arrived.
public func noteUse(of id: SessionID, endsFormer: Bool, now: Instant?) -> SQL {
  """
  UPDATE session
  SET used_at = coalesce(\(now), now()),
    former_until = CASE WHEN \(endsFormer) AND former_until IS NULL
      THEN coalesce(\(now), now()) + \(SessionLife.formerMax.seconds) * interval '1 second'
      ELSE former_until END
  WHERE session_id = \(id.rawValue)
  """
}

/// Changes a session's secret; `former`, that of the request at hand, serves until the new one has
/// arrived. Affects no row when somebody else changed it first.
public func renew(
  _ id: SessionID, insteadOf current: [UInt8], former: [UInt8], secretHash: [UInt8], now: Instant?
) -> SQL {
  """
  UPDATE session
  SET secret_hash = \(secretHash), former_hash = \(former), former_until = NULL,
    used_at = coalesce(\(now), now()),
    renew_at = coalesce(\(now), now())
      + \(SessionLife.secretMax.seconds) * interval '1 second'
  WHERE session_id = \(id.rawValue) AND secret_hash = \(current)
  """
}

/// Has the secrets of an account's sessions changed at their next use: what they open has changed.
public func hastenRenewal(of account: AccountID, now: Instant?) -> SQL {
  """
  UPDATE session SET renew_at = coalesce(\(now), now())
  WHERE account_id = \(account.rawValue) AND ended_at IS NULL
  """
}

/// Ends a session of `account`, or all of them, or all but one. Affects a row for each that had not
/// ended.
public func endSessions(
  of account: AccountID, only id: SessionID? = nil, besides kept: SessionID? = nil, now: Instant?
) -> SQL {
  """
  UPDATE session SET ended_at = coalesce(\(now), now()), former_hash = NULL
  WHERE account_id = \(account.rawValue) AND ended_at IS NULL
    AND (\(id?.rawValue) IS NULL OR session_id = \(id?.rawValue))
    AND (\(kept?.rawValue) IS NULL OR session_id <> \(kept?.rawValue))
  """
}

/// The sessions of `account`, or of everybody, that have not ended; the newest first.
public func liveSessions(
  of account: AccountID?, limit: Int32, now: Instant?, on session: inout Session
) throws(PostgresError) -> [LoginSession] {
  let rows = try session.run(
    """
    SELECT session_id, account_id, created_at, used_at,
      least(expires_at, used_at + \(SessionLife.idleMax.seconds) * interval '1 second'),
      address, user_agent
    FROM session
    WHERE (\(account?.rawValue) IS NULL OR account_id = \(account?.rawValue))
      AND ended_at IS NULL AND expires_at > coalesce(\(now), now())
      AND used_at > coalesce(\(now), now())
        - \(SessionLife.idleMax.seconds) * interval '1 second'
    ORDER BY session_id DESC
    LIMIT \(limit)
    """)
  var sessions: [LoginSession] = []
  for row in 0..<rows.count {
    sessions.append(
      LoginSession(
        session: SessionID(try rows.value(row, 0)), account: AccountID(try rows.value(row, 1)),
        createdAt: try rows.value(row, 2), usedAt: try rows.value(row, 3),
        endsAt: try rows.value(row, 4), address: try rows.value(row, 5),
        userAgent: try rows.value(row, 6)))
  }
  return sessions
}

/// Whether somebody logged in to `account` from `address` within the last 30 days. Sessions are
/// kept for that long after they ended.
public func isKnown(
  address: String, of account: AccountID, now: Instant?, on session: inout Session
) throws(PostgresError) -> Bool {
  try session.run(
    """
    SELECT EXISTS (
      SELECT FROM session
      WHERE account_id = \(account.rawValue) AND address = \(address) AND address <> ''
        AND created_at > coalesce(\(now), now()) - interval '30 days')
    """
  ).value(0, 0)
}

/// Forgets sessions that expired more than 30 days ago.
public func deleteOldSessions(now: Instant?) -> SQL {
  "DELETE FROM session WHERE expires_at < coalesce(\(now), now()) - interval '30 days'"
}
